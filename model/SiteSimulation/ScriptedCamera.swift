internal import Daemon
internal import Machines
internal import Media

/// A camera as the simulation knows it: how it behaves at present, and every frame that it ever sent.
///
/// `@unchecked Sendable`: confined to the simulation's thread.
final class ScriptedCamera: @unchecked Sendable {
    /// How the camera behaves.
    enum Behaviour: CaseIterable {
        /// Answers soon, sends steadily.
        case good
        /// Fails each dial, for changing reasons.
        case refusing
        /// Answers late, or not at all.
        case sluggish
        /// Connects and sends no key frame, or only after long.
        case keyless
        /// Loses the connection again and again.
        case flaky
        /// Stops sending without a word.
        case silent
        /// Sends in bursts after pauses, and changes its stream.
        case restless
        /// Does not answer a hang-up for a long time.
        case deaf
        /// Sends sixteen frames for each one.
        case flooding
        /// The network before it delivers nothing for seconds, and then all at once.
        case stalling
    }

    /// A video frame that was sent.
    struct Sent {
        /// When it came, by virtual time.
        let at: Int64
        /// The dial in which it came.
        let dial: Int
        /// Its place among the frames of that dial.
        let ordinal: Int
        let isKey: Bool
        /// Whether the daemon was to take it: nobody had hung up.
        let isTaken: Bool
        /// Whether recording was allowed when it came and when it was handed over, as far as the daemon had been told.
        let isAllowed: Bool
        /// The same of being looked at.
        let isShown: Bool
        /// How often it was found in a clip.
        var clips = 0
    }

    let name: String
    let number: Int
    let virtualTime: VirtualTime
    var behaviour = Behaviour.good
    /// Between key frames, in milliseconds.
    var groupMs: Int64 = 4_000
    /// Between frames.
    var frameMs: Int64 = 900
    /// Whether it sends sound.
    var hasSound = false
    /// The stream it sends at present: 0 or 1.
    var stream = 0
    var sent: [Sent] = []
    var dials = 0
    /// Dials that have not ended, the latest last.
    var openDials: [ScriptedDial] = []
    /// When its policy last changed, by virtual time.
    var policyAt: Int64 = -1_000_000
    /// How far the labels have been checked.
    var checked = 0
    /// Whether recording is allowed at present, as far as the daemon has been told; not while no daemon runs.
    var isAllowed: () -> Bool = { false }
    /// Whether somebody may look at present, as far as the daemon has been told; not while no daemon runs.
    var isShown: () -> Bool = { false }
    /// Called when a frame has arrived that will be handed over so many milliseconds later.
    var handsOverLate: (Int64) -> Void = { _ in }
    /// Called when the camera is dialled while a dial of it has not ended.
    var isDialedBeside: () -> Void = {}
    /// Called when the daemon has been handed a frame of that number.
    var handedOver: (Int) -> Void = { _ in }

    init(_ name: String, _ virtualTime: VirtualTime, number: Int = 0) {
        self.name = name
        self.virtualTime = virtualTime
        self.number = number
    }

    /// Notes a frame that came at `at` and gives its number.
    func send(
        at: Int64, dial: Int, ordinal: Int, isKey: Bool, isTaken: Bool, wasAllowed: Bool, wasShown: Bool
    ) -> Int {
        sent.append(
            Sent(
                at: at, dial: dial, ordinal: ordinal, isKey: isKey, isTaken: isTaken,
                isAllowed: wasAllowed && isAllowed(), isShown: wasShown && isShown()))
        return sent.count - 1
    }
}

/// The bytes of a simulated frame: they say which it is, so that a clip file can be read without any index.
enum FrameMark {
    static let bytes = 32
    static let magic: UInt32 = 0x5649_474C

    static func encode(camera: Int, number: Int, isVideo: Bool) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, UInt8(Self.bytes - 4)]
        for value in [UInt64(magic) << 32 | UInt64(camera) << 1 | (isVideo ? 1 : 0), UInt64(number)] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            }
        }
        bytes += Array(repeating: 0x41, count: Self.bytes - bytes.count)
        return bytes
    }

    /// The camera and the number of the frame at the beginning of `bytes`; nil if there is none.
    static func decode(_ bytes: ArraySlice<UInt8>) -> (camera: Int, number: Int, isVideo: Bool)? {
        guard bytes.count >= Self.bytes else { return nil }
        func word(_ offset: Int) -> UInt64 {
            bytes[(bytes.startIndex + offset)..<(bytes.startIndex + offset + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        let head = word(4)
        guard head >> 32 == UInt64(magic) else { return nil }
        return (Int(head >> 1 & 0x7FFF_FFFF), Int(word(12)), head & 1 == 1)
    }
}
