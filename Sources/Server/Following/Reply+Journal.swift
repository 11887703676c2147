internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle

extension Reply {
    /// How a reader follows the journal.
    struct Following: Sendable {
        /// The id of the last record that it has; nil: it begins with what comes.
        var after: String?
        /// The cameras that it may know of; records about the site are for those who may know of all.
        var cameras: CameraScope
        /// The least urgent priority that it wants.
        var priorities: Set<String>?
        /// How long nothing is said at most.
        var beat = Duration.seconds(15)

        /// Whether the reader may hear of the record, and wants to.
        func wants(_ record: JournalRecord) -> Bool {
            if let priorities, !priorities.contains(record.priority) { return false }
            guard let camera = record.camera else { return cameras == .all }
            return cameras.contains(camera)
        }
    }

    /// The records of the journal as Server-Sent Events (WHATWG HTML, 9.2), until the reader goes away or the daemon stops. A
    /// reader that does not take them is cut off as that of any other answer is; `place` is held until then.
    static func journal(_ feed: JournalFeed, _ following: Following, holding place: FollowerPlace?) -> Response {
        let (start, isKnown) = feed.position(after: following.after)
        let body = ResponseBody { writer in
            defer { withExtendedLifetime(place) {} }
            var events = ServerSentEvents(feed: feed, following: following, position: start)
            try await writer.write(events.opening(missedAll: !isKnown))
            let (wakes, wake) = feed.wakes()
            var waking = wakes.makeAsyncIterator()
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer {
                    wake.finish()
                    group.cancelAll()
                }
                group.addTask {
                    try? await gracefulShutdown()
                    wake.finish()
                }
                group.addTask {
                    while true {
                        try await Task.sleep(for: following.beat)
                        wake.yield()
                    }
                }
                repeat {
                    while let part = events.next() { try await writer.write(part) }
                    if events.isOver { break }
                } while await waking.next() != nil
                // What was said meanwhile still goes out, the stop itself among it.
                while let part = events.next() { try await writer.write(part) }
            }
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: body)
    }
}

/// The text of Server-Sent Events about the journal.
private struct ServerSentEvents {
    let feed: JournalFeed
    let following: Reply.Following
    var position: JournalFeed.Position
    private(set) var isOver = false
    private var saidAt = ContinuousClock.now

    init(feed: JournalFeed, following: Reply.Following, position: JournalFeed.Position) {
        self.feed = feed
        self.following = following
        self.position = position
    }

    /// How long a client waits before it connects again, in milliseconds.
    private static let retryMs = 2_000

    /// What comes first: so that the head is sent, and that the reader knows where it stands.
    func opening(missedAll: Bool) -> ByteBuffer {
        ByteBuffer(
            string: "retry: \(Self.retryMs)\nid: \(feed.id(position.number))\n\n" + (missedAll ? Self.missed(nil) : ""))
    }

    /// The next part, at least a byte; nil: nothing is to be said now.
    mutating func next() -> ByteBuffer? {
        var text = ""
        var hasMore = !isOver
        while hasMore, text.isEmpty {
            let news = feed.read(&position, where: following.wants)
            (hasMore, isOver) = (news.hasMore, news.isOver)
            if news.missed > 0 { text += Self.missed(news.missed) }
            for (number, record) in news.records {
                guard let json = try? Reply.bytes(record) else { continue }
                text += "id: \(feed.id(number))\ndata: \(String(buffer: json))\n\n"
            }
        }
        // A comment says that the connection lives, and shows whether the reader does.
        if text.isEmpty, !isOver, ContinuousClock.now - saidAt >= following.beat { text = ":\n\n" }
        guard !text.isEmpty else { return nil }
        saidAt = .now
        return ByteBuffer(string: text)
    }

    private static func missed(_ records: UInt64?) -> String {
        "event: missed\ndata: {\"records\":\(records.map { "\($0)" } ?? "null")}\n\n"
    }
}
