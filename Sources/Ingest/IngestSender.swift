internal import AsyncHTTPClient
internal import Exchange
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Whoever puts objects at a publishing point.
package protocol IngestSender: Sendable {
    /// Puts an object; nil: it was taken. Ends within a bound of its own, and soon after the task is cancelled.
    func put(_ object: IngestObject, at point: IngestPoint) async -> IngestFailure?

    /// Ends its connections; afterwards it puts nothing.
    func shutdown() async
}

/// Why an object was not taken. Holds no secret.
public struct IngestFailure: Error, Hashable, Sendable {
    /// What follows from it.
    public enum Kind: Hashable, Sendable {
        /// Nobody answers, or the receiver cannot take it now: 408, 425, 429, 5xx. The same is put again.
        case later
        /// The receiver lacks the header of the track (412): it is put again, and then the same.
        case header
        /// The receiver does not want it, or cannot be trusted: other answers. A few tries, then the session is given up.
        case refused
    }

    /// What follows from it.
    public let kind: Kind
    /// What happened, in a few words without a capital and a stop.
    public let words: String
    /// How long the receiver asks to wait, in milliseconds, at most a minute; nil where it does not.
    let retryAfterMs: Int64?

    /// A failure.
    public init(_ kind: Kind, _ words: String, retryAfterMs: Int64? = nil) {
        (self.kind, self.words, self.retryAfterMs) = (kind, words, retryAfterMs)
    }

    /// What an answer means; nil where the object was taken.
    init?(status: Int, retryAfter: String? = nil) {
        let wait = retryAfter.flatMap { Int64($0) }.flatMap { $0 > 0 ? min($0, 60) * 1_000 : nil }
        let words = "the receiver answers with status \(status)"
        switch status {
        case 200..<300: return nil
        case 412: self.init(.header, words)
        case 408, 425, 429, 500...: self.init(.later, words, retryAfterMs: wait)
        default: self.init(.refused, words)
        }
    }
}

/// How a publishing point is spoken to over TLS.
public struct IngestTLS: Hashable, Sendable {
    /// Certificates (PEM) of who is trusted; nil: those that the system trusts.
    public var authorityFile: String?
    /// The client's own certificate (PEM) and key, and those that lead to its authority; nil: none is shown.
    public var certificateFile: String?
    /// The key of the certificate (PEM).
    public var keyFile: String?

    /// Of these files.
    public init(authorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
        (self.authorityFile, self.certificateFile, self.keyFile) = (authorityFile, certificateFile, keyFile)
    }

    /// What the TLS library is to do: TLS 1.2 at least, and the host's name must fit. Blocking: the files are read.
    fileprivate func configuration() throws(IngestFailure) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        do {
            if let authorityFile { tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorityFile)) }
            if let certificateFile, let keyFile {
                tls.certificateChain = try NIOSSLCertificate.fromPEMFile(certificateFile).map { .certificate($0) }
                tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: keyFile, format: .pem))
            }
        } catch {
            throw IngestFailure(.refused, "the certificates of its TLS endpoint cannot be read")
        }
        return tls
    }
}

/// Puts objects over HTTP/2 where the receiver speaks it, else over HTTP/1.1, one connection after another.
package struct IngestClient: IngestSender {
    /// How long a connection may take, and how long the receiver may take no byte and send none, in milliseconds.
    static let (connectMs, quietMs): (Int64, Int64) = (5_000, 15_000)
    /// How long an object may take, in milliseconds: so much, and so much for each 64 KiB.
    static let (putMs, pieceMs): (Int64, Int64) = (30_000, 2_000)
    /// Bytes of an object that are handed to the connection at once.
    private static let pieceBytes = 64 << 10
    /// How much of an answer is read, in bytes.
    private static let answerBytesMax = 64 << 10
    /// What may come over a connection, one answer after another.
    private static let answers = AnswerBound(bytes: 1 << 20, bytesPerSecond: 256 << 10)
    /// For how long it is read, in milliseconds.
    private static let answerMs: Int64 = 5_000
    /// How many times an answer may refer to another address.
    private static let redirectsMax = 3

    private let http: HTTPClient

    /// A client. It connects to nobody yet. Throws where its certificates cannot be read, which is done on another thread.
    package init(_ tls: IngestTLS) async throws(IngestFailure) {
        let read = try? await NIOThreadPool.singleton.runIfActive {
            do throws(IngestFailure) {
                return Result<TLSConfiguration, IngestFailure>.success(try tls.configuration())
            } catch {
                return .failure(error)
            }
        }
        guard let read else { throw IngestFailure(.later, "its certificates cannot be read now") }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try read.get(), redirectConfiguration: .disallow,
            timeout: .init(
                connect: .milliseconds(Self.connectMs), read: .milliseconds(Self.quietMs),
                write: .milliseconds(Self.quietMs)))
        configuration.connectionPool.retryConnectionEstablishment = false
        Self.answers.hold(in: &configuration)
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Ends its connections; afterwards it puts nothing.
    package func shutdown() async { try? await http.shutdown() }

    /// Puts an object. Where the answer refers to another address by HTTPS, that is asked, up to three times; the login goes to the
    /// publishing point's own host alone.
    package func put(_ object: IngestObject, at point: IngestPoint) async -> IngestFailure? {
        let pieces = object.bytes.count / Self.pieceBytes + 1
        let deadline = NIODeadline.now() + .milliseconds(Self.putMs + Int64(pieces) * Self.pieceMs)
        var url = point.url + object.path
        do {
            for _ in 0...Self.redirectsMax {
                let response = try await http.execute(request(object, url, point), deadline: deadline)
                let status = Int(response.status.code)
                // What it says besides counts for nothing; read, the connection can be used again.
                await HTTPExchange.drain(response.body, bytesMax: Self.answerBytesMax, withinMs: Self.answerMs)
                guard [301, 302, 307, 308].contains(status), let place = response.headers.first(name: "Location") else {
                    return IngestFailure(status: status, retryAfter: response.headers.first(name: "Retry-After"))
                }
                guard let next = Self.resolved(place, from: url) else {
                    return IngestFailure(.refused, "the receiver refers to an address without TLS")
                }
                url = next
            }
            return IngestFailure(.refused, "the receiver refers from one address to the next")
        } catch {
            return Self.failure(error, url)
        }
    }

    private func request(_ object: IngestObject, _ url: String, _ point: IngestPoint) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.method = .PUT
        request.headers.add(name: "User-Agent", value: "vigil")
        request.headers.add(name: "Content-Type", value: object.contentType)
        for header in object.headers { request.headers.add(name: header.name, value: header.value) }
        if let login = point.authorization, Self.origin(url) == Self.origin(point.url) {
            request.headers.add(name: "Authorization", value: login)
        }
        request.body = .stream(
            Pieces(bytes: object.bytes, pieceBytes: Self.pieceBytes), length: .known(Int64(object.bytes.count)))
        return request
    }

    /// Scheme, host and port as they are written.
    private static func origin(_ url: String) -> Substring {
        url.dropFirst("https://".count).prefix { $0 != "/" }
    }

    /// The address that an answer refers to; nil where it is none, or not by HTTPS.
    static func resolved(_ place: String, from url: String) -> String? {
        if place.hasPrefix("/"), !place.hasPrefix("//") { return "https://" + origin(url) + place }
        return place.lowercased().hasPrefix("https://") && place.utf8.count <= 4_096 ? place : nil
    }

    private static func failure(_ error: any Error, _ url: String) -> IngestFailure {
        switch error {
        case is BoringSSLError, is NIOSSLExtraError, NIOSSLError.unableToValidateCertificate:
            IngestFailure(.refused, "its certificate is not trusted, or it does not trust ours")
        case let error as NIOSSLError:
            "\(error)".contains("CERTIFICATE")
                ? IngestFailure(.refused, "its certificate is not trusted, or it does not trust ours")
                : IngestFailure(.later, "the connection was cut amid TLS")
        default:
            IngestFailure(
                .later,
                HTTPExchange.Failure(error, url: url, timeoutMs: quietMs).words("the receiver"))
        }
    }

    /// An object in pieces, so that each that leaves shows that the receiver takes it.
    private struct Pieces: AsyncSequence, Sendable {
        let bytes: [UInt8]
        let pieceBytes: Int

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<UInt8>
            let pieceBytes: Int

            mutating func next() async -> ByteBuffer? {
                guard !rest.isEmpty else { return nil }
                defer { rest = rest.dropFirst(pieceBytes) }
                return ByteBuffer(bytes: rest.prefix(pieceBytes))
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...], pieceBytes: pieceBytes) }
    }
}
