import Glibc
import Hashing
import Machines
import Synchronization

/// The way to a camera's loudspeaker: a connection of its own, on a thread of its own, that takes what somebody says and gives it
/// to the camera in real time, until it is stopped or the camera ends it.
///
/// `start()` once; `stop()` and `take` at any time and from any thread, without waiting.
public final class BackChannel: Sendable {
    /// What becomes of it.
    public enum Event: Hashable, Sendable {
        /// The camera takes sound, in the format of this name; with `looks` nothing is sent, and the end follows.
        case ready(format: String)
        /// It is over; nothing follows. The reason holds no credential.
        case ended(InputEnd, Counts)
    }

    /// What was counted.
    public struct Counts: Hashable, Sendable {
        /// Packets that went to the camera.
        public var sent: UInt64 = 0
        /// Packets of the talker that were played.
        public var played: UInt64 = 0
        /// Packets of the talker that could not be decoded.
        public var refused: UInt64 = 0
        /// Packets of the talker that came too late, twice, or were too many.
        public var dropped: UInt64 = 0
        /// Milliseconds of sound that were too much.
        var cutMs: UInt64 = 0

        /// Nothing.
        public init() {}
    }

    /// The dial must have succeeded within this many milliseconds: less than a session waits for its answer (`Session.Bounds`).
    public static let dialMs: Int64 = 8_000
    /// The most packets of the talker that wait for the thread; more push the oldest out.
    static let waitingMax = 50
    /// The largest packet of a talker, in bytes; a larger one is dropped.
    static let packetBytesMax = 1_500
    /// Threads, and file descriptors: the connection, and what it is stopped by.
    public static let (threads, descriptors) = (1, 2)
    /// The most bytes of memory that one takes: its stack, its connection, what waits, and the coders.
    public static let bytesMax = InputLimits().stackBytes + (1 << 20) + 2 * waitingMax * packetBytesMax

    private struct Mailbox {
        var packets: [SpokenPacket] = []
        var dropped: UInt64 = 0
        var isOpen = false
    }

    private let name: String
    private let source: InputSource
    private let looks: Bool
    private let limits: InputLimits
    private let tell: @Sendable (Event) -> Void
    private let stopSignal = StopSignal()
    private let isStarted = Atomic<Bool>(false)
    private let mailbox = Mutex(Mailbox())

    /// The back channel of a camera of that name.
    ///
    /// - Parameters:
    ///   - source: how the camera is reached.
    ///   - looks: whether the camera is only asked whether it has one.
    ///   - limits: bounds of its answers, and of the processor.
    ///   - tell: told what becomes of it, on its thread: must not block.
    public init(
        name: String, source: InputSource, looks: Bool = false, limits: InputLimits = InputLimits(),
        tell: @escaping @Sendable (Event) -> Void
    ) {
        (self.name, self.source, self.looks, self.limits, self.tell) = (name, source, looks, limits, tell)
    }

    /// Starts the thread. A second call does nothing. Where no thread can be had, `ended` comes at once, on the calling thread.
    public func start() {
        guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let code = BlockingThread.start(named: "talk:\(name)", stackBytes: limits.stackBytes) { self.run() }
        guard code != 0 else { return }
        let why = "cannot start a thread: \(String(cString: strerror(code)))"
        tell(.ended(.failed(.resources, detail: why), Counts()))
    }

    /// Asks the thread to end; returns at once.
    public func stop() { stopSignal.raise() }

    /// Takes a packet of the talker. What comes before the camera takes sound is dropped: it would only be heard late.
    public func take(_ packet: SpokenPacket) {
        mailbox.withLock { box in
            guard box.isOpen else { return }
            guard packet.payload.count <= Self.packetBytesMax else { return box.dropped &+= 1 }
            if box.packets.count == Self.waitingMax {
                box.packets.removeFirst()
                box.dropped &+= 1
            }
            box.packets.append(packet)
        }
    }

    private func run() {
        LibavProcess.prepare()
        guard case .rtsp(let camera, let credential, _, let tls, _, let habits) = source else {
            let why = "the camera is not reached by RTSP, so it has no back channel"
            return tell(.ended(.failed(.unsupported, detail: why), Counts()))
        }
        let dial = BackChannelDial(camera, credential: credential, tls: tls, limits: limits, stop: stopSignal)
        let sender = BackChannelSender()
        let fault: InputFault
        do throws(InputFault) {
            if stopSignal.isRaised { throw .stopped }
            let deadline = BootClock.nowMs() + Self.dialMs
            if looks {
                tell(.ready(format: try dial.look(deadline: deadline).name))
                throw .stopped
            }
            let line = try dial.run(deadline: deadline)
            line.client.beginKeepAlive(
                dial.address, at: BootClock.nowMs(), sendsUnlistedGet: habits.sendsUnlistedGet)
            mailbox.withLock { $0.isOpen = true }
            tell(.ready(format: line.format.name))
            try sender.run(line) {
                mailbox.withLock { box in
                    defer { box.packets.removeAll(keepingCapacity: true) }
                    return box.packets
                }
            }
        } catch {
            fault = error
        }
        dial.hangUp()
        var counts = sender.counts
        mailbox.withLock { box in
            box.isOpen = false
            counts.dropped &+= box.dropped &+ UInt64(box.packets.count)
            box.packets = []
        }
        let end: InputEnd = stopSignal.isRaised ? .stopped : fault.end
        tell(.ended(end.hiding(SecretFilter(source)), counts))
    }
}
