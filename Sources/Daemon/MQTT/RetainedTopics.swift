/// What the broker is to keep of each topic, and which of it it has not got yet. There is no queue of messages: what changes twice
/// before the broker takes it is sent once, as it is then. So its size is that of the state, however slow the broker is.
struct RetainedTopics: Sendable {
    /// What a topic holds.
    enum Content: Hashable, Sendable {
        case bytes([UInt8])
        /// The picture of an event, read when it is sent.
        case picture(Int64)
        /// A picture of what a camera sends, made when it is sent; the number tells it from the one before.
        case still(String, Int64)
    }

    /// What is to be kept.
    private(set) var wanted: [String: Content] = [:]
    /// The most topics that are taken away anew after each connection: the broker may not have got that.
    private static let removedMax = 4_096

    private var removed: Set<String> = []
    private var queue: [String] = []
    private var begin = 0
    private var queued: Set<String> = []

    /// How many topics the broker has not got.
    var waiting: Int { queued.count }

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

    /// The next topic that the broker has not got, with what it holds; nil content: it is to be taken away.
    mutating func next() -> (topic: String, content: Content?)? {
        guard begin < queue.count else {
            (queue, begin) = ([], 0)
            return nil
        }
        let topic = queue[begin]
        begin += 1
        if begin > 1_024, begin * 2 > queue.count {
            queue.removeFirst(begin)
            begin = 0
        }
        queued.remove(topic)
        return (topic, wanted[topic])
    }

    private mutating func enqueue(_ topic: String) { if queued.insert(topic).inserted { queue.append(topic) } }
}
