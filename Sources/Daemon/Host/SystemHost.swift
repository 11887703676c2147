internal import CSystemd
internal import Foundation
package import Journal
package import Media
package import Provider

/// This machine.
package struct SystemHost: Host {
    package let clock: any Clocks = MachineClock()
    package let motionPool: MotionPool? = MotionPool()
    private let slabs = SlabPool()
    private let limits = InputLimits()

    /// This machine.
    package init() {}

    package func queue(_ label: String) -> any WorkQueue { ThreadQueue(label) }

    package func dial(_ camera: String, _ source: InputSource, to sink: any InputSink) -> any Dial {
        Input(name: camera, source: source, limits: limits, pool: slabs, sink: sink)
    }

    package func volume(_ root: String) -> any Volume { FileSystemVolume(root: root) }

    package func disk<Result>(_ step: DiskStep, _ path: String, _ work: () throws -> Result) throws -> Result {
        try work()
    }

    package func plans(
        _ request: PlanRequest, _ answer: @escaping @Sendable (Result<[UInt8], PlanFailure>) -> Void
    ) -> any PlanCall {
        PlanTask(
            task: Task {
                do throws(PlanFailure) { answer(.success(try await request.send())) } catch { answer(.failure(error)) }
            })
    }

    package func clipToken() -> String? { nil }

    package func releaseMemory() { slabs.releaseIdle() }
}

extension Input: Dial {}

/// A question to a provider over the network.
private struct PlanTask: PlanCall {
    let task: Task<Void, Never>

    func cancel() { task.cancel() }
}

/// The file system that holds the storage root.
private struct FileSystemVolume: Volume {
    let root: String

    func place() -> VolumePlace? {
        var (device, inode): (UInt64, UInt64) = (0, 0)
        guard vigil_file_place(root, &device, &inode) else { return nil }
        return VolumePlace(device: device, inode: inode)
    }

    func room() -> (capacity: Int64, free: Int64)? {
        var info = statvfs()
        guard statvfs(root, &info) == 0 else { return nil }
        let block = Int64(clamping: info.f_frsize)
        return (
            Int64(clamping: info.f_blocks).multipliedClamped(by: block),
            Int64(clamping: info.f_bavail).multipliedClamped(by: block)
        )
    }

    func probe() -> String? {
        let path = root + "/.probe"
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return "cannot create a file: \(String(cString: strerror(errno)))" }
        defer {
            close(file)
            unlink(path)
        }
        let bytes = [UInt8](repeating: 0x56, count: 4_096)
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            return "cannot write: \(String(cString: strerror(errno)))"
        }
        return nil
    }

    /// Marks of deletions and a shared memory of the database need a few pages; more makes place for a log that has grown.
    private static let spareBytes: off_t = 4 << 20
    private var sparePath: String { root + "/.spare" }

    func keepSpare() -> Bool {
        let file = Glibc.open(sparePath, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        if posix_fallocate(file, 0, Self.spareBytes) == 0 { return true }
        unlink(sparePath)
        return false
    }

    func giveSpare() -> Bool { unlink(sparePath) == 0 }
}

extension Int64 {
    /// The product, saturating.
    fileprivate func multipliedClamped(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
