internal import Catalog
internal import Foundation
internal import Machines
internal import Policies
internal import Synchronization

/// Whom an event is told to when it begins or ends, as configuration and policies in force say. Who enters the event enters that with
/// it.
final class NotificationChoices: Sendable {
    private struct State {
        var rules: [String: [NotifyRule]] = [:]
        var zone = TimeZone.current
    }

    private let state = Mutex(State())
    private let followers = Mutex<[@Sendable () -> Void]>([])

    /// Another configuration is in force.
    func change(_ loaded: LoadedConfiguration) {
        var new = State()
        new.zone = TimeZone(identifier: loaded.configuration.timeZone) ?? .current
        for camera in loaded.configuration.cameras {
            let rules = loaded.policies[camera.policy]?.notify ?? []
            new.rules[camera.name] = rules.isEmpty ? nil : rules
        }
        state.withLock { [new] in $0 = new }
    }

    /// Whom the begin of an event is told to.
    func begin(of camera: String, _ cause: ClipCause, _ level: Sensitivity?, atWallMs: Int64) -> [NewNotification] {
        told(.begin, camera, cause, level, atWallMs)
    }

    /// Whom it is told to that something is recognised in an event.
    func label(_ name: String, of begun: NewEvent, atWallMs: Int64) -> [NewNotification] {
        guard let cause = ClipCause(rawValue: begun.cause) else { return [] }
        return told(.begin, begun.camera, cause, begun.level, label: name, atWallMs)
    }

    /// Whom the end of an event is told to.
    func end(of begun: NewEvent, atWallMs: Int64) -> [NewNotification] {
        guard let cause = ClipCause(rawValue: begun.cause) else { return [] }
        return told(.end, begun.camera, cause, begun.level, atWallMs)
    }

    /// Calls `body` when something was entered that is to be sent.
    func whenEntered(_ body: @escaping @Sendable () -> Void) { followers.withLock { $0.append(body) } }

    /// Something was entered.
    func entered() { for follower in followers.withLock({ $0 }) { follower() } }

    private func told(
        _ moment: NotifyRule.Moment, _ camera: String, _ cause: ClipCause, _ level: Sensitivity?, label: String? = nil,
        _ wallMs: Int64
    ) -> [NewNotification] {
        let (rules, zone) = state.withLock { ($0.rules[camera] ?? [], $0.zone) }
        return Self.merged(
            rules.filter { $0.tells(moment, cause: cause, level: level, label: label, atUnixMs: wallMs, in: zone) }
                .flatMap { rule in
                    let followsBegin = moment == .end && rule.moments.contains(.begin)
                    let spacing: NewNotification.Spacing = followsBegin ? .withBegin : .apart(rule.atMostEveryMs)
                    return rule.receivers.map { NewNotification(receiver: $0, spacing) }
                })
    }

    /// What several rules say of one receiver: the least of their distances, and to follow the begin where one of them says so.
    static func merged(_ told: [NewNotification]) -> [NewNotification] {
        var (least, following) = ([String: Int64](), Set<String>())
        for one in told {
            switch one.spacing {
            case .withBegin: following.insert(one.receiver)
            case .apart(let ms): least[one.receiver] = min(least[one.receiver] ?? ms, ms)
            }
        }
        return following.sorted().map { NewNotification(receiver: $0, .withBegin) }
            + least.sorted { $0.key < $1.key }.map { NewNotification(receiver: $0.key, .apart($0.value)) }
    }
}
