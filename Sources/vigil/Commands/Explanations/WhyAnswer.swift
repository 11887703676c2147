internal import Explain
internal import Journal
internal import Machines
internal import Replay
internal import Server

/// What `vigil why` answers, as JSON and as text.
struct WhyAnswer: Encodable {
    /// A condition of recording that failed.
    struct Failed: Encodable {
        let condition: Condition
        let words: String
    }

    /// A change of what was asked of the camera.
    struct Step: Encodable {
        let change: String
        let value: String?
        let from, to: WallTime?
        let words: String
    }

    /// What would have recorded the moment.
    struct Remedy: Encodable {
        let kind: String
        let changes: [Step]
        let words: String
    }

    /// A detection that did not count.
    struct Suppressed: Encodable {
        let time: WallTime?
        let level: Int
        let why: Camera.Suppression
        let words: String
    }

    static let unknown = "unknown"

    let camera: String
    let time: WallTime
    let label: String
    let source: String
    let rule: String?
    let from, to: WallTime?
    let clip, event: Int64?
    let machineLabel: Coverage?
    let failed: [Failed]
    let suppressed: [Suppressed]
    let remedy: Remedy
    let remarks: [String]
    let moment: MomentAnswer?

    private let account: [String]

    private enum CodingKeys: String, CodingKey {
        case camera, time, label, source, rule, from, to, clip, event, machineLabel, failed, suppressed, remedy, remarks
        case moment
    }

    /// `trouble` says why the trace could not be read.
    init(_ explanation: Explanation, _ entry: LedgerEntry?, _ clock: DisplayClock, without trouble: String? = nil) {
        let narrator = clock.narrator
        // The daemon knows more of the moment than that it did not run, and the last that was read is a stop: what it does is not in
        // this journal.
        let isElsewhere =
            entry?.stretch.label.map { $0 != .recorderDown } ?? false && explanation.machineLabel == .recorderDown
            && explanation.stretch == nil
        let explanation =
            isElsewhere ? Explainer(camera: explanation.camera, wallMs: explanation.wallMs).explanation : explanation
        camera = explanation.camera
        time = WallTime(ms: explanation.wallMs)
        machineLabel = explanation.machineLabel
        clip = entry?.clip
        event = entry?.event
        rule = entry?.stretch.rule
        if let entry {
            source = "catalog"
            label = entry.stretch.label?.rawValue ?? CoverageReport.notConfigured
            (from, to) = entry.isWhole ? (entry.stretch.from, entry.stretch.to) : (nil, nil)
        } else {
            source = "trace"
            if case .known(let known) = explanation.label { label = known.rawValue } else { label = Self.unknown }
            from = explanation.stretch.map { WallTime(ms: $0.lowerBound) }
            to = explanation.stretch.map { WallTime(ms: $0.upperBound) }
        }
        let isOver = label == Coverage.recorded.rawValue || entry != nil && entry?.stretch.label == nil
        failed = isOver ? [] : explanation.failed.map { Failed(condition: $0, words: narrator.words($0)) }
        suppressed =
            isOver
            ? []
            : explanation.suppressed.compactMap { wallMs, notice in
                notice.why.map {
                    Suppressed(
                        time: wallMs.map { WallTime(ms: $0) }, level: notice.level.rawValue, why: $0,
                        words: Narrator.words($0))
                }
            }
        remedy = Remedy(explanation, entry, narrator)
        var remarks = isOver ? [] : narrator.remarks(explanation)
        if let trouble { remarks.append("the trace cannot be read: \(trouble)") }
        if trouble == nil, case .unknown(let why) = explanation.label {
            remarks.append((entry == nil ? "" : "the trace tells no more: ") + Narrator.words(why))
        }
        if entry == nil, label == Coverage.recorded.rawValue {
            remarks.append("no daemon was asked: whether it was deleted since is not known")
        }
        if entry == nil, label == Self.unknown { remarks.append("no daemon was asked, whose catalog may know more") }
        self.remarks = remarks
        moment = explanation.moment.replay == nil ? nil : MomentAnswer(explanation.moment, clock)
        account = explanation.moment.replay?.machine == nil ? [] : narrator.account(explanation.moment)
    }

    /// The answer for people.
    func text(_ clock: DisplayClock) -> String {
        var head = "\(camera) at \(clock.show(time)): \(label)"
        if let rule { head += " by rule \(rule)" }
        if let from, let to { head += ", from \(clock.show(from)) to \(clock.show(to))" }
        if let clip { head += ", in clip \(clip)" }
        if let event { head += ", during event \(event)" }
        var lines = [head]
        lines += failed.map { "  because " + $0.words }
        for detection in suppressed.suffix(Self.suppressedMax) {
            let time = detection.time.map(clock.show) ?? "near it"
            lines.append("    \(time) a detection of level \(detection.level): \(detection.words)")
        }
        if suppressed.count > Self.suppressedMax {
            lines.append("    and \(suppressed.count - Self.suppressedMax) detections before that did not count")
        }
        lines.append("  " + remedy.words)
        lines += remarks.map { "  " + $0 }
        return (lines + account).joined(separator: "\n")
    }

    private static let suppressedMax = 8
}

extension WhyAnswer.Remedy {
    init(_ explanation: Explanation, _ entry: LedgerEntry?, _ narrator: Narrator) {
        switch (entry?.stretch.label, explanation.remedy) {
        case (.recorded?, _): self.init(kind: "none", changes: [], words: "it was recorded")
        case (.deleted?, _):
            let rule = entry?.stretch.rule ?? ""
            self.init(kind: "retention", changes: [], words: "it was recorded, and deleted since by the rule \(rule)")
        case (nil, _) where entry != nil:
            self.init(kind: "noPolicy", changes: [], words: "the camera was not configured")
        case (_, .change(let changes)):
            self.init(
                kind: "change", changes: changes.map { WhyAnswer.Step($0, explanation, narrator) },
                words: narrator.remedy(explanation))
        case (.some, .none):
            self.init(kind: "undecided", changes: [], words: "the trace tells of a clip that the catalog does not have")
        case (nil, .none): self.init(kind: "none", changes: [], words: narrator.remedy(explanation))
        case (_, .noPolicy): self.init(kind: "noPolicy", changes: [], words: narrator.remedy(explanation))
        case (_, .undecided): self.init(kind: "undecided", changes: [], words: narrator.remedy(explanation))
        case (_, .unknown): self.init(kind: "unknown", changes: [], words: narrator.remedy(explanation))
        }
    }
}

extension WhyAnswer.Step {
    init(_ change: Change, _ explanation: Explanation, _ narrator: Narrator) {
        words = narrator.words(change, explanation)
        var times: Range<Int64>?
        switch change {
        case .enable: (self.change, value) = ("enabled", "true")
        case .privacyOff: (self.change, value) = ("privacy", "off")
        case .sensitivity(let sensitivity): (self.change, value) = ("sensitivity", "\(sensitivity.rawValue)")
        case .maxLength(let ms): (self.change, value) = ("maxEventLength", "\(ms / 1_000)s")
        case .noBlindTime: (self.change, value) = ("blind", "0s")
        case .preRoll(let ms): (self.change, value) = ("preRoll", "\(ms / 1_000)s")
        case .anywhere: (self.change, value) = ("zones", "anywhere")
        case .alwaysConnected: (self.change, value) = ("connection", Connection.always.rawValue)
        case .mode(let mode, let interval):
            (self.change, value) = ("mode", mode.rawValue)
            times = interval == nil ? nil : explanation.interval
        }
        from = times.map { WallTime(ms: $0.lowerBound) }
        to = times.map { WallTime(ms: $0.upperBound) }
    }
}
