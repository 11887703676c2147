import Testing

@testable import Journal

@Suite("The native protocol")
struct NativeFormatTests {
    @Test("A value without a newline is one line")
    func plain() {
        let bytes = NativeFormat.encode([JournalField(.why, "silence"), JournalField(.camera, "front")])
        #expect(bytes == Array("VIGIL_WHY=silence\nVIGIL_CAMERA=front\n".utf8))
    }

    @Test("A value with a newline is framed by its length, so it cannot begin a field")
    func framed() throws {
        let value = "x\nPRIORITY=0\nVIGIL_CAMERA=other"
        let bytes = NativeFormat.encode([JournalField(.detail, value), JournalField(.count, "1")])
        let length: [UInt8] = [UInt8(value.utf8.count), 0, 0, 0, 0, 0, 0, 0]
        #expect(
            bytes == Array("VIGIL_DETAIL\n".utf8) + length + Array(value.utf8) + Array("\nVIGIL_COUNT=1\n".utf8))
        #expect(try Receiver.parse(bytes) == ["VIGIL_DETAIL": value, "VIGIL_COUNT": "1"])
    }

    @Test("Bytes that are no text go through as they are")
    func binary() throws {
        let field = JournalField(FieldName(.detail), [0, 255, 61, 10, 128])
        #expect(
            NativeFormat.encode([field])
                == Array("VIGIL_DETAIL\n".utf8) + [5, 0, 0, 0, 0, 0, 0, 0] + [0, 255, 61, 10, 128, 10])
    }

    @Test(
        "A name that journald drops, or that is its own, is refused",
        arguments: [
            "", "_PID", "1A", "a", "A B", "A=B", "A\nB", "Ä", "A-B", String(repeating: "A", count: 65),
        ])
    func badNames(name: String) { #expect(FieldName(name) == nil) }

    @Test("Each name of the closed set is valid and its own")
    func names() {
        for field in Field.allCases { #expect(FieldName(field.rawValue)?.value == field.rawValue) }
        for field in WellKnownField.allCases { #expect(FieldName(field.rawValue)?.value == field.rawValue) }
        #expect(FieldName(String(repeating: "A", count: 64)) != nil)
    }

    @Test("Keys of log metadata cannot take the place of the trace or of a camera's name")
    func metadataKeys() {
        #expect(FieldName(metadataKey: "camera").value == "VIGIL_CAMERA")
        #expect(FieldName(metadataKey: "Camera").value == "VIGIL_META_CAMERA")
        #expect(FieldName(metadataKey: "trace").value == "VIGIL_META_TRACE")
        #expect(FieldName(metadataKey: "seq").value == "VIGIL_META_SEQ")
        #expect(FieldName(metadataKey: "retry-count ü").value == "VIGIL_RETRY_COUNT___")
        #expect(FieldName(metadataKey: String(repeating: "k", count: 200)).value.utf8.count == 64)
        for key in ["camera", "trace", "", "=\n", "ß"] {
            #expect(FieldName(FieldName(metadataKey: key).value) != nil)
        }
    }
}
