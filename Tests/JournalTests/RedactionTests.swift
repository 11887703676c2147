import Synchronization
import Testing

@testable import Journal

@Suite("Secrets in addresses")
struct RedactionTests {
    @Test(
        "User and password go, the rest stays",
        arguments: [
            ("rtsp://admin:secret@10.0.0.5:554/live", "rtsp://10.0.0.5:554/live"),
            ("rtsps://admin@cam.local/", "rtsps://cam.local/"), ("rtsp://\u{301}u:p@h/", "rtsp://h/"),
            ("open 'rtsp://u:p@h/x' failed: a@b.example", "open 'rtsp://h/x' failed: a@b.example"),
            ("rtsp://u:p@ss@host/a", "rtsp://host/a"),
            ("rtsp://u:p/w?x#y@host:554/a", "rtsp://host:554/a"),
            ("rtsp://u:p'w@host/", "rtsp://host/"),
            ("rtsp://host/user@x", "rtsp://host/user@x"),
            ("rtsp://host:554/user@x", "rtsp://host:554/user@x"),
            ("rtsp://[fe80::1]/user@x", "rtsp://[fe80::1]/user@x"),
            ("rtsp://u:p@[fe80::1]:554/", "rtsp://[fe80::1]:554/"),
            ("a rtsp://u:p@h/ b http://v:q@i/", "a rtsp://h/ b http://i/"),
            ("{\"url\":\"rtsp://u:p@h/\",\"n\":1}", "{\"url\":\"rtsp://h/\",\"n\":1}"),
            (#"{"e":"\"rtsp://u:p@h/?password=x\" no"}"#, #"{"e":"\"rtsp://h/?password=REDACTED\" no"}"#),
            ("rtsp://h/user=admin&password=tlJw&channel=1", "rtsp://h/user=admin&password=REDACTED&channel=1"),
            ("rtsp://h/user=admin_password=tlJw_channel=1.sdp", "rtsp://h/user=admin_password=REDACTED"),
            ("http://h/?ACCESS_TOKEN=abc&x=1", "http://h/?ACCESS_TOKEN=REDACTED&x=1"),
            ("no address: user:password@host", "no address: user:password@host"),
            ("://", "://"), ("rtsp://", "rtsp://"), ("rtsp://@", "rtsp://"), ("", ""),
        ])
    func cleaning(text: String, clean: String) {
        #expect(Redaction.clean(text) == clean)
        #expect(Redaction.clean(clean) == clean)
    }

    @Test("Who follows the journal within the program gets the values that it writes: no secret, bounded, in order")
    func following() throws {
        let options = JournalOptions(version: "1", output: .lines, linesPriorityMax: .emergency)
        let journal = Journal(options)
        defer { journal.close(timeoutMs: 1_000) }
        let told = Mutex<[ToldMessage]>([])
        journal.follow { message in told.withLock { $0.append(message) } }
        journal.send(
            .linkLost, camera: "front",
            fields: [(.why, "silence"), (.detail, "no answer of rtsp://admin:secret@10.0.0.5/?token=abc\u{7}")])
        journal.send(.storageLow, fields: [(.path, String(repeating: "x", count: options.limits.valueBytesMax + 9))])
        let (first, second) = try told.withLock { (try #require($0.first), try #require($0.last)) }
        #expect(first.kind == .linkLost && first.camera == "front" && first.priority == .warning)
        #expect(first[.detail] == "no answer of rtsp://10.0.0.5/?token=REDACTED\u{7}")
        #expect(first.text == #"link lost: the camera fell silent, no answer of rtsp://10.0.0.5/?token=REDACTED\u{7}"#)
        #expect(second.camera == nil && (second[.path]?.utf8.count ?? 0) <= options.limits.valueBytesMax + 3)
    }

    @Test("Escaped text is one line, bounded, and shows what was hidden")
    func escaping() {
        #expect(Escaping.visible("a\u{0}\r\n\t\\\u{85}\u{2028}é") == "a\\u{0}\\r\\n\\t\\\\\\u{85}\\u{2028}é")
        #expect(Escaping.visible("abcdef", scalarsMax: 3) == "abc…")
        #expect(Escaping.visible("abc", scalarsMax: 3) == "abc")
    }
}
