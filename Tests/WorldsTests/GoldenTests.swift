import Hashing
import Testing

@Suite("The comparison with the model")
struct GoldenTests {
    @Test("It sees a missing, an additional and a repeated line")
    func differences() {
        #expect(Golden.differences(["a", "b"], ["a", "b"]) == "")
        #expect(Golden.differences(["a", "c"], ["a", "b"]).contains("+ c\n- b"))
        #expect(Golden.differences(["a", "a"], ["a"]) == "a line is there twice")
    }

    @Test("Its digest is SHA-256, a line per region")
    func digest() throws {
        #expect(SHA256.hex("".utf8) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(SHA256.hex("abc".utf8) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        // The vector of FIPS 180-4 that needs a second block for its length.
        let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(SHA256.hex(twoBlocks.utf8) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            SHA256.hex(String(repeating: "a", count: 1_000).utf8)
                == "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
        #expect(
            Golden.digest(of: ["b 1", "b 2", "a", "c=1"].sorted()) == [
                "a lines=1 sha256=\(SHA256.hex("a\n".utf8))",
                "b lines=2 sha256=\(SHA256.hex("b 1\nb 2\n".utf8))",
                "c=1 lines=1 sha256=\(SHA256.hex("c=1\n".utf8))",
            ])
        #expect(try Golden.digest("Session").count == 7)
    }
}
