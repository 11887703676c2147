internal import Glibc

/// Who wants decoded frames of what a camera sends now.
public struct FramesRequest: Hashable, Sendable {
    /// How wide frames are at most where nothing is said, in pixels.
    public static let widthStandard = 640

    /// The camera, stream, session and caller. Where no stream is named it is the sub-stream of a camera that has one.
    public var live: LiveRequest
    /// The form of the frames.
    public var format: DecodedFormat
    /// How wide they are at most, 16…3840 pixels.
    public var width: Int
    /// Whether they are the whole picture; else they are the part that is shown of the camera.
    public var isWhole = false
    /// Whether they are put into memory that the reader shares.
    public var isShared = false
    /// How many come a second at most, in `FrameHead.perSecond`.
    public var perSecond: Int

    /// A request.
    public init(
        _ live: LiveRequest, format: DecodedFormat = .yuv420p, width: Int = FramesRequest.widthStandard,
        perSecond: Int = FrameHead.perSecondStandard
    ) {
        (self.live, self.format, self.width, self.perSecond) = (live, format, width, perSecond)
    }
}

/// What a reader of frames is given: a head, and what follows it.
public struct FramesPart: Hashable, Sendable {
    /// The head, which counts the bytes of the content.
    public let head: FrameHead
    /// A frame, where it lies in shared memory, or a word in JSON.
    public let content: [UInt8]
    /// What goes to the reader with it: the descriptor of shared memory.
    public let descriptor: FrameDescriptor?

    /// A frame behind its head.
    public init(_ head: FrameHead, _ content: [UInt8], with descriptor: FrameDescriptor? = nil) {
        var head = head
        head.count = content.count
        (self.head, self.content, self.descriptor) = (head, content, descriptor)
    }

    /// A word behind its head.
    public init(_ head: FrameHead, _ word: FramesWord) {
        // Texts and flags can always be written.
        self.init(head, (try? JSONBytes.of(word)) ?? [])
    }
}

/// A descriptor that goes to a reader; it is closed with its last reference.
public final class FrameDescriptor: Hashable, Sendable {
    /// Its number in this process.
    public let number: Int32

    /// Takes a descriptor over.
    public init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Whether they are the same.
    public static func == (one: FrameDescriptor, other: FrameDescriptor) -> Bool { one === other }

    /// Hashes it.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Decoded frames of what a camera sends, one after another.
public struct LiveFrames: Sendable {
    /// The frames, for one task.
    public let parts: any AsyncSequence<FramesPart, Never> & Sendable
    /// Lets their reader be told once more that the camera is away, if it is; from any thread.
    public let remind: @Sendable () -> Void
    /// Ends them; from any thread.
    public let leave: @Sendable () -> Void
    /// Takes a slot back; false where their reader did not have it. From any thread.
    public let giveBack: @Sendable (UInt8) -> Bool

    /// Frames that `leave` ends.
    public init(
        _ parts: any AsyncSequence<FramesPart, Never> & Sendable, remind: @escaping @Sendable () -> Void,
        leave: @escaping @Sendable () -> Void, giveBack: @escaping @Sendable (UInt8) -> Bool = { _ in false }
    ) {
        (self.parts, self.remind, self.leave, self.giveBack) = (parts, remind, leave, giveBack)
    }
}

extension LiveFrames {
    /// Gives each part to `give` until they end or it throws, and reminds their reader after each `pause`.
    func forEach(remindedEvery pause: Duration, _ give: (FramesPart) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                while true {
                    try await Task.sleep(for: pause)
                    remind()
                }
            }
            for await part in parts { try await give(part) }
        }
    }
}
