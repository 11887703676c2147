internal import CSystemd
internal import Foundation
internal import Journal
internal import Machines
internal import Server
internal import ServiceLifecycle
internal import Synchronization

/// Looks at what the process uses of its limits, and says so before the kernel does; and at how many records of the journal each
/// camera causes.
///
/// `@unchecked Sendable`: `timer`, `looks` and `hasLetGo` are confined to `queue`.
final class LimitMonitor: Service, @unchecked Sendable {
    /// How often it looks, in milliseconds.
    static let intervalMs: Int64 = 2_000
    /// From how many percent of a limit on it is near, and below how many it is no longer.
    static let nearPercent = 85
    static let clearPercent = 75

    /// Memory that was freed is given back to the system each so many looks, where it is at least so much, and after the first so
    /// many, when the start is over.
    private static let looksPerReturn = 15
    private static let returnBytesMin = 16 << 20
    /// Of the machine, in bytes.
    private static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

    private let pool: CameraPool
    private let journal: Journal
    private let queue: any WorkQueue
    private let read: @Sendable () -> [ProcessLimit: ProcessLimit.Use]
    /// Lets others give up what they keep for work that is over; may not block.
    private let letGo: @Sendable () -> Void
    private let seen = Mutex<[ProcessLimit: (use: ProcessLimit.Use, isNear: Bool)]>([:])
    private var timer: (any WakeTimer)?
    private var looks = 0
    /// That others were let go at the look before.
    private var hasLetGo = false

    init(
        pool: CameraPool, host: any Host, journal: Journal,
        read: @escaping @Sendable () -> [ProcessLimit: ProcessLimit.Use] = { ProcessLimit.present() },
        letGo: @escaping @Sendable () -> Void = {}
    ) {
        self.letGo = letGo
        self.pool = pool
        self.journal = journal
        self.read = read
        queue = host.queue("vigil.limits")
    }

    func run() async throws {
        queue.run {
            self.timer = self.queue.timer {
                self.look()
                self.giveBack()
                self.timer?.set(afterMs: Self.intervalMs)
            }
            self.timer?.set(afterMs: 0)
        }
        try? await gracefulShutdown()
        queue.run {
            self.timer?.set(afterMs: nil)
            self.timer = nil
        }
    }

    /// Gives back what the start alone needed, and what many cameras, clients or large pictures did that have gone.
    private func giveBack() {
        looks += 1
        if hasLetGo {
            // A look later, when others have let go.
            _ = vigil_give_memory_back(0)
            giveProgramBack()
            hasLetGo = false
        } else if looks.isMultiple(of: Self.looksPerReturn) {
            hasLetGo = vigil_give_memory_back(Self.returnBytesMin) || looks == Self.looksPerReturn
            if hasLetGo { letGo() }
        }
    }

    /// The pages of the program. Not where a debugger is (proc_pid_status(5), `TracerPid`): its breakpoints would go with the pages.
    private func giveProgramBack() {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            status.split(separator: "\n").contains("TracerPid:\t0")
        else { return }
        vigil_give_program_back(Self.pageBytes)
    }

    /// What is used of each limit that there is.
    var states: [LimitState] {
        seen.withLock { seen in
            ProcessLimit.allCases.compactMap { kind in
                seen[kind].map {
                    LimitState(
                        name: kind.rawValue, used: Int64($0.use.used), limit: Int64($0.use.limit), isNear: $0.isNear)
                }
            }
        }
    }

    /// The limits that are near, in words; nil if none is.
    var complaint: String? {
        let near = states.filter(\.isNear).map { "\($0.name) \($0.used) of \($0.limit)" }
        return near.isEmpty ? nil : "near the limit: " + near.joined(separator: ", ")
    }

    /// Looks once.
    func look() {
        for (kind, use) in read().sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let (wasNear, isNear) = seen.withLock { seen in
                let wasNear = seen[kind]?.isNear ?? false
                let isNear = use.percent >= (wasNear ? Self.clearPercent : Self.nearPercent)
                seen[kind] = (use, isNear)
                return (wasNear, isNear)
            }
            guard isNear != wasNear else { continue }
            journal.send(
                isNear ? .limitNear : .limitClear,
                fields: [(.why, kind.rawValue), (.detail, "\(use.used) of \(use.limit)")])
        }
        for camera in pool.all { camera.shell.meter.note(records: journal.recordsInMinute(of: camera.name)) }
    }
}
