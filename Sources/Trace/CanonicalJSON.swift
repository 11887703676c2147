internal import Foundation

/// JSON with one spelling for each value: keys sorted by their bytes, no white space, slashes not escaped. What is
/// digested must not depend on the order of a dictionary or on the version of a library.
public enum CanonicalJSON {
    /// The canonical bytes of `value`, UTF-8.
    ///
    /// - Throws: ``TraceError/notEncodable(subject:cause:)`` for a number that JSON cannot write (infinity, NaN) and for
    ///   types that refuse to be encoded.
    public static func encode(_ value: some Encodable) throws(TraceError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw .notEncodable(subject: "\(type(of: value))", cause: "\(error)")
        }
    }

    /// The canonical text of `value`.
    public static func text(of value: some Encodable) throws(TraceError) -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }
}
