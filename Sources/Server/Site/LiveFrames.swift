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
    /// Whether they are the whole picture; else they are the part that is shown of the camera.
    public var isWhole = false
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

/// What a reader of frames is given: a head, and what follows it.
public struct FramesPart: Hashable, Sendable {
    /// The head, which counts the bytes of the content.
    public let head: FrameHead
    /// A frame, or a word in JSON.
    public let content: [UInt8]

    /// A frame behind its head.
    public init(_ head: FrameHead, _ content: [UInt8]) {
        var head = head
        head.count = content.count
        (self.head, self.content) = (head, content)
    }

    /// A word behind its head.
    public init(_ head: FrameHead, _ word: FramesWord) {
        // Texts and flags can always be written.
        self.init(head, (try? JSONBytes.of(word)) ?? [])
    }
}

/// Decoded frames of what a camera sends, one after another.
public struct LiveFrames: Sendable {
    /// The frames, for one task.
    public let parts: any AsyncSequence<FramesPart, Never> & Sendable
    /// Lets their reader be told once more that the camera is away, if it is; from any thread.
    public let remind: @Sendable () -> Void
    /// Ends them; from any thread.
    public let leave: @Sendable () -> Void

    /// Frames that `leave` ends.
    public init(
        _ parts: any AsyncSequence<FramesPart, Never> & Sendable, remind: @escaping @Sendable () -> Void,
        leave: @escaping @Sendable () -> Void
    ) {
        (self.parts, self.remind, self.leave) = (parts, remind, leave)
    }
}
