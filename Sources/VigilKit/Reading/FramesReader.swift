internal import Wire

/// Heads and what follows them, read from foreign bytes as they come. It holds one frame at a time, which is bounded.
struct FramesReader {
    /// One head with what follows it.
    struct Item: Hashable {
        let head: FrameHead
        let content: [UInt8]
    }

    /// What has come of the item under way.
    private var bytes: [UInt8] = []

    /// Takes bytes; gives the items that are whole by them. Nil where a head is none.
    mutating func take(_ more: [UInt8]) -> [Item]? {
        bytes += more
        var (place, items) = (0, [Item]())
        while bytes.count - place >= FrameHead.length {
            guard let head = FrameHead(bytes[place...]) else { return nil }
            let begin = place + FrameHead.length
            guard bytes.count - begin >= head.count else { break }
            items.append(Item(head: head, content: Array(bytes[begin..<begin + head.count])))
            place = begin + head.count
        }
        bytes.removeFirst(place)
        return items
    }
}
