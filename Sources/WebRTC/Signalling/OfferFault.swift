/// Why an offer is not answered.
public enum OfferFault: Error, Hashable, Sendable {
    /// It is no session description (RFC 8866) of a bounded size, with what every offer of WebRTC has (RFC 8829, 5.2).
    case malformed(String)
    /// It offers nothing that can be taken.
    case unsupported(String)

    /// What is wrong with it.
    public var why: String {
        switch self {
        case .malformed(let why), .unsupported(let why): why
        }
    }
}
