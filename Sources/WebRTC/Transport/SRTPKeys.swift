internal import CGnuTLS
internal import CSRTP

/// The master keys of both directions with their salts (RFC 5764, 4.2): secrets, which nothing prints.
struct SRTPKeys: CustomStringConvertible, CustomReflectable {
    fileprivate let ofViewer: [UInt8]
    fileprivate let ofServer: [UInt8]

    /// The keys of a session whose handshake is over; nil where it did not agree on SRTP.
    init?(_ session: gnutls_session_t) {
        var (client, clientSalt, server, serverSalt) =
            (gnutls_datum_t(), gnutls_datum_t(), gnutls_datum_t(), gnutls_datum_t())
        var material = [UInt8](repeating: 0, count: 128)
        let (ofViewer, ofServer) = material.withUnsafeMutableBytes { material -> ([UInt8], [UInt8]) in
            let code = gnutls_srtp_get_keys(
                session, material.baseAddress, UInt32(clamping: material.count), &client, &clientSalt, &server,
                &serverSalt)
            guard code >= 0 else { return ([], []) }
            func bytes(_ datum: gnutls_datum_t) -> [UInt8] {
                Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
            }
            return (bytes(client) + bytes(clientSalt), bytes(server) + bytes(serverSalt))
        }
        // 16 bytes of key and 14 of salt: the one profile that is offered.
        guard ofViewer.count == 30, ofServer.count == 30 else { return nil }
        (self.ofViewer, self.ofServer) = (ofViewer, ofServer)
    }

    var description: String { "keys (hidden)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// What protects one viewer's packets (RFC 3711). For one thread.
final class SRTPSession {
    /// The most bytes by which protection may make a packet longer: what the library asks for (SRTP_MAX_TRAILER_LEN, and the 4
    /// bytes more of RTCP), of which the profile in use takes 14.
    static let trailerBytes = 148
    /// From how many sources packets are taken: each costs memory.
    private static let sourcesMax = 4
    /// Whether the library is ready.
    private static let isReady = srtp_init() == srtp_err_status_ok

    private let outgoing: srtp_t
    private let incoming: srtp_t
    private var sources: [UInt32] = []

    /// Protection with these keys; nil where the library refuses.
    init?(_ keys: SRTPKeys) {
        var (outgoing, incoming): (srtp_t?, srtp_t?) = (nil, nil)
        guard Self.isReady, vigil_srtp_create(&outgoing, keys.ofServer, true) == srtp_err_status_ok, let outgoing
        else { return nil }
        guard vigil_srtp_create(&incoming, keys.ofViewer, false) == srtp_err_status_ok, let incoming else {
            srtp_dealloc(outgoing)
            return nil
        }
        (self.outgoing, self.incoming) = (outgoing, incoming)
    }

    deinit {
        srtp_dealloc(outgoing)
        srtp_dealloc(incoming)
    }

    /// Protects a packet of RTP in place; `bytes` have room for `trailerBytes` more. Its size then, or nil.
    func protect(_ bytes: UnsafeMutableRawBufferPointer, count: Int) -> Int? {
        var size = Int32(clamping: count)
        guard srtp_protect(outgoing, bytes.baseAddress, &size) == srtp_err_status_ok else { return nil }
        return Int(size)
    }

    /// The same of a compound of RTCP.
    func protectControl(_ bytes: UnsafeMutableRawBufferPointer, count: Int) -> Int? {
        var size = Int32(clamping: count)
        guard srtp_protect_rtcp(outgoing, bytes.baseAddress, &size) == srtp_err_status_ok else { return nil }
        return Int(size)
    }

    /// Opens a compound of RTCP in place; its size, or nil where it is not the viewer's.
    func openControl(_ bytes: UnsafeMutableRawBufferPointer) -> Int? {
        open(bytes, sourceAt: 4) { srtp_unprotect_rtcp(incoming, $0, &$1) }
    }

    /// Opens a packet of RTP in place; its size, or nil where it is not the viewer's.
    func open(_ bytes: UnsafeMutableRawBufferPointer) -> Int? {
        open(bytes, sourceAt: 8) { srtp_unprotect(incoming, $0, &$1) }
    }

    private func open(
        _ bytes: UnsafeMutableRawBufferPointer, sourceAt place: Int,
        _ unprotect: (UnsafeMutableRawPointer?, inout Int32) -> srtp_err_status_t
    ) -> Int? {
        guard bytes.count >= place + 4 else { return nil }
        let source = UnsafeRawBufferPointer(bytes).uint32(place)
        let isKnown = sources.contains(source)
        guard isKnown || sources.count < Self.sourcesMax else { return nil }
        var size = Int32(clamping: bytes.count)
        guard unprotect(bytes.baseAddress, &size) == srtp_err_status_ok else { return nil }
        if !isKnown { sources.append(source) }
        return Int(size)
    }
}
