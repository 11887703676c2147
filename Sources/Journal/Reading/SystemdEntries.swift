internal import CSystemd
internal import Trace

/// Entries of the journal itself, by sd_journal(3), narrowed by matches. Blocking.
final class SystemdEntries: JournalEntrySource {
    private let journal: OpaquePointer
    private let untilUsec: UInt64?
    private var count = 0
    var torn: TornEnd? { nil }

    /// The trace of the machines, and what is told of cameras where the query asks for it: its fields for camera and boot are not
    /// those of the steps, so these are left to the caller then.
    convenience init(_ query: TraceQuery, directory: String?) throws {
        guard !query.withTold else {
            var whole = query
            whole.boot = nil
            let kinds = [.machineStep, .journalLost] + MessageKind.ofCameraSteps.sorted { $0.id < $1.id }
            try self.init(kinds: kinds, whole, directory: directory)
            try seek(query)
            return
        }
        try self.init(kinds: [.machineStep], query, directory: directory)
        if let camera = query.camera { try match(Field.trace.rawValue, camera) }
        try seek(query)
    }

    /// Records of these kinds. The query's camera is left to the caller.
    convenience init(recordsOf kinds: [MessageKind], _ query: TraceQuery) throws {
        try self.init(kinds: kinds, query, directory: nil)
        try seek(query)
    }

    private init(kinds: [MessageKind], _ query: TraceQuery, directory: String?) throws {
        var opened: OpaquePointer?
        let result =
            if let directory {
                sd_journal_open_directory(&opened, directory, 0)
            } else {
                sd_journal_open(&opened, 0)
            }
        guard result >= 0, let opened else {
            throw JournalError.journalUnreadable(
                operation: "open the journal\(directory.map { " in \($0)" } ?? "")", errno: -result)
        }
        journal = opened
        untilUsec = query.untilMs.map(Self.microseconds)
        // Values come whole: a state may be longer than the library's default.
        try check(sd_journal_set_data_threshold(journal, 0), "set the length of values in the journal")
        // Several values of one field: any of them.
        for kind in kinds { try match("MESSAGE_ID", kind.id) }
        // A part of an id is left to the caller.
        if let run = query.run, run.utf8.count == 32 { try match(Field.run.rawValue, run) }
        if let boot = query.boot, boot.utf8.count == 32 { try match(Field.boot.rawValue, boot) }
    }

    private func seek(_ query: TraceQuery) throws {
        if let since = query.sinceMs {
            try check(sd_journal_seek_realtime_usec(journal, Self.microseconds(since)), "seek in the journal")
        } else {
            try check(sd_journal_seek_head(journal), "seek in the journal")
        }
    }

    deinit { sd_journal_close(journal) }

    func next() throws -> JournalEntry? {
        guard try check(sd_journal_next(journal), "go on in the journal") > 0 else { return nil }
        var usec: UInt64 = 0
        try check(sd_journal_get_realtime_usec(journal, &usec), "read the time of an entry")
        if let untilUsec, usec > untilUsec { return nil }
        count += 1
        var entry = JournalEntry(line: count)
        // As journalctl's formats name it.
        entry.add(JournalEntry.realtime, .bytes(Array("\(usec)".utf8)))
        sd_journal_restart_data(journal)
        var data: UnsafeRawPointer?
        var length = 0
        while try check(sd_journal_enumerate_available_data(journal, &data, &length), "read an entry") > 0 {
            guard let data else { break }
            let bytes = UnsafeRawBufferPointer(start: data, count: length)
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), JournalEntry.isWanted(bytes[..<equals])
            else { continue }
            let name = String(decoding: bytes[..<equals], as: UTF8.self)
            entry.add(name, .bytes(Array(bytes[(equals + 1)...])))
        }
        return entry
    }

    private func match(_ name: String, _ value: String) throws {
        let bytes = Array((name + "=" + value).utf8)
        try check(sd_journal_add_match(journal, bytes, bytes.count), "search the journal for \(name)")
    }

    @discardableResult
    private func check(_ result: Int32, _ operation: String) throws -> Int32 {
        guard result >= 0 else { throw JournalError.journalUnreadable(operation: operation, errno: -result) }
        return result
    }

    private static func microseconds(_ ms: Int64) -> UInt64 {
        UInt64(max(0, min(ms, .max / 1_000))) * 1_000
    }
}
