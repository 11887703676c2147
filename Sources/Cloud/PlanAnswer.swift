public import Foundation
internal import Wire

/// What a provider says about the plans of cameras (docs/design/cloud.md "Subscription"): the answer to `GET <url>/v1/plans`.
public struct PlanAnswer: Hashable, Sendable {
    /// The plan of a camera. A retention is how long what is stored outlives the plan, in milliseconds, 0 to 3,650 days; nil if
    /// the provider leaves it to the configuration.
    public enum Plan: Hashable, Sendable {
        /// There is none.
        case none
        /// Clips may be uploaded until then, UTC epoch milliseconds.
        case active(untilWallMs: Int64, retentionMs: Int64?)
        /// It ended; when, if the provider says so, UTC epoch milliseconds.
        case expired(atWallMs: Int64?, retentionMs: Int64?)
    }

    /// What is said of one camera, or of all that are not named.
    private struct Entry: Hashable, Sendable {
        var plan: Plan
        var name: String?
        var manageURL: String?
    }

    /// The most bytes of an answer: 256 KiB.
    public static let bytesMax = 256 << 10
    /// The most days that what is stored may outlive its plan.
    static let retentionDaysMax: Int64 = 3_650
    /// The most bytes of the name of a plan, and of the address to manage it.
    static let nameBytesMax = 128
    static let addressBytesMax = 2_048

    private let account: Entry?
    private let cameras: [String: Entry]

    /// The plan of a camera: its own entry, else the account's, else none.
    public func plan(of camera: String) -> Plan { entry(of: camera)?.plan ?? .none }

    /// What the provider calls that plan, one line; nil if it does not say.
    public func name(of camera: String) -> String? { entry(of: camera)?.name }

    /// Where people manage that plan, an address of `https` or `http`; nil if the provider does not say.
    public func manageURL(of camera: String) -> String? { entry(of: camera)?.manageURL }

    private func entry(of camera: String) -> Entry? { cameras[camera] ?? account }
}

extension PlanAnswer {
    /// Reads an answer. Keys that are not known are passed over.
    ///
    /// - Throws: what is wrong with it; then the load has failed, and the plan that was known holds on.
    public init(parsing bytes: Data) throws(Defect) {
        let form = try Self.json.decode(Form.self, from: bytes)
        guard form.account != nil || form.cameras != nil else {
            throw Self.json.defect("", "has neither account nor cameras")
        }
        account = try form.account.map { one throws(Defect) in try Self.entry(one, "account") }
        var cameras: [String: Entry] = [:]
        for (name, one) in form.cameras ?? [:] {
            cameras[name] = try Self.entry(one, "cameras.\(ForeignJSON.shown(name))")
        }
        self.cameras = cameras
    }

    private static let json = ForeignJSON(
        subject: "the provider's answer",
        remedy: "The plan that was known holds on; tell the provider, or check cloud.subscription.url.",
        bytesMax: bytesMax)

    /// How it is written.
    private struct Form: Decodable {
        struct Entry: Decodable {
            var plan: String
            var name: String?
            var activeUntil: String?
            var expiredAt: String?
            var retentionDays: Int64?
            var manageUrl: String?
        }

        var account: Entry?
        var cameras: [String: Entry]?
    }

    private static func entry(_ form: Form.Entry, _ key: String) throws(Defect) -> Entry {
        if let name = form.name { try json.check(name, "\(key).name", bytes: 1...nameBytesMax) }
        if let address = form.manageUrl, !isAddress(address) {
            throw json.defect(
                "\(key).manageUrl", "is no address of https or http with at most \(addressBytesMax) bytes")
        }
        if let days = form.retentionDays, !(0...retentionDaysMax).contains(days) {
            throw json.defect("\(key).retentionDays", "is not 0 to \(retentionDaysMax)")
        }
        return Entry(plan: try plan(form, key), name: form.name, manageURL: form.manageUrl)
    }

    private static func plan(_ form: Form.Entry, _ key: String) throws(Defect) -> Plan {
        let retentionMs = form.retentionDays.map { $0 * 86_400_000 }
        switch form.plan {
        case "none": return .none
        case "active":
            guard let until = try time(form.activeUntil, "\(key).activeUntil") else {
                throw json.defect("\(key).activeUntil", "is missing, and the plan is active")
            }
            return .active(untilWallMs: until, retentionMs: retentionMs)
        case "expired":
            return .expired(atWallMs: try time(form.expiredAt, "\(key).expiredAt"), retentionMs: retentionMs)
        default: throw json.defect("\(key).plan", "is not none, active or expired")
        }
    }

    private static func time(_ text: String?, _ key: String) throws(Defect) -> Int64? {
        guard let text else { return nil }
        guard let time = WallTime(rfc3339: text), time.ms >= 0 else {
            throw json.defect(key, "is no time of RFC 3339 with an offset, from 1970 on")
        }
        return time.ms
    }

    /// Whether people can be sent there: `https` or `http`, a host without a login before it, and only visible ASCII.
    private static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= addressBytesMax,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.host
        else { return false }
        return ["https", "http"].contains(scheme) && !host.isEmpty && parts.user == nil && parts.password == nil
    }
}
