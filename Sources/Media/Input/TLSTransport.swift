import CLibav
import Glibc
import Machines

/// TLS over TCP through libav, which brings its own sockets and does not show them. A wait that is interrupted inside of
/// libav ends the TLS session, so a read's deadline must be one at which the connection is given up anyway.
final class TLSTransport: ByteTransport {
    /// A read that took less did not have to wait, so more may be there.
    private static let promptMs: Int64 = 1

    private let interrupt: Interrupt
    private var io: UnsafeMutablePointer<AVIOContext>?
    /// TLS cameras are read interleaved only.
    var peer: SocketAddress? { nil }
    let canReturnEarly = false
    private(set) var mayHaveMore = false

    init(host: String, port: UInt16, rules: TLSRules, deadline: Int64, stop: StopSignal) throws(InputFault) {
        interrupt = Interrupt(stop: stop)
        interrupt.deadline = deadline
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "tls_verify", rules.verify ? "1" : "0", 0)
        av_dict_set(&options, "verifyhost", host, 0)
        if let file = rules.authorityFile { av_dict_set(&options, "ca_file", file, 0) }
        let name = host.contains(":") ? "[\(host)]" : host
        var callback = interrupt.callback
        // Writing unbuffered and reading in one large buffer: libav's own buffer is bypassed for large reads.
        let code = avio_open2(
            &io, "tls://\(name):\(port)", AVIO_FLAG_READ_WRITE | AVIO_FLAG_DIRECT, &callback, &options)
        guard code >= 0 else {
            if stop.isRaised { throw .stopped }
            if interrupt.isLate { throw .failed(.timeout, "no TLS connection in time") }
            throw LibavFault.fault(code, "cannot open the TLS connection", otherwise: .tls)
        }
    }

    deinit { avio_closep(&io) }

    func read(into buffer: UnsafeMutableRawBufferPointer, deadline: Int64) throws(InputFault) -> Int? {
        interrupt.deadline = deadline
        guard let base = buffer.assumingMemoryBound(to: UInt8.self).baseAddress else { return nil }
        let begin = BootClock.nowMs()
        let code = avio_read_partial(io, base, Int32(clamping: buffer.count))
        mayHaveMore = BootClock.nowMs() - begin <= TLSTransport.promptMs
        if code > 0 { return Int(code) }
        if interrupt.stop.isRaised { throw .stopped }
        if interrupt.isLate { return nil }
        let cause = code == 0 ? vigil_averror_eof : code
        throw LibavFault.fault(cause, "the TLS connection broke", otherwise: .closed)
    }

    func write(_ bytes: [UInt8], deadline: Int64) throws(InputFault) {
        interrupt.deadline = deadline
        avio_write(io, bytes, Int32(clamping: bytes.count))
        avio_flush(io)
        let code = io?.pointee.error ?? 0
        guard code >= 0 else {
            if interrupt.stop.isRaised { throw .stopped }
            if interrupt.isLate { throw .failed(.timeout, "the camera takes no data") }
            throw LibavFault.fault(code, "the TLS connection broke", otherwise: .closed)
        }
    }
}
