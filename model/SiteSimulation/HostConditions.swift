internal import Daemon
internal import Glibc
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
        /// So many steps of a hundred fail: with EIO, or as torn writes.
        case failing(Fault, percent: Int64)
        /// Every step that needs room fails, with ENOSPC or EDQUOT.
        case full(Fault)
        /// Every step that changes something fails.
        case readOnly
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
    /// The next step that can wait takes a minute.
    var stallsNext = false
    /// The next sync of a clip's files answers as if it was done.
    var liesNext = false
    /// The next removal of clips waits for a minute when their names are gone, and their folder is not synced yet.
    var holdsRemoval = false
    /// A removal waits there.
    private(set) var isRemoving = false
    /// Told a step of which a system call failed, and which was told as done.
    var unheard: (String) -> Void = { _ in }
    /// How often each class of fault has struck.
    private(set) var struck: [Fault: Int] = [:]
    /// Bytes that may be taken before the reserve is touched, clips included.
    var roomBytes: Int64 = 4 << 20
    /// Whether somebody else has filled the disk.
    var isFilled = false

    /// How the shell is broken on purpose.
    let breaks: Set<ShellBreak>

    init(_ virtualTime: VirtualTime, breaks: Set<ShellBreak>) {
        self.virtualTime = virtualTime
        self.breaks = breaks
    }

    /// Notes that a fault has struck.
    func strikes(_ fault: Fault, times: Int = 1) { struck[fault, default: 0] += times }

    /// Whether this sync of a clip's files lies.
    func lies(_ step: DiskStep) -> Bool {
        guard liesNext, step == .syncFile || step == .finishFile else { return false }
        liesNext = false
        return true
    }

    /// Lets a removal wait where a power cut may undo it; `wait` is given for how long, in milliseconds.
    func holdRemoval(_ wait: (Int64) -> Bool) throws {
        (holdsRemoval, isRemoving) = (false, true)
        defer { isRemoving = false }
        lastTrouble = virtualTime.now + 60_000
        guard wait(60_000) else { throw Killed() }
    }

    /// Whether the disk is fine and has been for `ms` milliseconds.
    func isCalm(sinceMs ms: Int64) -> Bool { disk == .fine && virtualTime.now - lastTrouble >= ms }

    func startDelay(of label: String) -> Int64 {
        guard virtualTime.random.chance(10) else { return 0 }
        return virtualTime.random.number(0...lateness)
    }

    func timerDelay() -> Int64 { virtualTime.random.chance(20) ? virtualTime.random.number(0...lateness) : 0 }

    /// How long after its arrival a frame is handed over.
    func handoverDelay() -> Int64 {
        virtualTime.random.chance(20) ? virtualTime.random.number(0...min(lateness, Self.handoverMs)) : 0
    }

    /// The longest that it was until now.
    var handoverMax: Int64 { min(latenessMax, Self.handoverMs) }
    private static let handoverMs: Int64 = 300

    /// Whether a step on the disk in the work that now begins on a virtual queue may make it wait.
    func mayWait(_ label: String) -> Bool {
        // A camera's machine never touches the disk.
        if label.hasPrefix("vigil.camera.") { return false }
        if stallsNext || holdsRemoval { return true }
        switch disk {
        case .slow, .hung: return true
        case .fine, .failing, .full, .readOnly, .gone: return virtualTime.random.chance(3)
        }
    }

    /// How long a step takes.
    func duration(_ step: DiskStep) -> Int64 {
        if stallsNext {
            stallsNext = false
            lastTrouble = virtualTime.now + 60_000
            strikes(.stall)
            return 60_000
        }
        switch disk {
        case .slow(let most): return virtualTime.random.chance(30) ? virtualTime.random.number(1...most) : 0
        case .hung(let until): return max(0, until - virtualTime.now)
        case .fine, .failing, .full, .readOnly, .gone:
            return virtualTime.random.chance(30) ? virtualTime.random.number(1...200) : 0
        }
    }

    /// What a step fails with; nil if it does not.
    func failure(_ step: DiskStep) -> SystemCallFault? {
        switch disk {
        case .fine, .slow, .hung: return nil
        case .failing(let fault, let percent):
            guard fault == .eio || step == .write, virtualTime.random.chance(percent) else { return nil }
            let bytes = fault == .torn ? Int(virtualTime.random.number(1...400)) : 0
            return SystemCallFault(fault: fault, code: EIO, bytes: bytes)
        case .gone: return SystemCallFault(fault: .eio, code: EIO)
        case .readOnly: return SystemCallFault(fault: .erofs, code: EROFS)
        case .full(let fault):
            switch step {
            case .makeFolder, .createFile, .insertRow, .write, .closeRow, .event, .heartbeat, .subscription, .upload:
                return SystemCallFault(fault: fault, code: fault == .edquot ? EDQUOT : ENOSPC)
            case .syncFolder, .syncFile, .finishFile, .delete, .recover: return nil
            }
        }
    }

    /// Whether a failure is met in a system call of the step, rather than before it.
    func failsWithin(_ step: DiskStep) -> Bool {
        // A disk that is gone has nothing to write to.
        disk != .gone && SystemCallFault.calls(of: step) != 0 && virtualTime.random.chance(70)
    }
}

/// What a step on the simulated disk failed with.
struct DiskFault: Error, CustomStringConvertible {
    let step: DiskStep
    let path: String
    let code: Int32

    var description: String {
        "the simulated disk failed: \(step.rawValue) \(path): \(String(cString: strerror(code)))"
    }
}

/// The process was killed while it was in a step; nothing that it does after this counts.
struct Killed: Error {}
