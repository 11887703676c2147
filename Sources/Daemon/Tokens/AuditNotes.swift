internal import Journal
internal import Server
internal import Synchronization

/// Tells the journal who looked at pictures and who took recordings away: each export, and of looking the first time in ten
/// minutes for each camera and user or token, since a page asks for pictures all the time. What is remembered is bounded.
final class AuditNotes: Sendable {
    /// How long looking on is not told again, in milliseconds.
    static let pauseMs: Int64 = 600_000
    /// The most that is remembered of who looked at what; beyond that looking is told more often.
    static let rememberedMax = 4_096

    private struct Key: Hashable {
        let account: String
        let camera: String?
    }

    private let journal: Journal
    private let seen = Mutex<[Key: Int64]>([:])

    init(journal: Journal) { self.journal = journal }

    /// Tells of `note`, unless it is of looking on. `now` in milliseconds of a clock that is never set.
    func take(_ note: AuditNote, now: Int64) {
        guard note.isExport || isNew(Key(account: note.caller.account, camera: note.camera), now) else { return }
        journal.send(
            note.isExport ? .recordingExported : .picturesViewed, camera: note.camera,
            fields: [(.user, "\(note.caller)"), (.request, String(note.request.prefix(400)))])
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
