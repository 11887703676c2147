internal import Journal
internal import Server

extension DaemonSite {
    func journal(of cameras: [String]?) async throws -> JournalFeed {
        for camera in cameras ?? [] { try await check(camera) }
        return feed
    }
}

extension JournalFeed {
    /// A feed of everything that `journal` is told from now on.
    convenience init(following journal: Journal) {
        self.init(run: journal.run.value)
        journal.follow { [weak self] in self?.add(JournalRecord($0)) }
    }
}

extension JournalRecord {
    /// A record of the journal as the interface shows it.
    init(_ told: ToldMessage) {
        self.init(
            time: WallTime(ms: told.wallMs), kind: told.kind.name, priority: told.priority.word, camera: told.camera,
            message: told.text,
            fields: Dictionary(told.fields.map { ($0.0.rawValue, $0.1) }, uniquingKeysWith: { first, _ in first }))
    }
}
