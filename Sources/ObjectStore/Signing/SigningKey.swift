internal import Hashing

/// What signs the requests of a day: derived from the secret, and the same for all of them. Its descriptions tell nothing of it.
struct SigningKey: Sendable {
    /// The day as `20130524`.
    let day: String
    let region: String
    private let credentials: Credentials
    private let bytes: [UInt8]

    /// Derives it ("Task 3: Calculate the signature" in the AWS documents).
    init(_ credentials: Credentials, day: String, region: String) {
        (self.credentials, self.day, self.region) = (credentials, day, region)
        var key = Array("AWS4".utf8) + Array(credentials.secretAccessKey.utf8)
        for part in [day, region, "s3", "aws4_request"] { key = HMAC.value(of: Array(part.utf8), key: key).bytes }
        bytes = key
    }

    /// Whether it is the key of these credentials for a day and a region.
    func isKey(of credentials: Credentials, day: String, region: String) -> Bool {
        self.day == day && self.region == region && self.credentials == credentials
    }

    /// The mark of a text: 64 hexadecimal digits.
    func mark(of text: String) -> String { HMAC.value(of: Array(text.utf8), key: bytes).description }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its day and region.
    var description: String { "signing key of \(day) for \(region)" }
    /// Its day and region.
    var debugDescription: String { description }
    /// No children: a dump shows no secret.
    var customMirror: Mirror { Mirror(self, children: []) }
}
