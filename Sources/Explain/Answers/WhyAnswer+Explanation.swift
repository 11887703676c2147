internal import Machines
public import Replay
public import Server

extension WhyAnswer {
    /// What is told of an explanation, where the catalog has an entry by that. `trouble` says why the trace could not be read.
    public init(
        _ explanation: Explanation, _ entry: LedgerEntry?, _ narrator: Narrator, without trouble: String? = nil
    ) {
        // The daemon knows more of the moment than that it did not run, and the last that was read is a stop: what it does is not in
        // this trace.
        let isElsewhere =
            entry?.stretch.label.map { $0 != .recorderDown } ?? false && explanation.machineLabel == .recorderDown
            && explanation.stretch == nil
        let explanation =
            isElsewhere ? Explainer(camera: explanation.camera, wallMs: explanation.wallMs).explanation : explanation
        let label = Self.label(explanation, entry)
        let isOver = label == Coverage.recorded.rawValue || entry != nil && entry?.stretch.label == nil
        let stretch = Self.stretch(explanation, entry)
        self.init(
            camera: explanation.camera, time: WallTime(ms: explanation.wallMs), label: label,
            source: entry == nil ? "trace" : "catalog", rule: entry?.stretch.rule, from: stretch?.from,
            to: stretch?.to, clip: entry?.clip, event: entry?.event, machineLabel: explanation.machineLabel,
            failed: isOver
                ? [] : explanation.failed.map { Failed(condition: $0.rawValue, words: narrator.words($0)) },
            suppressed: isOver ? [] : Self.suppressed(explanation),
            remedy: Remedy(explanation, entry, narrator),
            remarks: (isOver ? [] : narrator.remarks(explanation)) + Self.ignorance(explanation, entry, label, trouble),
            moment: explanation.moment.replay == nil ? nil : MomentAnswer(explanation.moment, narrator))
    }

    private static func label(_ explanation: Explanation, _ entry: LedgerEntry?) -> String {
        if let entry { return entry.stretch.label?.rawValue ?? CoverageReport.notConfigured }
        if case .known(let known) = explanation.label { return known.rawValue }
        return unknown
    }

    private static func stretch(_ explanation: Explanation, _ entry: LedgerEntry?) -> (from: WallTime, to: WallTime)? {
        if let entry { return entry.isWhole ? (entry.stretch.from, entry.stretch.to) : nil }
        return explanation.stretch.map { (WallTime(ms: $0.lowerBound), WallTime(ms: $0.upperBound)) }
    }

    private static func suppressed(_ explanation: Explanation) -> [Suppressed] {
        explanation.suppressed.compactMap { wallMs, notice in
            notice.why.map {
                Suppressed(
                    time: wallMs.map { WallTime(ms: $0) }, level: notice.level.rawValue, why: $0,
                    words: Narrator.words($0))
            }
        }
    }

    /// What the trace and the catalog do not tell.
    private static func ignorance(
        _ explanation: Explanation, _ entry: LedgerEntry?, _ label: String, _ trouble: String?
    ) -> [String] {
        var remarks: [String] = []
        if let trouble { remarks.append("the trace cannot be read: \(trouble)") }
        if trouble == nil, case .unknown(let why) = explanation.label {
            remarks.append((entry == nil ? "" : "the trace tells no more: ") + Narrator.words(why))
        }
        if entry == nil, label == Coverage.recorded.rawValue {
            remarks.append("no daemon was asked: whether it was deleted since is not known")
        }
        if entry == nil, label == unknown { remarks.append("no daemon was asked, whose catalog may know more") }
        return remarks
    }
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
        let (key, value): (String, String) =
            switch change {
            case .enable: ("enabled", "true")
            case .privacyOff: ("privacy", "off")
            case .sensitivity(let sensitivity): ("sensitivity", "\(sensitivity.rawValue)")
            case .maxLength(let ms): ("maxEventLength", "\(ms / 1_000)s")
            case .noBlindTime: ("blind", "0s")
            case .preRoll(let ms): ("preRoll", "\(ms / 1_000)s")
            case .anywhere: ("zones", "anywhere")
            case .alwaysConnected: ("connection", ConnectionMode.always.rawValue)
            case .mode(let mode, _): ("mode", mode.rawValue)
            }
        var times: Range<Int64>?
        if case .mode(_, .some) = change { times = explanation.interval }
        self.init(
            change: key, value: value, from: times.map { WallTime(ms: $0.lowerBound) },
            to: times.map { WallTime(ms: $0.upperBound) }, words: narrator.words(change, explanation))
    }
}
