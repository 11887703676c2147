internal import Hashing

/// Where a bucket is: the endpoint, the region, and how the bucket stands in the address.
public struct StoreAddress: Sendable, Hashable {
    /// How a bucket is named in a request.
    public enum Style: Sendable, Hashable {
        /// In the path: `https://endpoint/bucket/key`. What most stores of one's own want.
        case path
        /// In the host: `https://bucket.endpoint/key`. What Amazon S3 wants.
        case virtualHost
    }

    /// Whether TLS is spoken.
    let isSecure: Bool
    /// The host's name or address, IPv6 without its brackets.
    public let host: String
    /// The port; nil where it is the scheme's own.
    let port: Int?
    /// What stands before bucket and key in every path, without a slash at its end; mostly empty.
    let prefix: String
    /// The region that requests are signed for.
    public let region: String
    /// The bucket's name.
    public let bucket: String
    /// How the bucket is named.
    public let style: Style

    /// Why an address is none.
    public struct Defect: Error, Sendable, Hashable, CustomStringConvertible {
        /// What is wrong, and what is wanted.
        public let description: String
    }

    /// An address. `endpoint` is `https://host`, `http://host:port`, or either with a path. Throws where it is anything else (a
    /// user and a password in it are refused without being repeated), or where region or bucket are no such names: a region is 1 to
    /// 64 letters, digits, `-`, `.` and `_`; a bucket 3 to 63 lower-case letters, digits, `-` and `.` ("Bucket naming rules"), or up
    /// to 255 of either case and `_` with path style, as stores of one's own have them.
    public init(endpoint: String, region: String, bucket: String, style: Style) throws(Defect) {
        let scheme = endpoint.hasPrefix("https://") ? "https://" : endpoint.hasPrefix("http://") ? "http://" : ""
        guard !scheme.isEmpty else {
            throw Defect(description: "the endpoint begins with neither https:// nor http://")
        }
        let rest = endpoint.dropFirst(scheme.count)
        let place = rest.prefix { $0 != "/" }
        guard !place.contains("@") else {
            throw Defect(description: "the endpoint holds a user: credentials are named elsewhere")
        }
        let bracket = place.hasPrefix("[") ? place.firstIndex(of: "]") : nil
        let name = bracket.map { place[..<$0].dropFirst() } ?? place.prefix { $0 != ":" }
        let after = bracket.map { place[$0...].dropFirst() } ?? place[name.endIndex...]
        let isAddress6 = bracket != nil
        guard (1...253).contains(name.utf8.count), name.utf8.allSatisfy({ Self.isHost($0, isAddress6: isAddress6) }),
            after.isEmpty || after.hasPrefix(":")
        else { throw Defect(description: "the endpoint's host is neither a name nor an address") }
        let number = after.dropFirst()
        let port = number.utf8.allSatisfy { (48...57).contains($0) } ? UInt16(number, radix: 10) : nil
        guard after.isEmpty || (port ?? 0) > 0 else {
            throw Defect(description: "the endpoint's port is none (1 to 65535)")
        }
        var path = String(rest.dropFirst(place.count))
        while path.hasSuffix("/") { path.removeLast() }
        guard path.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || Self.isWord($0) }), path.utf8.count <= 256 else {
            throw Defect(description: "the endpoint's path has more than letters, digits, '-', '.', '_' and '/'")
        }
        guard (1...64).contains(region.utf8.count), region.utf8.allSatisfy(Self.isWord) else {
            throw Defect(description: "the region is no name such as us-east-1")
        }
        guard Self.isBucket(bucket, style), !(style == .virtualHost && isAddress6) else {
            throw Defect(description: "the bucket's name is none that a store may have")
        }
        isSecure = scheme == "https://"
        host = String(name)
        self.port = port.map(Int.init).flatMap { $0 == (scheme == "https://" ? 443 : 80) ? nil : $0 }
        prefix = path
        self.region = region
        self.bucket = bucket
        self.style = style
    }

    /// The header `Host`: what is signed and sent.
    var hostField: String {
        let name = host.contains(":") ? "[\(host)]" : style == .virtualHost ? "\(bucket).\(host)" : host
        return port.map { "\(name):\($0)" } ?? name
    }

    /// Scheme and host, without a path.
    var origin: String { (isSecure ? "https://" : "http://") + hostField }

    /// The path of a key, or of the bucket, percent-encoded.
    func path(_ key: String?) -> String {
        let root = style == .path ? "\(prefix)/\(bucket)" : prefix
        return key.map { "\(root)/\(PercentCode.encode($0, keepsSlash: true))" } ?? (style == .path ? root : "\(root)/")
    }

    private static func isBucket(_ name: String, _ style: Style) -> Bool {
        guard (3...(style == .path ? 255 : 63)).contains(name.utf8.count), !name.hasPrefix("."), !name.hasSuffix(".")
        else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            style == .path ? isWord(byte) : isWord(byte) && byte != UInt8(ascii: "_") && !(0x41...0x5a).contains(byte)
        }
    }

    private static func isHost(_ byte: UInt8, isAddress6: Bool) -> Bool {
        isAddress6 ? Hex.value(of: byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") : isWord(byte)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
