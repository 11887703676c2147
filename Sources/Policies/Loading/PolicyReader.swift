internal import Hashing
import Machines

/// Makes a ``PolicyDocument`` of a policy file's text.
struct PolicyReader {
    private let item: Item

    /// What came of one file.
    struct Outcome {
        /// The document; nil when the findings hold an error.
        let document: PolicyDocument?
        /// The place and text of its name, where it could be read at all.
        let name: Item?
        let diagnostics: [Diagnostic]
    }

    /// Reads a policy file's bytes.
    static func read(_ bytes: [UInt8], file: String) -> Outcome {
        let item: Item
        do {
            item = try YAMLReader.read(bytes, file: file)
        } catch {
            return Outcome(document: nil, name: nil, diagnostics: error.diagnostics)
        }
        var checker = Checker(file: file)
        checker.check(item, keys: Key.policy, path: "")
        for (number, rule) in (item["notify"]?.elements ?? []).enumerated() {
            guard let on = rule["on"]?.elements, rule["labels"] != nil, !on.contains(where: { $0.text == "begin" })
            else {
                continue
            }
            checker.error(
                rule["on"]?.place ?? rule.place, "notify[\(number)].on", "an end is told only where the label was",
                "write on: [ begin, end ], or remove labels")
        }
        let name = item["name"]
        guard !checker.hasErrors else { return Outcome(document: nil, name: name, diagnostics: checker.diagnostics) }
        let document = PolicyReader(item: item).document(file: file, bytes: bytes)
        let found = document.map(Examiner.alone) ?? []
        return Outcome(
            document: found.contains { $0.severity == .error } ? nil : document, name: name,
            diagnostics: checker.diagnostics + found)
    }

    /// The sensitivity that a text names.
    static func sensitivity(_ text: String) -> Sensitivity? {
        switch text {
        case "1", "low": .low
        case "5", "medium": .medium
        case "10", "high": .high
        default: nil
        }
    }

    private init(item: Item) { self.item = item }

    // Everything is checked by now, so a value that is missing was left out and has its default.
    private func document(file: String, bytes: [UInt8]) -> PolicyDocument? {
        guard let name = item["name"]?.text else { return nil }
        return PolicyDocument(
            name: name, summary: item["description"]?.text, recording: recording(),
            schedule: (item["schedule"]?.elements ?? []).compactMap(entry), retention: retention(), cloud: cloud(),
            notify: (item["notify"]?.elements ?? []).map(notifyRule), file: file, revision: SHA256.revision(bytes),
            text: String(decoding: bytes, as: UTF8.self))
    }

    private func recording() -> RecordingRules {
        let section = item["recording"]
        let standard = TimeControl()
        let connection = section?["connection"]?.text.flatMap(ConnectionMode.init) ?? .always
        return RecordingRules(
            mode: section?["mode"]?.text.flatMap(Mode.init) ?? .event,
            sensitivity: section?["sensitivity"]?.text.flatMap(Self.sensitivity) ?? .medium,
            zones: section?.zones ?? [],
            timeControl: TimeControl(
                initialMs: section?.milliseconds("initial") ?? standard.initialMs,
                augmentationMs: section?.milliseconds("augmentation") ?? standard.augmentationMs,
                maxMs: section?.milliseconds("maxEventLength") ?? standard.maxMs,
                blindMs: section?.milliseconds("blind") ?? standard.blindMs),
            preRollMs: section?.milliseconds("preRoll") ?? (connection == .always ? 5_000 : 0),
            clipLengthMs: section?.milliseconds("clipLength") ?? 600_000, connection: connection)
    }

    private func entry(_ item: Item) -> ScheduleEntry? {
        guard let daysText = item["days"]?.text, let days = try? DaysText.parse(daysText),
            let fromText = item["from"]?.text, let from = try? ClockText.parse(fromText, midnightEnds: false),
            let toText = item["to"]?.text, let to = try? ClockText.parse(toText, midnightEnds: true)
        else { return nil }
        return ScheduleEntry(
            days: days, fromMinute: from, toMinute: to, mode: item["mode"]?.text.flatMap(Mode.init),
            sensitivity: item["sensitivity"]?.text.flatMap(Self.sensitivity), zones: item.zones,
            maxEventLengthMs: item.milliseconds("maxEventLength"), initialMs: item.milliseconds("initial"),
            augmentationMs: item.milliseconds("augmentation"), blindMs: item.milliseconds("blind"),
            preRollMs: item.milliseconds("preRoll"))
    }

    private func cloud() -> CloudRules {
        let section = item["cloud"]
        let standard = CloudRules()
        return CloudRules(
            upload: section?["upload"]?.text.flatMap(CloudRules.Upload.init) ?? standard.upload,
            levels: Set((section?["levels"]?.elements ?? []).compactMap { $0.text.flatMap(Self.sensitivity) }),
            causes: Set((section?["causes"]?.elements ?? []).compactMap { $0.text.flatMap(ClipCause.init) }),
            keepLocal: section?["keepLocal"]?.text.flatMap(CloudRules.KeepLocal.init) ?? standard.keepLocal,
            isLive: section?["live"]?.text == "true",
            encode: section?["encode"]?.text.flatMap(CloudRules.Encode.init) ?? standard.encode,
            retentionMs: section?.milliseconds("retention"))
    }

    private func notifyRule(_ item: Item) -> NotifyRule {
        let moments = (item["on"]?.elements ?? []).compactMap { $0.text.flatMap(NotifyRule.Moment.init) }
        return NotifyRule(
            receivers: (item["to"]?.elements ?? []).compactMap(\.text),
            moments: item["on"] == nil ? [.begin] : Set(moments),
            causes: Set((item["causes"]?.elements ?? []).compactMap { $0.text.flatMap(ClipCause.init) }),
            levels: Set((item["levels"]?.elements ?? []).compactMap { $0.text.flatMap(Self.sensitivity) }),
            labels: Set((item["labels"]?.elements ?? []).compactMap(\.text)),
            quiet: (item["quiet"]?.elements ?? []).compactMap(WeekHours.init),
            atMostEveryMs: item.milliseconds("atMostEvery") ?? 0)
    }

    private func retention() -> RetentionRules {
        let section = item["retention"]
        return RetentionRules(
            continuousMs: section?.milliseconds("continuous"), eventsMs: section?.milliseconds("events"),
            maxBytes: section?["maxSize"]?.text.flatMap(SizeText.bytes))
    }
}

extension Item {
    /// The duration of a key, in milliseconds.
    fileprivate func milliseconds(_ key: String) -> Int64? { self[key]?.text.flatMap(DurationText.milliseconds) }

    /// The names of the key `zones`, nil for YAML's null.
    fileprivate var zones: [String?]? { self["zones"]?.elements?.map { $0.isEmpty ? nil : $0.text } }
}
