internal import AsyncHTTPClient
internal import Exchange
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// What keeps a request from an answer, by its class: the errors of the HTTP library and of what is under it, mapped once.
enum TransportErrors {
    /// The class of an error that is not ours.
    static func cause(_ error: any Error) -> StoreError.Cause {
        switch error {
        case let error as HTTPClientError: cause(error)
        case let error as NIOSSLError: cause(error)
        case let error as BoringSSLError: .tls(text(error))
        // The certificate is for another name.
        case is NIOSSLExtraError: .tls(text(error))
        case let error as NIOConnectionError: .unreachable(text(error))
        case let error as IOError: .unreachable(text(error))
        case let error as ChannelError: .unreachable(text(error))
        // The connection ended amid the answer: the parser waits for more of it.
        case HTTPParserError.invalidEOFState: .unreachable("the connection was cut amid the answer")
        case let error as AnswerOrder.Violation: .invalid("\(error)")
        case let error as HTTPParserError: .invalid("the answer is no HTTP: \(text(error))")
        default: .unreachable(text(error))
        }
    }

    private static func cause(_ error: HTTPClientError) -> StoreError.Cause {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout: .unreachable("no connection in time")
        case .tlsHandshakeTimeout: .unreachable("no TLS in time")
        case .readTimeout, .writeTimeout, .deadlineExceeded: .unreachable("no answer in time")
        case .remoteConnectionClosed, .uncleanShutdown: .unreachable("the connection was cut")
        case .bodyLengthMismatch: .source("its length changed while it was sent")
        case .invalidURL, .emptyHost, .emptyScheme: .invalid("the endpoint is no address")
        default: .unreachable(error.shortDescription)
        }
    }

    private static func cause(_ error: NIOSSLError) -> StoreError.Cause {
        switch error {
        // Who hangs up amid the handshake has shown no certificate that could be wrong.
        case .handshakeFailed(.sslError([.eofDuringHandshake])):
            .unreachable("the connection was cut amid the handshake")
        case .handshakeFailed(.sslError(let stack)): .tls(stack.first.map { line("\($0)") } ?? "the handshake failed")
        case .handshakeFailed, .shutdownFailed, .uncleanShutdown, .writeDuringTLSShutdown:
            .unreachable("the connection was cut (\(text(error)))")
        case .unableToValidateCertificate, .noCertificateToValidate, .cannotFindPeerIP, .cannotMatchULabel:
            .tls(text(error))
        case .noSuchFilesystemObject, .failedToLoadCertificate: .tls("the CA file cannot be read")
        default: .unreachable(text(error))
        }
    }

    /// An error in one bounded line.
    static func text(_ error: any Error) -> String { line("\(error)") }

    private static func line(_ text: String) -> String { ErrorAnswer.line(text) ?? "no reason told" }
}
