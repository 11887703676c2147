internal import CGnuTLS
import Glibc
import Machines

/// TLS over TCP (RFC 8446) by GnuTLS, on a socket of our own: every wait has a deadline and hears the stop signal.
final class TLSTransport: ByteTransport {
    private let tcp: TCPTransport
    private let session: gnutls_session_t
    private let credentials: gnutls_certificate_credentials_t
    private let stop: StopSignal
    /// TLS cameras are read interleaved only.
    var peer: SocketAddress? { nil }
    private(set) var mayHaveMore = false

    func boundUnsent(bytes: Int32, ms: Int32) { tcp.boundUnsent(bytes: bytes, ms: ms) }

    /// Connects to `host`, shakes hands, and looks at the certificate as `rules` say.
    static func connect(
        host: String, port: UInt16, rules: TLSRules, deadline: Int64, stop: StopSignal
    ) throws(InputFault) -> TLSTransport {
        let tcp = try TCPTransport.connect(host: host, port: port, deadline: deadline, stop: stop)
        let transport = try TLSTransport(tcp, stop: stop)
        try transport.trust(rules.authorityFile)
        // An address is no name to ask for (RFC 6066, 3).
        if !isAddress(host) {
            _ = gnutls_server_name_set(transport.session, GNUTLS_NAME_DNS, host, host.utf8.count)
        }
        try transport.shakeHands(deadline: deadline)
        if rules.verification != .none { try transport.verify(host: rules.verification == .full ? host : nil) }
        return transport
    }

    private init(_ tcp: TCPTransport, stop: StopSignal) throws(InputFault) {
        self.tcp = tcp
        self.stop = stop
        var credentials: gnutls_certificate_credentials_t?
        guard gnutls_certificate_allocate_credentials(&credentials) >= 0, let credentials else {
            throw .failed(.resources, "no memory for TLS")
        }
        var session: gnutls_session_t?
        guard vigil_tls_client(&session, tcp.descriptor) >= 0, let session else {
            gnutls_certificate_free_credentials(credentials)
            throw .failed(.resources, "no memory for TLS")
        }
        self.credentials = credentials
        self.session = session
        gnutls_set_default_priority(session)
        gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
    }

    deinit {
        // Said if it can be said at once.
        gnutls_bye(session, GNUTLS_SHUT_WR)
        gnutls_deinit(session)
        gnutls_certificate_free_credentials(credentials)
    }

    // MARK: - The begin

    /// Believes the authorities in `file`, or the system's.
    private func trust(_ file: String?) throws(InputFault) {
        guard let file else {
            _ = gnutls_certificate_set_x509_system_trust(credentials)
            return
        }
        let count = gnutls_certificate_set_x509_trust_file(credentials, file, GNUTLS_X509_FMT_PEM)
        guard count > 0 else {
            let why = count < 0 ? Self.text(count) : "it holds no certificate"
            throw .failed(.tls, "the file of tls.ca cannot be used: \(why)")
        }
    }

    private func shakeHands(deadline: Int64) throws(InputFault) {
        while true {
            let code = gnutls_handshake(session)
            guard code < 0 else { return }
            if stop.isRaised { throw .stopped }
            if code == GNUTLS_E_AGAIN {
                guard try wait(deadline: deadline) else { throw .failed(.timeout, "no TLS connection in time") }
            } else if gnutls_error_is_fatal(code) != 0 {
                throw .failed(.tls, "cannot open the TLS connection: \(Self.text(code))")
            } else if BootClock.nowMs() >= deadline {
                // Warnings without end.
                throw .failed(.timeout, "no TLS connection in time")
            }
        }
    }

    /// Whether the camera's certificate is valid, for `host` where one is given.
    private func verify(host: String?) throws(InputFault) {
        var status: UInt32 = 0
        let code = gnutls_certificate_verify_peers3(session, host, &status)
        guard code >= 0 else { throw .failed(.tls, "the camera's certificate cannot be read: \(Self.text(code))") }
        guard status == 0 else { throw .failed(.tls, CertificateFlaw(status, expiry: vigil_tls_expiry(session)).text) }
    }

    private static func isAddress(_ host: String) -> Bool {
        var room = in6_addr()
        return inet_pton(AF_INET, host, &room) == 1 || inet_pton(AF_INET6, host, &room) == 1
    }

    // MARK: - Reading and writing

    func read(into buffer: UnsafeMutableRawBufferPointer, deadline: Int64) throws(InputFault) -> Int? {
        guard let base = buffer.baseAddress else { return nil }
        // One record a call: behind one that was there already lies the next, which GnuTLS has not taken from the socket.
        mayHaveMore = true
        while true {
            if stop.isRaised { throw .stopped }
            let count = gnutls_record_recv(session, base, buffer.count)
            if count > 0 { return count }
            let code = Int32(clamping: count)
            switch code {
            case 0, GNUTLS_E_PREMATURE_TERMINATION: throw .failed(.closed, "the camera closed the connection")
            case GNUTLS_E_AGAIN, GNUTLS_E_INTERRUPTED:
                mayHaveMore = false
                // What is no data may come without end, so the deadline is looked at in each turn.
                guard try wait(deadline: deadline) else { return nil }
            default: throw .failed(.closed, "the TLS connection broke: \(Self.text(code))")
            }
        }
    }

    func gather(bytes: Int32, deadline: Int64) throws(InputFault) {
        try tcp.gather(bytes: bytes, deadline: deadline)
    }

    func write(_ bytes: [UInt8], deadline: Int64) throws(InputFault) {
        var sent = 0
        while sent < bytes.count {
            if stop.isRaised { throw .stopped }
            let count = bytes.withUnsafeBytes { all in
                let rest = all.part(from: sent)
                return gnutls_record_send(session, rest.baseAddress, rest.count)
            }
            if count > 0 {
                sent += count
                continue
            }
            let code = Int32(clamping: count)
            guard code == GNUTLS_E_AGAIN || code == GNUTLS_E_INTERRUPTED else {
                throw .failed(.closed, "the TLS connection broke: \(Self.text(code))")
            }
            guard try wait(deadline: deadline) else { throw .failed(.timeout, "the camera takes no data") }
        }
    }

    /// Waits until the socket gives or takes what GnuTLS was stopped at; false at the deadline.
    private func wait(deadline: Int64) throws(InputFault) -> Bool {
        let isWriting = gnutls_record_get_direction(session) == 1
        return isWriting
            ? try tcp.wait(Int16(POLLOUT), deadline: deadline) : try tcp.awaitBytes(1, deadline: deadline)
    }

    /// GnuTLS's own words for `code`.
    private static func text(_ code: Int32) -> String {
        gnutls_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
