/// Who wants decoded frames of what a camera sends now.
public struct FramesRequest: Hashable, Sendable {
    /// How wide frames are at most where nothing is said, in pixels.
    public static let widthStandard = 640

    /// The camera, stream, session and caller. The stream counts where it was named.
    public var live: LiveRequest
    /// Whether the request names a stream; else it is the sub-stream of a camera that has one.
    public var namesStream: Bool
    /// The form of the frames.
    public var format: DecodedFormat
    /// How wide they are at most, 16…3840 pixels.
    public var width: Int
    /// How many come a second at most, in `FrameHead.perSecond`.
    public var perSecond: Int

    /// A request.
    public init(
        _ live: LiveRequest, namesStream: Bool, format: DecodedFormat = .yuv420p,
        width: Int = FramesRequest.widthStandard, perSecond: Int = FrameHead.perSecondStandard
    ) {
        (self.live, self.namesStream, self.format) = (live, namesStream, format)
        (self.width, self.perSecond) = (width, perSecond)
    }
}

/// What a reader of frames is given.
public enum FramesPart: Hashable, Sendable {
    /// A frame. The bytes begin with its head.
    case frame(FrameHead, [UInt8])
    /// The camera is lost; frames of another dial follow when it is back.
    case lost(FrameHead)
    /// Nothing follows: in one word why, and in a sentence where the word does not say it all.
    case ended(FrameHead, String, why: String?)

    /// The bytes that are sent: a head, then what it says.
    public var bytes: [UInt8] {
        switch self {
        case .frame(_, let bytes): bytes
        case .lost(let head): Self.word(head, ["lost": .flag(true)])
        case .ended(let head, let word, let why):
            Self.word(head, ["ended": .text(word)].merging(why.map { ["why": .text($0)] } ?? [:]) { $1 })
        }
    }

    private enum Value: Encodable {
        case flag(Bool)
        case text(String)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .flag(let flag): try container.encode(flag)
            case .text(let text): try container.encode(text)
            }
        }
    }

    private static func word(_ head: FrameHead, _ values: [String: Value]) -> [UInt8] {
        // Texts and flags can always be written.
        let json = (try? JSONBytes.of(values)) ?? []
        var head = head
        head.count = json.count
        return head.bytes + json
    }
}

/// Decoded frames of what a camera sends, one after another.
public struct LiveFrames: Sendable {
    /// The frames, for one task.
    public let parts: any AsyncSequence<FramesPart, Never> & Sendable
    /// Ends them; from any thread.
    public let leave: @Sendable () -> Void

    /// Frames that `leave` ends.
    public init(_ parts: any AsyncSequence<FramesPart, Never> & Sendable, leave: @escaping @Sendable () -> Void) {
        (self.parts, self.leave) = (parts, leave)
    }
}
