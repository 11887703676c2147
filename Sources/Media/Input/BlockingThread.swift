import CLibav
import Glibc

/// Threads for what blocks.
enum BlockingThread {
    private final class Work {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }

    /// Runs `body` on a thread of its own, which ends with it. 0, or the system's number for why there can be no thread.
    ///
    /// - Parameters:
    ///   - name: its name, of which the kernel takes 15 bytes.
    ///   - stackBytes: its stack, in bytes; 256 KiB at least.
    static func start(named name: String, stackBytes: Int, _ body: @escaping @Sendable () -> Void) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, max(stackBytes, 256 << 10))
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Work(name, body))
        let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
            guard let pointer else { return nil }
            let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
            vigil_name_thread(String(decoding: work.name.utf8.prefix(15), as: UTF8.self))
            work.body()
            return nil
        }
        let code = pthread_create(&thread, &attributes, run, box.toOpaque())
        if code != 0 { box.release() }
        return code
    }
}
