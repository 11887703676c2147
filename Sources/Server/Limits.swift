/// The bounds of the server. Each is far above what an honest client needs.
enum Limits {
    /// Largest request body: policy files are the largest thing anybody sends.
    static let bodyBytesMax = 256 * 1_024
    /// Largest body of a login.
    static let loginBytesMax = 1_024
    /// Largest body of an encoder's notice, as `EncoderAnswer` reads it.
    static let noticeBytesMax = 64 << 10
    /// A connection whose request goes on after so many bytes of a body, taken or refused, is closed.
    static let bodyBytesEver = 4 * bodyBytesMax
    /// The same of what a camera pushes that was refused: the rest of a fragment.
    static let pushedBytesMost = 16 << 20
    /// So much is borne behind a request for another protocol, until that is spoken or refused.
    static let bytesBehindLastMax = 4 * 1_024
    /// Largest single header field, request line included.
    static let headerFieldBytesMax = 8 * 1_024
    /// Largest sum of header fields.
    static let headerBytesMax = 16 * 1_024
    /// Most header fields.
    static let headerCountMax = 64
    /// How much of an answer a reader takes within `ConnectionLimits.stalledMax`, at least.
    static let takenBytesMin = 256 * 1_024
    /// So much of what a client says is taken in one turn of the loop that serves it and others: a client that says many
    /// requests at once does not hold up theirs.
    static let readBytesMax = 4 * 1_024
    /// Kernel queue of connections that were not accepted yet.
    static let backlog = 1_024
}
