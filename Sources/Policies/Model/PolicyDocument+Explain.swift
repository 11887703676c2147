import Machines

extension PolicyDocument {
    /// The policy in words, one line for each statement, for `vigil policy show`.
    public func explain() -> [String] {
        var lines = ["\(name)" + (summary.map { ": \($0)" } ?? "")]
        lines.append((schedule.isEmpty ? "Always: " : "Unless the schedule says otherwise: ") + recording.inWords)
        lines += schedule.map(explain)
        if schedule.count > 1 { lines.append("Where these times overlap, the one further down holds.") }
        lines.append(connectionInWords)
        lines.append(retentionInWords)
        lines += cloudInWords
        lines += notify.map(\.inWords)
        return lines
    }

    /// An entry with the values that hold in it when no other entry does.
    private func explain(_ entry: ScheduleEntry) -> String {
        var rules = recording
        rules.apply(entry)
        let overNight = entry.toMinute <= entry.fromMinute && entry.toMinute > 0
        let wholeDay = entry.lengthMinutes == Days.minutesPerDay && entry.fromMinute == 0
        let from = ClockText.text(minute: entry.fromMinute)
        let to = ClockText.text(minute: entry.toMinute == 0 ? Days.minutesPerDay : entry.toMinute)
        let when = wholeDay ? "all day" : "\(from)–\(to)\(overNight ? " (next day)" : "")"
        return "\(entry.days.inWords) \(when): \(rules.inWords)"
    }

    private var connectionInWords: String {
        switch recording.connection {
        case .always: "The camera stays connected whenever recording is wanted."
        case .onDemand: "The camera is connected only for an event, a viewer or continuous recording."
        }
    }

    /// What is sent to the cloud; no line where nothing is.
    private var cloudInWords: [String] {
        let what: String
        switch cloud.upload {
        case .none: return []
        case .all: what = "all clips"
        case .events:
            let causes = cloud.causes.map(\.rawValue).sorted().joined(separator: ", ")
            let levels = cloud.levels.sorted { $0.rawValue < $1.rawValue }.map { "\($0.rawValue)" }
            what =
                "clips with events" + (causes.isEmpty ? "" : " begun by \(causes)")
                + (levels.isEmpty ? "" : " (of level \(levels.joined(separator: ", ")))")
        }
        let live = cloud.isLive ? ", each while it is recorded" : ""
        let kept = cloud.retentionMs.map { "for \(DurationText.inWords($0))" } ?? "as long as the plan holds"
        let sent = "Sends \(what) to the cloud\(live), and keeps them there \(kept)."
        let sizes = cloud.encode.renditions.map { "\($0.heightMax)p (\($0.kilobits) kbit/s)" }
        let encoded =
            sizes.isEmpty
            ? [] : ["Makes copies of them there that every browser plays: \(sizes.joined(separator: ", "))."]
        guard cloud.keepLocal == .untilUploaded else { return [sent] + encoded }
        return [sent] + encoded + ["No rule deletes the local copy of these before its upload is verified."]
    }

    private var retentionInWords: String {
        var parts: [String] = []
        if let age = retention.continuousMs { parts.append("continuous recordings for \(DurationText.inWords(age))") }
        if let age = retention.eventsMs { parts.append("events for \(DurationText.inWords(age))") }
        let kept = parts.isEmpty ? "Keeps recordings of any age" : "Keeps " + parts.joined(separator: ", ")
        guard let size = retention.maxBytes else { return kept + "." }
        return kept + "; at most \(SizeText.text(bytes: size)) for each camera, the oldest goes first."
    }
}

extension RecordingRules {
    /// What is recorded, as the rest of a sentence.
    fileprivate var inWords: String {
        let sensitivityInWords =
            switch sensitivity {
            case .low: "low"
            case .medium: "medium"
            case .high: "high"
            }
        let noticed = sensitivityInWords + zonesInWords
        let times = timeControl
        let event = "events of at most \(DurationText.inWords(times.maxMs))"
        let blind = times.blindMs > 0 ? ", then blind for \(DurationText.inWords(times.blindMs))" : ""
        switch mode {
        case .off: return "records nothing."
        case .continuous:
            return
                "records always, in clips of \(DurationText.inWords(clipLengthMs)); marks movement (\(noticed)) as \(event)\(blind)."
        case .event:
            let preRoll = preRollMs > 0 ? "\(DurationText.inWords(preRollMs)) of pre-roll" : "no pre-roll"
            let length =
                "\(DurationText.inWords(times.initialMs)) from the first movement and \(DurationText.inWords(times.augmentationMs)) for each further one"
            return "records while something moves (\(noticed)), \(event) (\(length)), \(preRoll)\(blind)."
        }
    }
}

extension RecordingRules {
    /// `, in door or outside every zone`; nothing for anywhere.
    private var zonesInWords: String {
        guard !zones.isEmpty else { return "" }
        let names = zones.compactMap { $0 }
        let inside = names.isEmpty ? [] : ["in " + names.joined(separator: ", ")]
        return ", " + (inside + (zones.contains(nil) ? ["outside every zone"] : [])).joined(separator: " or ")
    }
}

extension Days {
    /// `Mon–Fri`, `Sat, Sun`, `Every day`.
    var inWords: String {
        if self == .daily { return "Every day" }
        var runs: [(first: Int, last: Int)] = []
        for index in indices {
            if let last = runs.last, last.last == index - 1 {
                runs[runs.count - 1].last = index
            } else {
                runs.append((index, index))
            }
        }
        // A run at the end of the week goes on at its beginning: Fri–Mon.
        if runs.count > 1, let first = runs.first, let last = runs.last, first.first == 0, last.last == 6 {
            runs[runs.count - 1].last = first.last
            runs.removeFirst()
        }
        return runs.map { run in
            let first = Self.names[run.first].capitalizedFirst
            let last = Self.names[run.last].capitalizedFirst
            let length = (run.last - run.first + 7) % 7
            return length == 0 ? first : (length == 1 ? "\(first), \(last)" : "\(first)–\(last)")
        }.joined(separator: ", ")
    }
}

extension DurationText {
    /// `60 s`, `10 min`, `7 days`: the largest unit that divides it, with a minute and a day written as people say them.
    static func inWords(_ milliseconds: Int64) -> String {
        if milliseconds > 0, milliseconds % 86_400_000 == 0 {
            let days = milliseconds / 86_400_000
            return days == 1 ? "1 day" : "\(days) days"
        }
        if milliseconds % 1_000 == 0, milliseconds <= 180_000 { return "\(milliseconds / 1_000) s" }
        if milliseconds % 3_600_000 == 0 { return "\(milliseconds / 3_600_000) h" }
        if milliseconds % 60_000 == 0 { return "\(milliseconds / 60_000) min" }
        return text(milliseconds: milliseconds)
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
