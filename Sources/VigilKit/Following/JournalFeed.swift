internal import Foundation
internal import HTTPTypes
public import Wire

/// What happens at the site, as the journal says it (docs/reference/journal.md names the kinds), until it is let go.
///
/// Where the connection breaks, it is made anew, and goes on behind the last record; what is not kept any more by then is told as
/// ``Item/missed(_:)``. Throws ``VigilError/refused(_:)`` where the daemon refuses, such as for a token that was revoked.
public struct JournalFeed: AsyncSequence, Sendable {
    /// What comes.
    public enum Item: Hashable, Sendable {
        /// A record. With `id` one goes on behind it, also in another run of the program.
        case record(JournalRecord, id: String)
        /// So many records were left out, those of other cameras included; nil where the number is not known.
        case missed(Int?)
    }

    /// The longest pause before the connection is made anew.
    static let pauseMax = Duration.seconds(15)

    private struct Missed: Decodable { var records: Int? }

    let vigil: Vigil
    let query: [(String, String?)]
    let after: String?

    /// The iterator.
    public struct Iterator: AsyncIteratorProtocol {
        private let feed: JournalFeed
        private var last: String?
        private var body: ResponseBody.Iterator?
        private var events = ServerSentEvents()
        private var items: ArraySlice<Item> = []
        private var failures = 0

        init(_ feed: JournalFeed) { (self.feed, last) = (feed, feed.after) }

        /// What comes next; it is waited for.
        public mutating func next() async throws -> Item? {
            while true {
                try Task.checkCancellation()
                if let item = items.popFirst() { return item }
                do {
                    try await read()
                } catch let error as VigilError {
                    if case .refused(let refusal) = error, refusal.kind != .unavailable { throw error }
                    body = nil
                    failures += 1
                    try await Task.sleep(
                        for: Swift.min(JournalFeed.pauseMax, .milliseconds(250 << Swift.min(failures, 6))))
                }
            }
        }

        /// Connects, if it is not: what happens from then on is told.
        mutating func connect() async throws {
            guard body == nil else { return }
            let fields = last.map { [("Last-Event-ID", $0)] } ?? []
            let response = try await feed.vigil.send(.get, "/v1/journal", query: feed.query, fields: fields)
            (body, events) = (response.body.makeAsyncIterator(), ServerSentEvents())
        }

        private mutating func read() async throws {
            try await connect()
            guard let bytes = try await body?.next() else {
                throw VigilError.brokenOff(address: feed.vigil.transport.address, reason: "the journal's stream ended")
            }
            failures = 0
            guard let events = events.take(bytes) else {
                throw VigilError.strangeAnswer(address: feed.vigil.transport.address, reason: "a line without end")
            }
            for event in events {
                let data = Data(event.data.utf8)
                if event.name == "missed" {
                    items.append(.missed((try? JSONDecoder().decode(Missed.self, from: data))?.records))
                } else if let record = try? JSONDecoder().decode(JournalRecord.self, from: data) {
                    items.append(.record(record, id: event.id))
                }
            }
            if !self.events.lastID.isEmpty { last = self.events.lastID }
        }
    }

    /// Begins.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension Vigil {
    /// What happens from now on, or behind the record `after` ("0": from the oldest that is kept). `cameras`: only of these;
    /// `priority`: a word of `JournalRecord.priorities`, which leaves out what is less urgent.
    public func journal(
        cameras: [String]? = nil, priority: String? = nil, after: String? = nil
    ) -> JournalFeed {
        JournalFeed(
            vigil: self, query: [("camera", cameras?.joined(separator: ",")), ("priority", priority)], after: after)
    }
}
