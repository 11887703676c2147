/// A parameter set, codec header or bitstream that breaks its specification or Vigil's limits.
public struct BitstreamError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Cause: Hashable, Sendable {
        /// The data ends inside the named field.
        case truncated
        /// The named field has a value outside its range.
        case outOfRange(field: String, value: Int64)
        /// A part that must be there is missing.
        case missing(String)
        /// It is well formed, but Vigil does not store this variant.
        case unsupported(String)
    }

    /// What was read, for example `H.264 SPS`.
    public let subject: String
    /// What is wrong with it.
    public let cause: Cause

    /// An error about `subject`.
    public init(_ subject: String, _ cause: Cause) {
        self.subject = subject
        self.cause = cause
    }

    /// What the operator can do.
    public var hint: String {
        switch cause {
        case .truncated, .outOfRange: "The camera sends damaged data; check its firmware and the network path."
        case .missing: "The camera has not sent its parameters yet; wait for its next key frame."
        case .unsupported: "Choose another profile or codec in the camera's settings."
        }
    }

    /// One line: subject, cause, remedy.
    public var description: String {
        let what =
            switch cause {
            case .truncated: "ends too early"
            case .outOfRange(let field, let value): "\(field) is \(value), out of range"
            case .missing(let part): "has no \(part)"
            case .unsupported(let variant): "\(variant) is not supported"
            }
        return "cannot read \(subject): \(what). \(hint)"
    }
}
