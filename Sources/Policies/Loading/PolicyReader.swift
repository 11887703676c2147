import Machines

/// Makes a ``PolicyDocument`` of a policy file's text.
struct PolicyReader {
    private let item: Item
    private var checker: Checker

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
        let name = item["name"]
        guard !checker.hasErrors else { return Outcome(document: nil, name: name, diagnostics: checker.diagnostics) }
        var reader = PolicyReader(item: item, checker: checker)
        let document = reader.document(file: file, bytes: bytes)
        return Outcome(
            document: reader.checker.hasErrors ? nil : document, name: name, diagnostics: reader.checker.diagnostics)
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

    private init(item: Item, checker: Checker) {
        self.item = item
        self.checker = checker
    }

    // Everything is checked by now, so a value that is missing was left out and has its default.
    private mutating func document(file: String, bytes: [UInt8]) -> PolicyDocument? {
        guard let name = item["name"]?.text else { return nil }
        let document = PolicyDocument(
            name: name, summary: item["description"]?.text, recording: recording(),
            schedule: (item["schedule"]?.elements ?? []).compactMap(entry), retention: retention(), file: file,
            revision: SHA256.revision(bytes), text: String(decoding: bytes, as: UTF8.self))
        checkTimes(document)
        checkUse(document)
        return document
    }

    private func recording() -> RecordingRules {
        let section = item["recording"]
        let standard = TimeControl()
        let connection = section?["connection"]?.text.flatMap(Connection.init) ?? .always
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

    private func retention() -> RetentionRules {
        let section = item["retention"]
        return RetentionRules(
            continuousMs: section?.milliseconds("continuous"), eventsMs: section?.milliseconds("events"),
            maxBytes: section?["maxSize"]?.text.flatMap(SizeText.bytes))
    }

    /// 1 s <= initial <= max event length must hold at every moment of the week, also where entries overlap.
    private mutating func checkTimes(_ document: PolicyDocument) {
        let all = TimesProblem.find(in: document)
        for problem in all {
            let place: Place
            let path: String
            if let index = problem.entry, let elements = item["schedule"]?.elements, elements.indices.contains(index) {
                place =
                    elements[index].entry("initial")?.value.place ?? elements[index].entry("maxEventLength")?.value
                    .place ?? elements[index].place
                path = "schedule[\(index)]"
            } else {
                let section = item["recording"]
                place =
                    section?.entry("maxEventLength")?.value.place ?? section?.entry("initial")?.value.place
                    ?? item.place
                path = "recording.maxEventLength"
            }
            let initial = DurationText.text(milliseconds: problem.times.initialMs)
            let longest = DurationText.text(milliseconds: problem.times.maxMs)
            checker.error(
                place, path,
                "the initial \(initial) is longer than the maxEventLength \(longest)\(problem.whenInWords)",
                "set initial to \(longest) or less, or a longer maxEventLength")
        }
    }

    /// What is allowed, and probably not meant.
    private mutating func checkUse(_ document: PolicyDocument) {
        let rules = document.recording
        if let blind = item["recording"]?.entry("blind"), rules.timeControl.blindMs > rules.timeControl.maxMs {
            checker.warning(
                blind.value.place, "recording.blind",
                "after an event of at most \(DurationText.text(milliseconds: rules.timeControl.maxMs)) the camera is blind for \(DurationText.text(milliseconds: rules.timeControl.blindMs)): more is missed than recorded",
                "shorten blind, or use a longer maxEventLength")
        }
        if let augmentation = item["recording"]?.entry("augmentation"),
            rules.timeControl.augmentationMs > rules.timeControl.maxMs
        {
            checker.warning(
                augmentation.value.place, "recording.augmentation",
                "longer than maxEventLength, so one movement more always fills the event up",
                "shorten augmentation")
        }
        if rules.connection == .onDemand, let preRoll = item["recording"]?.entry("preRoll"), rules.preRollMs > 0 {
            checker.warning(
                preRoll.value.place, "recording.preRoll",
                "a camera that is connected on demand has no picture from before the event",
                "remove preRoll, or set connection: always")
        }
        for (index, element) in (item["schedule"]?.elements ?? []).enumerated() {
            let keys = (element.entries ?? []).map(\.key)
            if keys.allSatisfy({ ["days", "from", "to"].contains($0) }) {
                checker.warning(
                    element.place, "schedule[\(index)]", "the entry changes nothing",
                    "add a key such as mode, or remove the entry")
            }
        }
    }
}

extension Item {
    /// The duration of a key, in milliseconds.
    fileprivate func milliseconds(_ key: String) -> Int64? { self[key]?.text.flatMap(DurationText.milliseconds) }

    /// The names of the key `zones`, nil for YAML's null.
    fileprivate var zones: [String?]? { self["zones"]?.elements?.map { $0.isEmpty ? nil : $0.text } }
}

/// A moment of the week at which the initial duration exceeds the max event length.
private struct TimesProblem {
    /// The last schedule entry that sets one of the two; nil when the recording section does.
    let entry: Int?
    let times: TimeControl
    /// nil when it holds without any schedule.
    let minuteOfWeek: Int?

    var whenInWords: String {
        guard let minute = minuteOfWeek else { return "" }
        return
            " on \(Days.names[minute / Days.minutesPerDay]) at \(ClockText.text(minute: minute % Days.minutesPerDay))"
    }

    /// One problem for each entry concerned.
    static func find(in document: PolicyDocument) -> [TimesProblem] {
        let base = document.recording.timeControl
        if base.initialMs > base.maxMs { return [TimesProblem(entry: nil, times: base, minuteOfWeek: nil)] }
        var found: [Int: TimesProblem] = [:]
        for minute in document.boundaryMinutes {
            let times = document.policy(atMinuteOfWeek: minute).timeControl
            guard times.initialMs > times.maxMs else { continue }
            let entry = document.schedule.indices.last { index in
                let entry = document.schedule[index]
                return (entry.initialMs != nil || entry.maxEventLengthMs != nil) && entry.covers(minuteOfWeek: minute)
            }
            if let entry, found[entry] == nil {
                found[entry] = TimesProblem(entry: entry, times: times, minuteOfWeek: minute)
            }
        }
        return found.keys.sorted().compactMap { found[$0] }
    }
}
