public import Wire

/// What becomes of a session: how it stands when one begins to look, then after each report of its machine, such as the end of a
/// clip or privacy. It is over with the report that the session has ended.
public struct SessionReports: AsyncSequence, Sendable {
    /// A report.
    public struct Report: Hashable, Sendable {
        /// What the journal says of it; nil of the first.
        public let record: JournalRecord?
        /// The session as it stood shortly after.
        public let session: SessionInfo
    }

    /// The iterator.
    public struct Iterator: AsyncIteratorProtocol {
        private let session: CameraSession
        private var feed: JournalFeed.Iterator
        private var isFirst = true
        private var isOver = false

        init(_ session: CameraSession) {
            self.session = session
            feed = session.vigil.journal(cameras: [session.camera]).makeAsyncIterator()
        }

        /// The next report; nil when the session has ended.
        public mutating func next() async throws -> Report? {
            if isOver { return nil }
            if isFirst {
                // Connected first, so that an end between the two is told by one of them.
                try await feed.connect()
                isFirst = false
                return try await report(nil)
            }
            while let item = try await feed.next() {
                guard case .record(let record, _) = item, record.fields["VIGIL_SESSION"] == session.id else { continue }
                return try await report(record)
            }
            return nil
        }

        private mutating func report(_ record: JournalRecord?) async throws -> Report {
            let info = try await session.info()
            isOver = info.phase == "ended"
            return Report(record: record, session: info)
        }
    }

    let session: CameraSession

    /// Begins.
    public func makeAsyncIterator() -> Iterator { Iterator(session) }
}

extension CameraSession {
    /// What becomes of the session.
    public nonisolated var reports: SessionReports { SessionReports(session: self) }
}
