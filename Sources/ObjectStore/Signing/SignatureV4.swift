internal import Hashing

/// Signature Version 4 for S3 ("Authenticating Requests (AWS Signature Version 4)" in the Amazon S3 API reference): a request is
/// written in a canonical form, its digest goes with time and scope into the string to sign, and a key derived from the secret
/// signs that. Paths follow Amazon S3's own rule: encoded once, and never normalised, since `a//b` and `a/../b` are keys of their own.
package struct SignatureV4 {
    /// What stands in the place of the body's digest where the body is not signed.
    package static let unsignedPayload = "UNSIGNED-PAYLOAD"
    /// SHA-256 of nothing.
    package static let emptyPayload = SHA256.hex([UInt8]())
    /// How long a presigned URL may hold, in seconds: one second to seven days.
    static let expiryRange: ClosedRange<Int> = 1...604_800

    private static let algorithm = "AWS4-HMAC-SHA256"

    private let credentials: Credentials
    private let region: String
    /// The time of the request as `20130524T000000Z`.
    private let time: String
    /// What signs: another request of the same day may take it.
    let key: SigningKey

    /// Signs for a region, with the time of the request in seconds since 1970.
    package init(credentials: Credentials, region: String, seconds: Int64) {
        self.init(credentials: credentials, region: region, seconds: seconds, earlier: nil)
    }

    /// As above. `earlier` is the key of a request before, which is taken if it is of the same day.
    init(credentials: Credentials, region: String, seconds: Int64, earlier: SigningKey?) {
        self.credentials = credentials
        self.region = region
        time = ServerTime(clamping: seconds).basic
        let day = String(time.prefix(8))
        let isSame = earlier?.isKey(of: credentials, day: day, region: region) ?? false
        key = earlier.flatMap { isSame ? $0 : nil } ?? SigningKey(credentials, day: day, region: region)
    }

    /// What is signed of a request.
    package struct Request {
        /// `GET`, in upper case.
        var method: String
        /// The path as it is sent, percent-encoded; begins with a slash.
        var encodedPath: String
        /// Parameters of the query, not encoded, in any order.
        var query: [(name: String, value: String)] = []
        /// The headers to sign, `host` among them; names in any case.
        var headers: [(name: String, value: String)]
        /// SHA-256 of the body in lower-case hexadecimal, or `unsignedPayload`.
        var payload: String

        /// A request; `path` is not encoded yet.
        package init(
            _ method: String, path: String, query: [(name: String, value: String)] = [],
            headers: [(name: String, value: String)], payload: String
        ) {
            self.init(
                method: method, encodedPath: PercentCode.encode(path, keepsSlash: true), query: query, headers: headers,
                payload: payload)
        }

        init(
            method: String, encodedPath: String, query: [(name: String, value: String)] = [],
            headers: [(name: String, value: String)], payload: String
        ) {
            self.method = method
            self.encodedPath = encodedPath
            self.query = query
            self.headers = headers
            self.payload = payload
        }
    }

    /// The request's headers with time, payload, session token and signature: what is sent.
    package func signed(_ request: Request) -> [(name: String, value: String)] {
        var request = request
        request.headers.append(("x-amz-content-sha256", request.payload))
        request.headers.append(("x-amz-date", time))
        if let token = credentials.sessionToken { request.headers.append(("x-amz-security-token", token)) }
        let headers = Self.canonicalHeaders(request)
        let authorization =
            "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), "
            + "SignedHeaders=\(Self.names(headers)), Signature=\(signature(of: request, headers))"
        return request.headers + [("Authorization", authorization)]
    }

    /// The query of a presigned request, encoded and with its signature ("Authenticating Requests: Using Query Parameters"). Its
    /// headers must be sent as they are signed; the payload is not signed.
    package func presigned(_ request: Request, expires seconds: Int) -> String {
        var request = request
        let expiry = min(max(seconds, Self.expiryRange.lowerBound), Self.expiryRange.upperBound)
        request.payload = Self.unsignedPayload
        let headers = Self.canonicalHeaders(request)
        request.query += [
            ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKeyID)/\(scope)"),
            ("X-Amz-Date", time), ("X-Amz-Expires", String(expiry)),
            ("X-Amz-SignedHeaders", Self.names(headers)),
        ]
        if let token = credentials.sessionToken { request.query.append(("X-Amz-Security-Token", token)) }
        return Self.canonicalQuery(request.query) + "&X-Amz-Signature=" + signature(of: request, headers)
    }

    /// The request in the form whose digest is signed.
    private static func canonicalRequest(_ request: Request, _ headers: [(name: String, value: String)]) -> String {
        let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
        return [
            request.method, request.encodedPath, canonicalQuery(request.query), lines, names(headers), request.payload,
        ].joined(separator: "\n")
    }

    /// 64 hexadecimal digits: the mark of algorithm, time, scope, and the digest of the canonical request.
    private func signature(of request: Request, _ headers: [(name: String, value: String)]) -> String {
        let digest = SHA256.hex(Array(Self.canonicalRequest(request, headers).utf8))
        return key.mark(of: [Self.algorithm, time, scope, digest].joined(separator: "\n"))
    }

    /// The encoded parameters, sorted by encoded name and then value, byte by byte.
    static func canonicalQuery(_ query: [(name: String, value: String)]) -> String {
        typealias Parameter = (name: String, value: String)
        let encoded: [Parameter] = query.map { (PercentCode.encode($0.name), PercentCode.encode($0.value)) }
        let sorted = encoded.sorted { (one: Parameter, other: Parameter) -> Bool in one < other }
        return sorted.map { (parameter: Parameter) -> String in "\(parameter.name)=\(parameter.value)" }
            .joined(separator: "&")
    }

    /// Day, region and service that the signature holds for.
    private var scope: String { "\(key.day)/\(region)/s3/aws4_request" }

    private static func names(_ headers: [(name: String, value: String)]) -> String {
        headers.map(\.name).joined(separator: ";")
    }

    /// Lower-case names in order, each once: values of the same name are joined in the order they came, outer blanks are gone and
    /// inner ones are single.
    private static func canonicalHeaders(_ request: Request) -> [(name: String, value: String)] {
        var values: [String: [String]] = [:]
        for (name, value) in request.headers {
            values[name.lowercased(), default: []].append(hasBlanks(value) ? words(value) : value)
        }
        return values.map { ($0.key, $0.value.joined(separator: ",")) }.sorted { $0.0 < $1.0 }
    }

    private static func hasBlanks(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: " ")) || text.utf8.contains(UInt8(ascii: "\t"))
    }

    private static func words(_ text: String) -> String {
        text.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}
