internal import Glibc

/// How NAL units follow each other in a buffer.
public enum NALFraming: Hashable, Sendable {
    /// Start codes of 3 or 4 bytes (H.264 and H.265 Annex B).
    case annexB
    /// Each unit is preceded by its length, big endian, in this many bytes (1, 2 or 4; ISO/IEC 14496-15).
    case lengthPrefixed(bytes: Int)
}

/// The NAL units of a buffer, in order, as ranges of it: nothing is copied.
///
/// Total: a unit whose length exceeds the buffer ends the sequence, empty units are left out, and so are the zero bytes
/// that Annex B allows after a unit. The caller keeps the buffer alive while it iterates.
public struct NALUnits: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private let framing: NALFraming
    private var position: Int

    /// The units of `bytes`. `beginsInUnit`: what precedes the first start code is a unit too, as where a camera has made
    /// a whole byte stream of one unit; without it, that is noise.
    public init(_ bytes: UnsafeRawBufferPointer, framing: NALFraming, beginsInUnit: Bool = false) {
        self.bytes = bytes
        self.framing = framing
        let skipsNoise = framing == .annexB && !beginsInUnit
        position = skipsNoise ? Self.startCode(in: bytes, from: 0)?.upperBound ?? bytes.count : 0
    }

    /// Where the next unit begins, without looking for its end; nil at the end.
    /// Lets a caller that needs only the unit's type stop early.
    var nextStart: Int? {
        switch framing {
        case .annexB: position < bytes.count ? position : nil
        case .lengthPrefixed(let width): peekLength(width).map { _ in position + width }
        }
    }

    /// The range of the next unit in the buffer.
    public mutating func next() -> Range<Int>? {
        switch framing {
        case .annexB: nextAnnexB()
        case .lengthPrefixed(let width): nextPrefixed(width)
        }
    }

    private mutating func nextAnnexB() -> Range<Int>? {
        while position < bytes.count {
            let start = position
            let code = Self.startCode(in: bytes, from: start)
            var end = code?.lowerBound ?? bytes.count
            position = code?.upperBound ?? bytes.count
            while end > start, bytes[end - 1] == 0 { end -= 1 }
            if end > start { return start..<end }
        }
        return nil
    }

    private mutating func nextPrefixed(_ width: Int) -> Range<Int>? {
        while let length = peekLength(width) {
            let start = position + width
            position = start + length
            if length > 0 { return start..<position }
        }
        return nil
    }

    private func peekLength(_ width: Int) -> Int? {
        guard (1...4).contains(width), bytes.count - position >= width else { return nil }
        var length = 0
        for index in position..<position + width { length = length << 8 | Int(bytes[index]) }
        return length <= bytes.count - position - width ? length : nil
    }

    /// The next 00 00 01 at or after `start`. Ones are rare in coded video, so the search goes from one to the next.
    static func startCode(in bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        guard let base = bytes.baseAddress else { return nil }
        var index = start + 2
        while index < bytes.count, let one = memchr(base + index, 1, bytes.count - index) {
            let found = UnsafeRawPointer(one) - base
            if bytes[found - 1] == 0, bytes[found - 2] == 0 { return found - 2..<found + 1 }
            index = found + 1
        }
        return nil
    }
}
