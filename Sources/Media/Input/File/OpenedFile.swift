import CLibav
import Glibc
import Machines

/// A regular file that libav reads through a descriptor of ours, so that nothing can take its place between the look at what it is
/// and the reading. Its demuxer opens nothing else: a list in the file that names others is no list. Blocks on the disk.
///
/// Used by the thread that reads; outlives the format that has its `context`.
final class OpenedFile {
    private static let bufferBytes = 32 << 10

    private let descriptor: Int32
    private let interrupt: Interrupt
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// Opens what is at `path`, through symbolic links, unless it is no regular file. `looked` is called between the look and the
    /// opening.
    init(_ path: String, interrupt: Interrupt, looked: () -> Void = {}) throws(InputFault) {
        self.interrupt = interrupt
        // Opening a device may do something already, and opening a pipe waits for somebody who writes into it.
        var found = stat()
        if stat(path, &found) == 0, !Self.isRegular(found) { throw Self.strange }
        looked()
        // Not blocking, and no terminal of ours, if something else is there by now.
        let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard opened >= 0 else {
            let code = errno
            // What a socket gives.
            if code == ENXIO { throw Self.strange }
            throw LibavFault.fault(vigil_averror(code), "cannot open the file", otherwise: .garbage)
        }
        guard fstat(opened, &found) == 0, Self.isRegular(found) else {
            close(opened)
            throw Self.strange
        }
        descriptor = opened
        context = Self.context(of: self)
        guard context != nil else { throw .failed(.resources, "no memory") }
    }

    deinit {
        if let context {
            av_freep(&context.pointee.buffer)
            avio_context_free(&self.context)
        }
        close(descriptor)
    }

    /// Lets `format` read this file, and nothing besides.
    func hand(to format: UnsafeMutablePointer<AVFormatContext>) {
        format.pointee.pb = context
        format.pointee.io_open = { _, _, _, _, _ in vigil_averror(EACCES) }
        // Some demuxers open others by themselves, which have this list from it: no protocol has this name.
        format.pointee.protocol_whitelist = av_strdup("none")
    }

    private static let strange = InputFault.failed(.unsupported, "what is at the path is no regular file")

    private static func isRegular(_ found: stat) -> Bool { found.st_mode & S_IFMT == S_IFREG }

    private static func context(of file: OpenedFile) -> UnsafeMutablePointer<AVIOContext>? {
        guard let buffer = av_malloc(bufferBytes) else { return nil }
        let context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(clamping: bufferBytes), 0,
            Unmanaged.passUnretained(file).toOpaque(),
            { opaque, bytes, count in
                guard let opaque, let bytes else { return vigil_averror(EINVAL) }
                return Unmanaged<OpenedFile>.fromOpaque(opaque).takeUnretainedValue().read(into: bytes, count)
            }, nil,
            { opaque, offset, whence in
                guard let opaque else { return Int64(vigil_averror(EINVAL)) }
                return Unmanaged<OpenedFile>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
            })
        if context == nil { av_free(buffer) }
        return context
    }

    private func read(into bytes: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
        if interrupt.stop.isRaised || interrupt.isLate { return vigil_averror_exit }
        guard let granted = interrupt.grant(Int(max(0, count))) else { return vigil_averror_exit }
        while true {
            let got = Glibc.read(descriptor, bytes, granted)
            if got > 0 {
                interrupt.spend(got)
                return Int32(clamping: got)
            }
            if got == 0 { return vigil_averror_eof }
            if errno != EINTR { return vigil_averror(errno) }
        }
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        var found = stat()
        if whence & AVSEEK_SIZE != 0 {
            return fstat(descriptor, &found) == 0 ? Int64(found.st_size) : Int64(vigil_averror(errno))
        }
        let place = lseek(descriptor, Int(offset), whence & ~AVSEEK_FORCE)
        return place >= 0 ? Int64(place) : Int64(vigil_averror(errno))
    }
}
