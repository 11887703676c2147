import Hashing
import Testing

@testable import ObjectStore

/// The examples of the Amazon S3 API reference, "Signature Calculations for the Authorization Header" and "Authenticating Requests:
/// Using Query Parameters".
@Suite("Signature Version 4")
struct SignatureTests {
    private let signature: SignatureV4
    private let host = (name: "Host", value: "examplebucket.s3.amazonaws.com")

    init() throws {
        let credentials = try #require(
            Credentials(
                accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
        let time = try #require(ServerTime(iso: "2013-05-24T00:00:00Z"))
        signature = SignatureV4(credentials: credentials, region: "us-east-1", seconds: time.seconds)
    }

    /// The last 64 digits of what is sent.
    private func sent(_ request: SignatureV4.Request) -> String {
        String(signature.signed(request).last?.value.suffix(64) ?? "")
    }

    @Test("GET of a range is signed as Amazon's example")
    func get() {
        let request = SignatureV4.Request(
            "GET", path: "/test.txt", headers: [host, ("Range", "bytes=0-9")], payload: SignatureV4.emptyPayload)
        #expect(sent(request) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test("PUT of an object is signed as Amazon's example")
    func put() {
        let request = SignatureV4.Request(
            "PUT", path: "/test$file.text",
            headers: [host, ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
            payload: SHA256.hex(Array("Welcome to Amazon S3.".utf8)))
        #expect(sent(request) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test("The lifecycle of a bucket is signed as Amazon's example")
    func lifecycle() {
        let request = SignatureV4.Request(
            "GET", path: "/", query: [("lifecycle", "")], headers: [host], payload: SignatureV4.emptyPayload)
        #expect(sent(request) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    }

    @Test("A listing is signed as Amazon's example")
    func list() {
        let request = SignatureV4.Request(
            "GET", path: "/", query: [("prefix", "J"), ("max-keys", "2")], headers: [host],
            payload: SignatureV4.emptyPayload)
        #expect(sent(request) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test("A presigned GET is Amazon's example")
    func presigned() {
        let request = SignatureV4.Request("GET", path: "/test.txt", headers: [host], payload: "")
        let expected =
            "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
            + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
            + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        #expect(signature.presigned(request, expires: 86_400) == expected)
    }

    @Test("A presigned URL holds for one second to seven days")
    func expiry() {
        let request = SignatureV4.Request("GET", path: "/k", headers: [host], payload: "")
        #expect(signature.presigned(request, expires: -5).contains("X-Amz-Expires=1&"))
        #expect(signature.presigned(request, expires: .max).contains("X-Amz-Expires=604800&"))
    }

    @Test("Paths are encoded once and never normalised")
    func paths() {
        let request = SignatureV4.Request("GET", path: "/b//a/../c d/ä%2F", headers: [host], payload: "")
        #expect(request.encodedPath == "/b//a/../c%20d/%C3%A4%252F")
    }
}

@Suite("Sums")
struct SumTests {
    @Test(
        "MD5 is RFC 1321's",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ])
    func md5(_ text: String, _ digest: String) { #expect(Hex.text(MD5.value(of: Array(text.utf8))) == digest) }

    @Test("CRC-32C is RFC 3720's")
    func crc32c() {
        #expect(CRC32C.value(of: [UInt8](repeating: 0, count: 32)) == 0x8a91_36aa)
        #expect(CRC32C.value(of: [UInt8](repeating: 0xff, count: 32)) == 0x62a8_ab43)
        #expect(CRC32C.value(of: Array("123456789".utf8)) == 0xe306_9283)
    }

    @Test("HMAC is RFC 4231's")
    func hmac() {
        let long = HMAC.value(
            of: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: [UInt8](repeating: 0xaa, count: 131))
        #expect(long.description == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        let short = HMAC.value(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(short.description == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("Sums do not depend on how bytes are divided, and join")
    func pieces() {
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 / 7) }
        for cut in [0, 1, 7, 63, 64, 65, 1000, 4999, 5000] {
            var (md5, crc) = (MD5(), CRC32C())
            for part in [bytes[..<cut], bytes[cut...]] {
                md5.update(part)
                crc.update(part)
            }
            #expect(md5.finish() == MD5.value(of: bytes))
            #expect(crc.value == CRC32C.value(of: bytes))
            let joined = CRC32C.joined(
                CRC32C.value(of: bytes[..<cut]), CRC32C.value(of: bytes[cut...]), secondBytes: UInt64(5000 - cut))
            #expect(joined == CRC32C.value(of: bytes))
        }
    }

    @Test("The processor's own instructions come to what the plain code comes to, at every length and division")
    func instructions() {
        let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / 5) }
        for count in Array(0...200) + [1000, 2999, 3000, 16_384, 40_000] {
            for cut in [0, count / 3, min(count, 64), count] {
                var (sha, plainSHA) = (SHA256(), SHA256(isPlain: true))
                var (crc, plainCRC) = (CRC32C(), CRC32C(isPlain: true))
                for part in [bytes[..<cut], bytes[cut..<count]] {
                    sha.update(part)
                    plainSHA.update(part)
                    crc.update(part)
                    plainCRC.update(part)
                }
                #expect(sha.finish() == plainSHA.finish())
                #expect(crc.value == plainCRC.value)
            }
        }
        #expect(SHA256.hex(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("Sums that are made together are those that are made one by one, with parts, at every length and division")
    func together() {
        let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 * 41 + $0 / 9) }
        for count in [0, 1, 63, 64, 65, 1000, 16_384, 40_000] {
            for (cut, partBytes) in [
                (count / 3, 128), (count / 64 * 64, 1000), (0, 16_384), (min(count, 64), count + 1),
            ] {
                for kind in [JointSums.MD5Of.nothing, .whole, .parts] {
                    for isPlain in [false, true] {
                        let made = Self.sums(bytes[..<count], cut, partBytes, kind, isPlain)
                        #expect(made == Self.oneByOne(bytes[..<count], partBytes, kind))
                    }
                }
            }
        }
    }

    private struct Made: Equatable {
        var parts: [JointSums.Part]
        let sha256: SHA256.Value
        let md5: [UInt8]?
    }

    /// Taken in at once, but for where the parts begin and at `cut`.
    private static func sums(
        _ bytes: ArraySlice<UInt8>, _ cut: Int, _ partBytes: Int, _ kind: JointSums.MD5Of, _ isPlain: Bool
    ) -> Made {
        var (sums, parts) = (JointSums(md5: kind, partSHA256: true, isPlain: isPlain), [JointSums.Part]())
        let edges = Set(stride(from: 0, through: bytes.count, by: partBytes) + [cut, bytes.count]).sorted()
        for (begin, end) in zip(edges, edges.dropFirst()) {
            if begin > 0, begin % partBytes == 0 { parts.append(sums.endPart()) }
            bytes[begin..<end].withUnsafeBufferPointer { sums.update($0) }
        }
        parts.append(sums.endPart())
        let whole = sums.finish()
        return Made(parts: parts, sha256: whole.sha256, md5: whole.md5)
    }

    private static func oneByOne(_ bytes: ArraySlice<UInt8>, _ partBytes: Int, _ kind: JointSums.MD5Of) -> Made {
        let parts = stride(from: 0, to: max(bytes.count, 1), by: partBytes).map { begin in
            let part = bytes[begin..<min(begin + partBytes, bytes.count)]
            return JointSums.Part(
                bytes: UInt64(part.count), crc32c: CRC32C.value(of: part), sha256: SHA256.value(of: part),
                md5: kind == .parts ? MD5.value(of: part) : nil)
        }
        return Made(
            parts: parts, sha256: SHA256.value(of: bytes), md5: kind == .whole ? MD5.value(of: bytes) : nil)
    }

    @Test("Base64 is RFC 4648's, and read strictly")
    func base64() {
        for (plain, text) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
        ] {
            #expect(Base64.text(Array(plain.utf8)) == text)
            #expect(Base64.bytes(text) == Array(plain.utf8))
        }
        for text in ["Z", "Zg=", "Z===", "Zg==Zg=a", "Z g=", "Zm9v\n"] { #expect(Base64.bytes(text) == nil) }
    }

    @Test("What an object of parts must have is the sum of its parts' sums, or the sum of the whole")
    func expectation() {
        let (first, second) = ([UInt8](repeating: 1, count: 100), [UInt8](repeating: 2, count: 33))
        let expected = Expectation(parts: [first, second].map(Summing.sums))
        #expect(expected.bytes == 133)
        #expect(expected.crc32c == CRC32C.value(of: first + second))
        let tag = Hex.text(MD5.value(of: MD5.value(of: first) + MD5.value(of: second))) + "-2"
        #expect(expected.tags == [tag])
        #expect(expected.untried(tag) == nil)
        #expect(expected.untried(Hex.text(MD5.value(of: first))) == .whole)
        let unknown = Expectation(parts: [first, second].map { Summing.sums(of: $0, withMD5: false) })
        #expect(unknown.tags.isEmpty)
        #expect(unknown.untried(tag) == .parts)
        for other in ["", "-", "abc", tag + "2", String(tag.dropFirst()), String(repeating: "x", count: 32)] {
            #expect(unknown.untried(other) == nil)
        }
        #expect(expected.checksums[.crc32c]?.count == 2)
    }
}
