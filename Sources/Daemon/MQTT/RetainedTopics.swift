/// What the broker is to keep of each topic, and which of it it has not got yet. There is no queue of messages: what changes twice
/// before the broker takes it is sent once, as it is then. So its size is that of the state, however slow the broker is.
struct RetainedTopics: Sendable {
    /// What a topic holds.
    enum Content: Hashable, Sendable {
        case bytes([UInt8])
        case picture(Picture)
    }

    /// A picture, read when it is to be sent.
    enum Picture: Hashable, Sendable {
        /// That of an event.
        case event(Int64)
        /// One of what a camera sends; the number tells it from the one before.
        case still(String, Int64)
    }

    /// What is to be kept.
    private(set) var wanted: [String: Content] = [:]
    /// The most topics that are taken away anew after each connection: the broker may not have got that.
    private static let removedMax = 4_096

    private var removed: Set<String> = []
    /// Bytes and what is taken away, which are at hand.
    private var prompt = Line()
    /// Pictures, which are read or made first.
    private var pictures = Line()

    /// Topics in the order in which they came to wait, each once.
    private struct Line: Sendable {
        private var topics: [String] = []
        private var begin = 0
        private var waiting: Set<String> = []

        var count: Int { waiting.count }

        mutating func join(_ topic: String) { if waiting.insert(topic).inserted { topics.append(topic) } }

        mutating func leave(_ topic: String) {
            guard waiting.remove(topic) != nil, let place = topics[begin...].firstIndex(of: topic) else { return }
            topics.remove(at: place)
        }

        mutating func next() -> String? {
            guard begin < topics.count else {
                (topics, begin) = ([], 0)
                return nil
            }
            let topic = topics[begin]
            begin += 1
            if begin > 1_024, begin * 2 > topics.count {
                topics.removeFirst(begin)
                begin = 0
            }
            waiting.remove(topic)
            return topic
        }
    }

    /// How many topics the broker has not got.
    var waiting: Int { prompt.count + pictures.count }

    /// A topic holds this from now on.
    mutating func set(_ topic: String, _ content: Content) {
        guard wanted[topic] != content else { return }
        wanted[topic] = content
        removed.remove(topic)
        enqueue(topic)
    }

    /// A topic is sent once more, if it is wanted.
    mutating func again(_ topic: String) { if wanted[topic] != nil { enqueue(topic) } }

    /// The broker is to keep nothing of a topic.
    mutating func remove(_ topic: String) {
        wanted[topic] = nil
        enqueue(topic)
    }

    /// Takes away every topic but these.
    mutating func keep(only topics: Set<String>) {
        for topic in wanted.keys.filter({ !topics.contains($0) }).sorted() {
            remove(topic)
            if removed.count < Self.removedMax { removed.insert(topic) }
        }
    }

    /// The broker may have lost everything: all is sent again, what describes devices before their states.
    mutating func sendAll() {
        let configurations = wanted.keys.filter { $0.hasSuffix("/config") }
        for topic in configurations.sorted() { enqueue(topic) }
        for topic in wanted.keys.sorted() { enqueue(topic) }
        for topic in removed.sorted() { enqueue(topic) }
    }

    /// The next topic that the broker has not got and whose content is at hand; nil content: it is to be taken away. So no state
    /// waits for a picture, nor does a picture that is to be gone.
    mutating func next() -> (topic: String, content: Content?)? { prompt.next().map { ($0, wanted[$0]) } }

    /// The next topic of a picture that the broker has not got.
    mutating func nextPicture() -> (topic: String, picture: Picture)? {
        while let topic = pictures.next() {
            if case .picture(let picture) = wanted[topic] { return (topic, picture) }
        }
        return nil
    }

    private mutating func enqueue(_ topic: String) {
        if case .picture = wanted[topic] {
            prompt.leave(topic)
            pictures.join(topic)
        } else {
            pictures.leave(topic)
            prompt.join(topic)
        }
    }
}
