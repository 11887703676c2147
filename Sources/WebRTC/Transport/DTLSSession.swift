internal import CGnuTLS
internal import Glibc

/// One viewer's DTLS (RFC 6347), from which come the keys of its SRTP (RFC 5764). Never waits: it is given datagrams, and gives
/// datagrams. For one thread.
final class DTLSSession {
    /// What became of it.
    enum State {
        /// The handshake is under way.
        case shaking
        /// The viewer is who made the offer.
        case open(SRTPKeys)
        /// It is over, and why.
        case over(String)
    }

    /// The most bytes of a datagram that it gives.
    private static let mtu: UInt32 = 1_200

    private let session: gnutls_session_t
    // Keeps what the session uses.
    private let identity: DTLSIdentity
    private let expected: [Fingerprint]
    private let send: (UnsafeRawBufferPointer) -> Void
    /// The datagram that is being taken; nil when it was.
    private var incoming: UnsafeRawBufferPointer?
    private(set) var state = State.shaking
    private var isWaiting = false

    /// A session that waits for the viewer's first datagram, and takes only a certificate of one of these sums.
    init(
        _ identity: DTLSIdentity, expecting fingerprints: [Fingerprint],
        send: @escaping (UnsafeRawBufferPointer) -> Void
    ) throws(TransportProblem) {
        var session: gnutls_session_t?
        func check(_ step: String, _ code: Int32) throws(TransportProblem) {
            if code < 0 { throw TransportProblem(description: "cannot \(step): \(Self.words(code))") }
        }
        try check("begin DTLS", vigil_dtls_server(&session, Self.mtu))
        guard let session else { throw TransportProblem(description: "cannot begin DTLS") }
        self.session = session
        self.identity = identity
        expected = fingerprints
        self.send = send
        try check("set what DTLS may use", gnutls_priority_set_direct(session, "NORMAL:-VERS-ALL:+VERS-DTLS1.2", nil))
        let credentials = UnsafeMutableRawPointer(identity.credentials)
        try check("set the certificate", gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials))
        gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUIRE)
        gnutls_transport_set_ptr(session, Unmanaged.passUnretained(self).toOpaque())
        gnutls_transport_set_push_function(session) { pointer, bytes, count in
            guard let pointer, let bytes else { return -1 }
            let session = Unmanaged<DTLSSession>.fromOpaque(pointer).takeUnretainedValue()
            session.send(UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        }
        gnutls_transport_set_pull_function(session) { pointer, bytes, count in
            guard let pointer, let bytes else { return -1 }
            return Unmanaged<DTLSSession>.fromOpaque(pointer).takeUnretainedValue().pull(bytes, count)
        }
        gnutls_transport_set_pull_timeout_function(session) { pointer, _ in
            guard let pointer else { return -1 }
            return Unmanaged<DTLSSession>.fromOpaque(pointer).takeUnretainedValue().incoming == nil ? 0 : 1
        }
    }

    deinit { gnutls_deinit(session) }

    private func pull(_ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
        guard let datagram = incoming, let base = datagram.baseAddress, datagram.count <= count else {
            gnutls_transport_set_errno(session, EAGAIN)
            return -1
        }
        incoming = nil
        bytes.copyMemory(from: base, byteCount: datagram.count)
        return datagram.count
    }

    /// Takes a datagram.
    func take(_ datagram: UnsafeRawBufferPointer) {
        incoming = datagram
        defer { incoming = nil }
        if case .shaking = state { shake() }
        if case .open = state { read() }
    }

    /// How long until `goOn` has something to do, in milliseconds; nil where only the viewer can go on.
    var timeoutMs: Int64? {
        guard case .shaking = state, isWaiting else { return nil }
        return Int64(gnutls_dtls_get_timeout(session))
    }

    /// Sends again what was not answered.
    func goOn() { if case .shaking = state, isWaiting { shake() } }

    /// Tells the viewer that it is over.
    func close() {
        if case .open = state { gnutls_bye(session, GNUTLS_SHUT_WR) }
        state = .over("closed")
    }

    private func shake() {
        let code = gnutls_handshake(session)
        isWaiting = true
        if code >= 0 { return finish() }
        guard gnutls_error_is_fatal(code) != 0 else { return }
        state = .over("the handshake failed: \(Self.words(code))")
    }

    private func finish() {
        guard let problem = checkCertificate() else {
            if let keys = SRTPKeys(session) { state = .open(keys) } else { state = .over("SRTP was not agreed on") }
            return
        }
        gnutls_alert_send(session, GNUTLS_AL_FATAL, GNUTLS_A_BAD_CERTIFICATE)
        state = .over(problem)
    }

    /// What speaks against the viewer's certificate.
    private func checkCertificate() -> String? {
        var count: UInt32 = 0
        guard let list = gnutls_certificate_get_peers(session, &count), count > 0 else {
            return "the viewer has shown no certificate"
        }
        let certificate = UnsafeRawBufferPointer(start: list[0].data, count: Int(list[0].size))
        let isKnown = expected.contains { Fingerprint.of(certificate, $0.hash) == $0 }
        return isKnown ? nil : "the viewer's certificate is not that of its offer"
    }

    /// Nothing is sent in it but alerts, and what the viewer repeats.
    private func read() {
        withUnsafeTemporaryAllocation(byteCount: 2_048, alignment: 8) { bytes in
            for _ in 0..<4 {
                let code = gnutls_record_recv(session, bytes.baseAddress, bytes.count)
                if code > 0 { continue }
                let number = Int32(clamping: code)
                if code == 0 { state = .over("the viewer left") }
                if code < 0, gnutls_error_is_fatal(number) != 0 { state = .over(Self.words(number)) }
                return
            }
        }
    }

    private static func words(_ code: Int32) -> String {
        gnutls_strerror(code).map { String(cString: $0) } ?? "\(code)"
    }
}
