internal import Foundation
internal import Glibc
internal import Hashing
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The certificate with which a listener speaks TLS, and its key: two files, read at the start and again when they change.
public final class WebCertificate: Sendable {
    /// Why a certificate cannot be used: what, why, remedy.
    public struct Problem: Error, Hashable, CustomStringConvertible {
        /// In one line.
        public let description: String
    }

    /// What is known of a certificate.
    public struct Facts: Hashable, Sendable {
        /// The SHA-256 of the certificate, 32 bytes in hexadecimal digits, with colons, as browsers show it.
        public let fingerprint: String
        /// Until when it is good.
        public let ends: WallTime
    }

    /// Which files were read.
    private struct Version: Hashable {
        var facts: [Int64]

        init(of file: String) {
            var status = stat()
            facts =
                stat(file, &status) == 0
                ? [
                    Int64(status.st_dev), Int64(clamping: status.st_ino), Int64(status.st_size),
                    Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
                ] : []
        }
    }

    private struct Loaded {
        var context: NIOSSLContext
        /// The same, for who is asked for a certificate.
        var askingContext: NIOSSLContext
        var facts: Facts
        var versions: [Version]
    }

    private let certificateFile: String
    private let keyFile: String
    private let loaded: Mutex<Loaded>

    /// Reads both files (PEM). Blocking.
    public init(certificateFile: String, keyFile: String) throws(Problem) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        loaded = Mutex(try Self.load(certificateFile, keyFile))
    }

    /// What is known of the certificate in use.
    public var facts: Facts { loaded.withLock { $0.facts } }

    /// Reads the files again where they have changed since they were read, or tried; connections that are open go on as they
    /// are. Where they cannot be used, the certificate stays in use that was read before. Says whether there is a new one.
    /// Blocking.
    public func reload() throws(Problem) -> Bool {
        let versions = [Version(of: certificateFile), Version(of: keyFile)]
        let isNew = loaded.withLock { loaded -> Bool in
            defer { loaded.versions = versions }
            return loaded.versions != versions
        }
        guard isNew else { return false }
        let fresh = try Self.load(certificateFile, keyFile)
        loaded.withLock { $0 = fresh }
        return true
    }

    /// What speaks TLS on one connection. `asks`: for a certificate of the client, which may have none. Any is taken whose key the
    /// client has: who may do what is compared with its fingerprint.
    func handler(asks: Bool = false) -> NIOSSLServerHandler {
        guard asks else { return NIOSSLServerHandler(context: loaded.withLock { $0.context }) }
        return NIOSSLServerHandler(
            context: loaded.withLock { $0.askingContext },
            customVerificationCallback: { _, verdict in verdict.succeed(.certificateVerified) })
    }

    private static func load(_ certificateFile: String, _ keyFile: String) throws(Problem) -> Loaded {
        // Before they are read: what changes meanwhile is read again.
        let versions = [Version(of: certificateFile), Version(of: keyFile)]
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMBytes(try bytes(certificateFile)) } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(description: "\(certificateFile) holds no certificate: put one there in PEM")
        }
        let key: NIOSSLPrivateKey
        do { key = try NIOSSLPrivateKey(bytes: try bytes(keyFile, isSecret: true), format: .pem) } catch let problem
            as Problem
        {
            throw problem
        } catch {
            throw Problem(description: "\(keyFile) holds no private key without a password: put one there in PEM")
        }
        guard let first = chain.first, let bytes = try? first.toDERBytes() else {
            throw Problem(description: "\(certificateFile) holds no certificate: put one there in PEM")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // A pusher amid its body does not read that we close, and a stop would wait for it.
        configuration.shutdownTimeout = .seconds(1)
        var asking = configuration
        asking.certificateVerification = .optionalVerification
        // No authority is believed: not those of the system either, which need not be installed.
        asking.trustRoots = .certificates([])
        let context: NIOSSLContext
        let askingContext: NIOSSLContext
        do {
            context = try NIOSSLContext(configuration: configuration)
            askingContext = try NIOSSLContext(configuration: asking)
        } catch {
            throw Problem(
                description:
                    "the key in \(keyFile) is not that of the certificate in \(certificateFile): put both there")
        }
        let digits = SHA256.hex(bytes).uppercased()
        let pairs = stride(from: 0, to: digits.count, by: 2).map { digits.dropFirst($0).prefix(2) }
        return Loaded(
            context: context, askingContext: askingContext,
            facts: Facts(
                fingerprint: pairs.joined(separator: ":"),
                ends: WallTime(ms: Int64(first.notValidAfter).multipliedReportingOverflow(by: 1_000).partialValue)),
            versions: versions)
    }

    /// The bytes of a small file. One that holds a secret must not be readable for everybody.
    private static func bytes(_ file: String, isSecret: Bool = false) throws(Problem) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw Problem(description: "\(file) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= sizeMax else {
            throw Problem(description: "\(file) is no file of a certificate or key")
        }
        guard !isSecret || status.st_mode & 0o007 == 0 else {
            throw Problem(description: "everybody may read \(file), which holds a private key: chmod 600 \(file)")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let taken = bytes[count...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if taken < 0, errno == EINTR { continue }
            guard taken > 0 else { break }
            count += taken
        }
        return Array(bytes.prefix(count))
    }

    /// The most bytes of a file.
    private static let sizeMax = 1 << 20
}
