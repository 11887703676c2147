internal import Journal
public import Machines

extension Narrator {
    /// What the machine was told.
    public func words(_ event: Camera.Event) -> String {
        switch event {
        case .tick: "time passed"
        case .dialed(let dial): "dial \(dial.rawValue) reached the camera"
        case .dialFailed(let dial, let why): "dial \(dial.rawValue) failed: \(Vocabulary.words(why))"
        case .keyframe(let dial): "the first key frame of dial \(dial.rawValue) came"
        case .packets(let dial, let last): "packets of dial \(dial.rawValue) came until \(time(last))"
        case .lost(let dial, let why): "dial \(dial.rawValue) was lost: \(Vocabulary.words(why))"
        case .hungUp(let dial): "dial \(dial.rawValue) was hung up"
        case .detected(let level, let zones): "a detection of level \(level.rawValue), \(Self.words(zones))"
        case .asserted(let source, let staleMs):
            "source \(source.rawValue) is on, for \(Self.length(staleMs)) unless refreshed"
        case .cleared(let source): "source \(source.rawValue) is off"
        case .commanded(let control):
            "a command to record for \(Self.length(control.initialMs)), at most \(Self.length(control.maxMs))"
        case .opened(let clip, let start, let shortfall):
            "clip \(clip.rawValue) was opened, from \(time(start))\(Self.words(shortfall))"
        case .openFailed(let clip): "clip \(clip.rawValue) could not be opened"
        case .keyframeMissing(let clip): "no key frame was there for clip \(clip.rawValue) to begin with"
        case .cut(let clip, let at): "clip \(clip.rawValue) was cut at \(time(at))"
        case .streamChanged(let clip, let at): "the stream changed; clip \(clip.rawValue) was cut at \(time(at))"
        case .writeFailed(let clip): "writing clip \(clip.rawValue) failed"
        case .closed(let clip, let complete):
            complete
                ? "clip \(clip.rawValue) was closed and is durable" : "clip \(clip.rawValue) was closed, not complete"
        case .enabled(let enabled): enabled ? "recording was enabled" : "recording was disabled"
        case .policy(let policy, let until): "a policy came into force: \(words(policy, until: until))"
        case .privacy(let privacy): "privacy was set to \(Self.words(privacy))"
        case .connect(let mode): "new settings of the connection: \(Self.words(mode))"
        case .viewers(let count): "viewers now: \(count)"
        case .storage(let storage): "the storage is \(storage.rawValue)"
        case .drain: "Vigil stops, or the camera was taken out of the configuration"
        }
    }

    static func words(_ zones: Zones) -> String {
        if zones == .anywhere { return "not located" }
        let inside = (0..<32).filter { zones.inside & 1 << $0 != 0 }
        var places = inside.isEmpty ? [] : ["in zone " + inside.map { String($0) }.joined(separator: ", ")]
        if zones.outside { places.append("outside every zone") }
        return places.isEmpty ? "nowhere" : places.joined(separator: " and ")
    }

    static func words(_ shortfall: Shortfall?) -> String {
        shortfall.map { ", with less pre-roll than promised: \(Vocabulary.words($0))" } ?? ""
    }

    static func words(_ order: DialOrder) -> String {
        switch order {
        case .auto: "lan and internet, first what worked last"
        case .lan: "lan"
        case .internet: "internet"
        case .lanFirst: "lan, then internet"
        case .internetFirst: "internet, then lan"
        }
    }

    /// The privacy switches that are on.
    public static func words(_ privacy: Privacy) -> String {
        let on = [("hard", privacy.hard), ("recording", privacy.softRecording), ("live", privacy.softLive)]
        let names = on.filter(\.1).map(\.0)
        return names.isEmpty ? "off" : names.joined(separator: ", ")
    }

    /// A policy in force, and until when.
    public func words(_ policy: Policy, until: Instant?) -> String {
        var parts = ["mode \(policy.mode.rawValue)" + (policy.offBySchedule ? " by its schedule" : "")]
        if policy.mode == .event {
            parts.append("sensitivity \(policy.sensitivity.rawValue)")
            parts.append("pre-roll \(Self.length(policy.preRollMs))")
        }
        if let preRollMs = policy.transportPreRollMs {
            parts.append("for transports, with \(Self.length(preRollMs)) before")
        }
        if policy.mode != .off { parts.append("clips of \(Self.length(policy.clipLengthMs))") }
        if policy.connection == .onDemand { parts.append("connection on demand") }
        if let until { parts.append("until \(time(until))") }
        return parts.joined(separator: ", ")
    }
}
