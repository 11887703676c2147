internal import Hashing
internal import NIOSSL

/// Certificates of clients, as a file names them.
public enum ClientCertificates {
    /// The SHA-256 of each certificate of a file (PEM), in hexadecimal digits. Blocking. Throws where it holds none.
    public static func fingerprints(file: String) throws(WebCertificate.Problem) -> [String] {
        do { return try NIOSSLCertificate.fromPEMFile(file).map { SHA256.hex(try $0.toDERBytes()) } } catch {
            throw WebCertificate.Problem(description: "\(file) holds no certificate: put one there in PEM")
        }
    }
}
