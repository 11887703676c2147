import Machines

/// What a playlist says of the world around it: where its parts are asked for, and how times are written.
public struct PlaylistLinks: Sendable {
    /// What stands behind the path of another playlist: `?from=…`.
    public let listQuery: String
    /// The viewer's session, which every part is asked for with; nil where there is none.
    public let session: String?
    /// Milliseconds since 1970 as an RFC 3339 time.
    public let time: @Sendable (Int64) -> String

    /// Links whose characters need no escaping in an attribute.
    public init(listQuery: String, session: String?, time: @escaping @Sendable (Int64) -> String) {
        self.listQuery = listQuery
        self.session = session
        self.time = time
    }
}

extension PlaylistText {
    /// The address of a track file, shifted to its place, as seen from a folder so many levels below that of the clips; `and`
    /// stands between two parameters.
    mutating func media(
        _ clip: Int64, _ kind: TrackKind, shift: UInt64, levels: Int, _ links: PlaylistLinks, and: String = "&"
    ) {
        for _ in 0..<levels { add("../") }
        add("clips/")
        number(clip)
        // Some players take nothing for media whose name does not end so.
        add(kind == .video ? "/tracks/video.mp4" : "/tracks/audio.mp4")
        if shift > 0 {
            add("?shift=")
            number(shift)
        }
        if let session = links.session {
            add(shift > 0 ? and : "?")
            add("session=")
            add(session)
        }
    }
}

/// A text that is put together from many short parts.
package struct PlaylistText {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int) { bytes.reserveCapacity(capacity) }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    package mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    package mutating func line(_ text: String) {
        add(text)
        end()
    }

    package mutating func end() { bytes.append(UInt8(ascii: "\n")) }

    /// A text that was put together before.
    package mutating func add(_ text: PlaylistText) {
        text.bytes.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    package mutating func number(_ value: some BinaryInteger) {
        guard value >= 0 else { return add("\(value)") }
        digits(UInt64(clamping: value), least: 1)
    }

    /// A number with zeros in front where it has fewer digits than `least`, at most 20.
    private mutating func digits(_ value: UInt64, least: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var (rest, place) = (value, digits.count)
            repeat {
                place -= 1
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0 || digits.count - place < least
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
        }
    }

    /// Ticks as seconds with six digits behind the point.
    package mutating func seconds(_ ticks: Int64, timescale: UInt32) {
        let micros = UInt64(max(0, Ticks.rescale(ticks, from: timescale, to: 1_000_000)))
        digits(micros / 1_000_000, least: 1)
        bytes.append(UInt8(ascii: "."))
        digits(micros % 1_000_000, least: 6)
    }
}
