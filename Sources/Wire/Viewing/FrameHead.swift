/// In which form decoded frames are given out.
public enum DecodedFormat: String, Hashable, Sendable, Codable, CaseIterable {
    /// Three planes without gaps: brightness, then both colours with half of its width and height; BT.601 or BT.709 as the camera
    /// codes, with room at both ends of the values (16…235, 16…240).
    case yuv420p
    /// A JPEG file.
    case jpeg
}

/// What stands before each frame of `GET /v1/cameras/{camera}/frames`: 48 bytes, in each number the most significant byte first.
///
/// | from | bytes | what |
/// |---|---|---|
/// | 0 | 4 | `VGF1` |
/// | 4 | 2 | content: 0 word, 1 yuv420p, 2 jpeg, 3 memory, 4 yuv420p in a slot of it |
/// | 6 | 2 | 48, the length of this head |
/// | 8 | 4 | width, pixels |
/// | 12 | 4 | height, pixels |
/// | 16 | 4 | bytes that follow |
/// | 20 | 4 | number of the dial, from 1 in each answer: each has a time line of its own |
/// | 24 | 8 | number of the frame, from 1 |
/// | 32 | 8 | when it arrived, milliseconds since 1970 |
/// | 40 | 8 | when it is shown, microseconds on the camera's time line |
public struct FrameHead: Hashable, Sendable {
    /// What follows a head.
    public enum Content: UInt16, Hashable, Sendable {
        /// JSON that says what became of the frames: `FramesWord`.
        case word = 0
        /// A picture as `DecodedFormat.yuv420p`.
        case yuv420p = 1
        /// A picture as `DecodedFormat.jpeg`.
        case jpeg = 2
        /// Shared memory, whose descriptor comes with this head: `FrameMemoryLayout`.
        case memory = 3
        /// A picture as `DecodedFormat.yuv420p` in a slot of the shared memory: `FramePlace`.
        case slot = 4
    }

    /// The length of a head in bytes.
    public static let length = 48
    /// The most pixels across of a frame.
    public static let widthMax = 3_840
    /// The most pixels down of a frame.
    public static let heightMax = 2_160
    /// The most bytes that follow a head: those of the largest frame.
    public static let contentBytesMax = widthMax * heightMax * 3 / 2
    /// How many frames a second may be asked for.
    public static let perSecond = 1...30
    /// How many a second come where nothing is said.
    public static let perSecondStandard = 5
    /// The media type of heads and frames.
    public static let mediaType = "application/vnd.vigil.frames"
    /// What a head begins with.
    private static let mark: UInt32 = 0x5647_4631

    /// What follows.
    public var content: Content
    /// Pixels across; 0 of a word.
    public var width: Int
    /// Pixels down; 0 of a word.
    public var height: Int
    /// Bytes that follow, at most `contentBytesMax`.
    public var count: Int
    /// The number of the dial, as the reader sees them, from 1; 0 before the first.
    public var dial: UInt32
    /// The number of the frame, from 1; of a word that of the frame before it.
    public var number: UInt64
    /// When the frame arrived; of a word, when it was told.
    public var arrived: WallTime
    /// When the frame is shown, microseconds on the time line of its dial.
    public var mediaUs: Int64

    /// A head.
    public init(
        _ content: Content, width: Int = 0, height: Int = 0, count: Int, dial: UInt32, number: UInt64,
        arrived: WallTime, mediaUs: Int64 = 0
    ) {
        (self.content, self.width, self.height, self.count) = (content, width, height, count)
        (self.dial, self.number, self.arrived, self.mediaUs) = (dial, number, arrived, mediaUs)
    }

    /// The head as it is sent.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        func put(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.bigEndian) { bytes += $0 } }
        put(Self.mark)
        put(content.rawValue)
        put(UInt16(clamping: Self.length))
        put(UInt32(clamping: width))
        put(UInt32(clamping: height))
        put(UInt32(clamping: count))
        put(dial)
        put(number)
        put(arrived.ms)
        put(mediaUs)
        return bytes
    }

    /// Reads a head from the first bytes; nil where they are none, or it says what no head may.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count >= Self.length else { return nil }
        var rest = bytes[...]
        func take<Value: FixedWidthInteger>(_: Value.Type) -> Value {
            let part = rest.prefix(Value.bitWidth / 8)
            rest = rest.dropFirst(Value.bitWidth / 8)
            return part.reduce(Value.zero) { $0 << 8 | Value(truncatingIfNeeded: $1) }
        }
        guard take(UInt32.self) == Self.mark, let content = Content(rawValue: take(UInt16.self)),
            take(UInt16.self) == UInt16(clamping: Self.length)
        else { return nil }
        self.content = content
        width = Int(take(UInt32.self))
        height = Int(take(UInt32.self))
        count = Int(take(UInt32.self))
        dial = take(UInt32.self)
        number = take(UInt64.self)
        arrived = WallTime(ms: take(Int64.self))
        mediaUs = take(Int64.self)
        guard width <= Self.widthMax, height <= Self.heightMax, count <= Self.contentBytesMax else { return nil }
        guard content != .yuv420p || count == width * height * 3 / 2 else { return nil }
    }
}
