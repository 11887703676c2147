import Hashing

/// The sum by which a pushed sample and a frame are compared.
enum PushSum {
    static func of(_ bytes: [UInt8]) -> String { SHA256.hex(bytes) }
}
