/// A box of an MP4 file: its type and contents. Everything here reads foreign bytes: nothing traps, nil is damage.
struct MediaBox {
    let type: String
    /// Where it begins in the bytes that were read.
    let start: Int
    let contents: ArraySlice<UInt8>

    /// The most boxes in one place.
    static let most = 65_536

    /// The boxes in `bytes`, in order; nil when one does not fit.
    static func list(_ bytes: ArraySlice<UInt8>) -> [MediaBox]? {
        var boxes: [MediaBox] = []
        var reader = MediaBytes(bytes)
        while !reader.isAtEnd {
            let start = reader.place
            guard boxes.count < most, let short = reader.number(4), let type = reader.take(4) else { return nil }
            var (size, head) = (short, UInt64(8))
            if short == 1 {
                guard let long = reader.number(8) else { return nil }
                (size, head) = (long, 16)
            } else if short == 0 {
                size = head &+ UInt64(reader.left)
            }
            guard size >= head, let count = Int(exactly: size - head), let contents = reader.take(count) else {
                return nil
            }
            boxes.append(MediaBox(type: String(decoding: type, as: UTF8.self), start: start, contents: contents))
        }
        return boxes
    }

    /// The boxes inside of this one, behind its first `skipping` bytes.
    func children(skipping: Int = 0) -> [MediaBox]? {
        contents.count >= skipping ? Self.list(contents.dropFirst(skipping)) : nil
    }

    /// The first box at the end of a path of types; nil where there is none.
    func inner(_ path: String...) -> MediaBox? {
        path.reduce(self) { box, type in box?.children()?.first { $0.type == type } }
    }
}

/// Reads big-endian numbers from foreign bytes; nil where they end.
struct MediaBytes {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var place: Int { bytes.startIndex }
    var left: Int { bytes.count }
    var isAtEnd: Bool { bytes.isEmpty }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    /// A number of at most eight bytes.
    mutating func number(_ width: Int) -> UInt64? {
        take(width).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
