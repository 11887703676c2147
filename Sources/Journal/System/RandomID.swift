internal import CSystemd
internal import Hashing

/// A random 128-bit id, as 32 lower-case hexadecimal digits: the id of one run of the daemon.
public struct RandomID: Sendable, Hashable, CustomStringConvertible {
    /// 32 lower-case hexadecimal digits.
    public let value: String

    /// A new id from the kernel's random source.
    public init() {
        var id = sd_id128_t()
        if sd_id128_randomize(&id) < 0 {
            // The kernel source cannot fail once it is initialised; Swift's own generator reads the same source.
            var words = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
            withUnsafeBytes(of: &words) { source in
                withUnsafeMutableBytes(of: &id) { $0.copyMemory(from: source) }
            }
        }
        value = Self.text(of: id)
    }

    /// An id read from elsewhere. Returns nil unless it is 32 hexadecimal digits, dashes not counted.
    public init?(_ text: String) {
        guard let value = Self.canonical(text) else { return nil }
        self.value = value
    }

    /// The id.
    public var description: String { value }

    static func text(of id: sd_id128_t) -> String {
        withUnsafeBytes(of: id) { bytes in Hex.text(bytes) }
    }

    static func canonical(_ text: String) -> String? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32, digits.allSatisfy({ Hex.value(of: $0) != nil }) else { return nil }
        return String(decoding: digits, as: UTF8.self).lowercased()
    }
}
