internal import Journal
internal import Server
internal import Synchronization

/// Tells the journal who looked at pictures and who took recordings away: each export, up to 60 in a minute of one user or token,
/// and how many there were beyond them; and of looking the first time in ten minutes for each camera and user or token, since a page
/// asks for pictures all the time. What is remembered is bounded.
final class AuditNotes: Sendable {
    /// How long looking on is not told again, in milliseconds.
    static let pauseMs: Int64 = 600_000
    /// The most that is remembered of who looked at what; beyond that looking is told more often.
    static let rememberedMax = 4_096

    /// The most exports of one user or token that are told in a minute.
    static let exportsMax = 60

    /// Exports of one user or token in a minute.
    private struct Exports {
        var minute: Int64
        var count = 0
    }

    private struct Key: Hashable {
        let account: String
        let camera: String?
    }

    private let journal: Journal
    private let seen = Mutex<[Key: Int64]>([:])
    private let exports = Mutex<[String: Exports]>([:])

    init(journal: Journal) { self.journal = journal }

    /// Tells of `note`, unless it is of looking on. `now` in milliseconds of a clock that is never set.
    func take(_ note: AuditNote, now: Int64) {
        var fields: [(Field, String)] = [(.user, "\(note.caller)"), (.request, String(note.request.prefix(400)))]
        if note.isExport {
            guard let untold = exported(by: note.caller.account, now) else { return }
            if untold > 0 { fields.append((.count, "\(untold)")) }
            return journal.send(.recordingExported, camera: note.camera, fields: fields)
        }
        guard isNew(Key(account: note.caller.account, camera: note.camera), now) else { return }
        journal.send(.picturesViewed, camera: note.camera, fields: fields)
    }

    /// How many exports before this one were not told; nil where this one is not either.
    func exported(by account: String, _ now: Int64) -> Int? {
        exports.withLock { exports in
            if exports.count >= Self.rememberedMax, exports[account] == nil { exports.removeAll() }
            var of = exports[account] ?? Exports(minute: now / 60_000)
            defer { exports[account] = of }
            let isSame = of.minute == now / 60_000
            let untold = isSame ? 0 : max(0, of.count - Self.exportsMax)
            if !isSame { of = Exports(minute: now / 60_000) }
            of.count += 1
            return of.count <= Self.exportsMax ? untold : nil
        }
    }

    private func isNew(_ key: Key, _ now: Int64) -> Bool {
        seen.withLock { seen in
            if let at = seen[key], now - at < Self.pauseMs { return false }
            if seen.count >= Self.rememberedMax {
                seen = seen.filter { now - $0.value < Self.pauseMs }
                if seen.count >= Self.rememberedMax { seen.removeAll() }
            }
            seen[key] = now
            return true
        }
    }
}
