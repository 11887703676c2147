internal import Foundation
internal import Media

/// Where frames for other programs are decoded, and the pictures of `live.mjpg`: on few threads of a low priority, within one budget
/// of memory, for so many readers.
final class FrameReaders: Sendable {
    /// The most readers of frames at once, and of one user, and as many of pictures: each has a decoder.
    static let most = 16
    static let ofUserMost = 12
    /// The most memory that the decoders and the frames of all readers may take, in bytes.
    static let memoryBytes = 512 << 20
    /// How long a reader may have every slot of its shared memory, in milliseconds.
    static let starvedMs: Int64 = 10_000
    /// Threads that decode: half of the processors, so that recording has the others whatever is read.
    static let threads = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
    /// The thread on which memory goes back to the system.
    static let returningThreads = 1

    let places = Places("a reader of frames", "read frames", most: most, ofUserMost: ofUserMost)
    let pictures = Places("a sequence of pictures", "are sent to viewers", most: most, ofUserMost: ofUserMost)
    let budget = DecoderBudget(bytesMax: memoryBytes)

    /// Each reader waits for one frame at a time.
    private let queue = Blocking("vigil.frames", "frames", runningMax: threads, waitingMax: 2 * most, qos: .utility)

    /// Where memory goes back to the system.
    private let returns = DispatchQueue(label: "vigil.frames.returns", qos: .utility)

    /// Gives memory back to the system with `work`, which takes milliseconds; no event loop waits for it.
    func later(_ work: @escaping @Sendable () -> Void) { returns.async { work() } }

    /// Makes a frame. Throws `unavailable` where too many wait.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await queue.run(work)
    }
}
