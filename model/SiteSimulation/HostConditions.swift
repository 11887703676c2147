internal import Daemon
internal import Machines

/// How the machine under the daemon behaves at present: how late work begins, how slow the disk is, how it fails.
///
/// `@unchecked Sendable`: confined to the simulation's thread.
final class HostConditions: @unchecked Sendable {
    /// What the disk does.
    enum Disk: Hashable {
        /// Answers at once, now and then a little later.
        case fine
        /// Each step may take up to so many milliseconds.
        case slow(Int64)
        /// Nothing is answered before this virtual time.
        case hung(until: Int64)
        /// So many steps of a hundred fail.
        case failing(percent: Int64)
        /// Every step that needs room fails.
        case full
        /// The storage root is not in its place, and every step fails.
        case gone
    }

    private let virtualTime: VirtualTime
    var disk = Disk.fine { didSet { if disk != .fine || oldValue != .fine { lastTrouble = virtualTime.now } } }
    /// When the disk last was other than fine, by virtual time.
    private(set) var lastTrouble: Int64 = -1_000_000
    /// How late work may begin, in milliseconds.
    var lateness: Int64 = 2 { didSet { lateness == 2 ? () : (latenessMax = max(latenessMax, lateness)) } }
    /// The most that `lateness` ever was.
    private(set) var latenessMax: Int64 = 2
    /// Bytes that may be taken before the reserve is touched, clips included.
    var roomBytes: Int64 = 4 << 20
    /// Whether somebody else has filled the disk.
    var isFilled = false

    init(_ virtualTime: VirtualTime) { self.virtualTime = virtualTime }

    /// Whether the disk is fine and has been for `ms` milliseconds.
    func isCalm(sinceMs ms: Int64) -> Bool { disk == .fine && virtualTime.now - lastTrouble >= ms }

    func startDelay(of label: String) -> Int64 {
        guard virtualTime.random.chance(10) else { return 0 }
        return virtualTime.random.number(0...lateness)
    }

    func timerDelay() -> Int64 { virtualTime.random.chance(20) ? virtualTime.random.number(0...lateness) : 0 }

    /// How long after its arrival a frame is handed over.
    func handoverDelay() -> Int64 {
        virtualTime.random.chance(20) ? virtualTime.random.number(0...min(lateness, 300)) : 0
    }

    /// Whether a step on the disk in the work that now begins on a virtual queue may make it wait.
    func mayWait(_ label: String) -> Bool {
        // A camera's machine never touches the disk.
        if label.hasPrefix("vigil.camera.") { return false }
        switch disk {
        case .slow, .hung: return true
        case .fine, .failing, .full, .gone: return virtualTime.random.chance(3)
        }
    }

    /// How long a step takes.
    func duration(_ step: DiskStep) -> Int64 {
        switch disk {
        case .slow(let most): return virtualTime.random.chance(30) ? virtualTime.random.number(1...most) : 0
        case .hung(let until): return max(0, until - virtualTime.now)
        case .fine, .failing, .full, .gone:
            return virtualTime.random.chance(30) ? virtualTime.random.number(1...200) : 0
        }
    }

    /// Whether a step fails.
    func fails(_ step: DiskStep) -> Bool {
        switch disk {
        case .fine, .slow, .hung: return false
        case .failing(let percent): return virtualTime.random.chance(percent)
        case .gone: return true
        case .full:
            switch step {
            case .makeFolder, .createFile, .insertRow, .write, .closeRow, .event, .heartbeat: return true
            case .syncFolder, .syncFile, .finishFile, .delete, .recover: return false
            }
        }
    }
}

/// What a step on the simulated disk failed with.
struct DiskFault: Error, CustomStringConvertible {
    let step: DiskStep
    let path: String

    var description: String { "the simulated disk failed: \(step.rawValue) \(path)" }
}

/// The process was killed while it was in a step; nothing that it does after this counts.
struct Killed: Error {}
