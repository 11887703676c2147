import Catalog
import Foundation
import Machines
import Testing

@testable import Cloud
@testable import Media

/// The description of a clip, `clip.json` (docs/design/cloud.md "The description").
@Suite struct ClipDescriptionTests {
    /// A change of a good description in JSON that makes it a bad one, and the key that is to be named.
    struct Flaw: Sendable, CustomTestStringConvertible {
        let key: String
        let value: String?
        let named: String

        /// Sets what lies at `key` (`tracks.0.bytes`) to a value in JSON, or takes it out.
        init(_ key: String, _ value: String?, named: String? = nil) {
            self.key = key
            self.value = value
            self.named =
                named
                ?? key.split(separator: ".").reduce("") { path, part in
                    Int(part) != nil ? "\(path)[\(part)]" : path.isEmpty ? String(part) : "\(path).\(part)"
                }
        }

        var testDescription: String { "\(key) \(value?.prefix(60) ?? "missing")" }
    }

    static func changed(_ value: Any, _ keys: ArraySlice<String>, _ new: Any?) -> Any? {
        guard let key = keys.first else { return new }
        if var list = value as? [Any], let place = Int(key) {
            list[place] = changed(list[place], keys.dropFirst(), new) ?? NSNull()
            return list
        }
        var object = value as? [String: Any] ?? [:]
        object[key] = changed(object[key] ?? NSNull(), keys.dropFirst(), new)
        return object
    }

    static func json(_ clip: ClipDescription, _ key: String, _ value: String?) throws -> Data {
        let whole = try JSONSerialization.jsonObject(with: clip.encoded)
        let new = try value.map { try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed) }
        return try JSONSerialization.data(
            withJSONObject: try #require(changed(whole, key.split(separator: ".").map(String.init)[...], new)))
    }

    private static func index(header: UInt64 = 100, _ fragments: [(offset: UInt64, size: UInt64, time: UInt64)])
        -> String
    {
        let index = FragmentIndex(
            timescale: 1_000, headerBytes: header,
            entries: fragments.map {
                FragmentIndex.Entry(
                    offset: $0.offset, size: $0.size, decodeTime: $0.time, durationTicks: 2_000, sampleCount: 50,
                    startsWithKey: true)
            })
        return "\"\(Data(index.encoded()).base64EncodedString())\""
    }

    /// Two fragments of 1,000 bytes in two pieces, 1,100 and 1,000 bytes.
    private static let good = ClipDescription.made(fragments: 2, pieces: [1, 1])

    static let flaws: [Flaw] = [
        Flaw("format", nil), Flaw("format", "3"), Flaw("format", "\"1\""), Flaw("format", "2", named: "encryption"),
        Flaw("camera", nil), Flaw("camera", "\"../front\""), Flaw("camera", "\"\""), Flaw("camera", "7"),
        Flaw("bootId", "\"\""), Flaw("bootId", "\"a\\nb\""),
        Flaw("startMonotonicMs", "-1"), Flaw("startMonotonicMs", "1.5", named: ""),
        Flaw("startMonotonicMs", "1e300", named: ""),
        Flaw("startMonotonicMs", "9223372036854775807"), Flaw("endMonotonicMs", "59999"),
        Flaw("startWallMs", "-1"), Flaw("endWallMs", "253402300800000"), Flaw("endWallMs", nil),
        Flaw("cause", "\"boredom\""), Flaw("class", "\"other\""), Flaw("ended", "\"because\""),
        Flaw("policy", nil), Flaw("policyRevision", "null"), Flaw("incomplete", "1"),
        Flaw("tracks", nil), Flaw("tracks", "[]"), Flaw("tracks", "{}"), Flaw("events", nil),
        Flaw("tracks.0.kind", "\"text\""), Flaw("tracks.0.codec", "\"\""), Flaw("tracks.0.codec", "\"a\\\"b\""),
        Flaw("tracks.0.bytes", "0"), Flaw("tracks.0.bytes", "-1"), Flaw("tracks.0.bytes", "9223372036854775807"),
        Flaw("tracks.0.bytes", "2099", named: "tracks[0].objects[1].bytes"),
        Flaw("tracks.0.bytes", "2101", named: "tracks[0].objects"),
        Flaw("tracks.0.sha256", "\"\""), Flaw("tracks.0.sha256", "\"\(String(repeating: "G", count: 64))\""),
        Flaw("tracks.0.durationMs", "-1"), Flaw("tracks.0.width", "0"), Flaw("tracks.0.height", "65536"),
        Flaw("tracks.0.objects", "[]"), Flaw("tracks.0.objects", nil),
        Flaw("tracks.0.objects.0.name", "\"../clip.json\""), Flaw("tracks.0.objects.0.name", "\"a/b\""),
        Flaw("tracks.0.objects.0.name", "\"..\""), Flaw("tracks.0.objects.0.name", "\"\""),
        Flaw("tracks.0.objects.1.name", "\"video.000001.cmfv\""), Flaw("tracks.0.objects.0.name", "\"a\\u0000\""),
        Flaw("tracks.0.objects.0.firstByte", "1"), Flaw("tracks.0.objects.1.firstByte", "1099"),
        Flaw("tracks.0.objects.1.firstByte", "1101"), Flaw("tracks.0.objects.1.firstByte", "-9223372036854775808"),
        Flaw("tracks.0.objects.0.bytes", "0"), Flaw("tracks.0.objects.0.bytes", "9223372036854775807"),
        Flaw("tracks.0.objects.1.bytes", "-1000"), Flaw("tracks.0.objects.0.sha256", "\"\""),
        Flaw("tracks.0.index", "\"\""), Flaw("tracks.0.index", "\"!\""), Flaw("tracks.0.index", "\"AAAA\""),
        // It goes beyond the track, lies over the piece before, lies in two pieces, begins in the header, goes back in time.
        Flaw("tracks.0.index", index([(100, 1_000, 0), (1_100, 1_001, 2_000)])),
        Flaw("tracks.0.index", index([(100, 1_000, 0), (1_000, 1_000, 2_000)])),
        Flaw("tracks.0.index", index([(100, 1_100, 0)])), Flaw("tracks.0.index", index([(99, 1_001, 0)])),
        Flaw("tracks.0.index", index([(100, 1_000, 2_000), (1_100, 1_000, 0)])),
        Flaw("tracks.0.index", index([(100, 1_000, 1 << 62)])), Flaw("tracks.0.index", index([(100, 0, 0)])),
        Flaw("tracks.0.index", index([(1 << 63, 1 << 63, 0)])), Flaw("tracks.0.index", index(header: 0, [])),
        Flaw("tracks.0.index", index(header: 1_101, [])),
        Flaw("events.0.bootId", nil), Flaw("events.0.beganMonotonicMs", "-1"), Flaw("events.0.beganWallMs", "-1"),
        Flaw("events.0.endedWallMs", "-1"), Flaw("events.0.level", "2"), Flaw("events.0.why", "\"\""),
        Flaw("events.0.cause", "\"\""), Flaw("events.0.detections", "-1"), Flaw("events.0.detections", "2147483648"),
        Flaw("events.0.zones", "[\"a\\nb\"]"), Flaw("events.0.zones", "\"door\""),
        Flaw("events.0.picture", "\"../../x.jpg\""), Flaw("events.0.picture", "\"\""),
        Flaw("events.0.labels", label("a b"), named: "events[0].labels[0].label"),
        Flaw("events.0.labels", label(String(repeating: "a", count: 33)), named: "events[0].labels[0].label"),
        Flaw("events.0.labels", label(at: -1), named: "events[0].labels[0].atWallMs"),
        Flaw("events.0.labels", label(width: 0.9), named: "events[0].labels[0].box"),
        Flaw("events.0.labels", label(width: -0.1), named: "events[0].labels[0].box"),
        Flaw("events.0.labels", "{}"),
    ]

    /// A list of one label, in JSON.
    private static func label(_ name: String = "person", at wallMs: Int = 1, width: Double = 0.5) -> String {
        """
        [{"label": "\(name)", "atMonotonicMs": 1, "atWallMs": \(wallMs),
        "box": {"x": 0.2, "y": 0, "width": \(width), "height": 1}}]
        """
    }

    @Test("Each kind of malformed description is refused by the name of its key", arguments: flaws)
    func malformed(flaw: Flaw) throws {
        let bytes = try Self.json(Self.good, flaw.key, flaw.value)
        let defect = try #require(throws: Defect.self) { try ClipDescription(parsing: bytes) }
        #expect(defect.key == flaw.named, "\(defect)")
        #expect(!defect.cause.isEmpty && defect.remedy.contains("vigil cloud push"))
        #expect(!defect.description.contains("\n"))
    }

    @Test("What is too much is refused: bytes, tracks of a kind, events, zones, levels of nesting")
    func tooMuch() throws {
        var clip = Self.good
        clip.tracks += clip.tracks
        #expect(throws: Defect.self) { try ClipDescription(parsing: clip.encoded) }
        clip = Self.good
        clip.events = Array(repeating: clip.events[0], count: ClipDescription.eventsMax + 1)
        #expect(throws: Defect.self) { try ClipDescription(parsing: clip.encoded) }
        clip = Self.good
        clip.events[0].zones = Array(repeating: "", count: ClipDescription.zonesMax + 1)
        #expect(throws: Defect.self) { try ClipDescription(parsing: clip.encoded) }
        clip = Self.good
        let label = ClipDescription.Label(label: "person", atMonotonicMs: 1, atWallMs: 2, box: nil)
        clip.events[0].labels = Array(repeating: label, count: ClipDescription.labelsMax + 1)
        #expect(throws: Defect.self) { try ClipDescription(parsing: clip.encoded) }
        let blank = Data(repeating: UInt8(ascii: " "), count: ClipDescription.bytesMax + 1)
        #expect(throws: Defect.self) { try ClipDescription(parsing: blank) }
        for text in ["", "[]", "null", "{", "{\"format\":1}", String(repeating: "[", count: ClipDescription.bytesMax)] {
            #expect(throws: Defect.self) { try ClipDescription(parsing: Data(text.utf8)) }
        }
        let deep = String(repeating: "{\"a\":", count: 500_000)
        #expect(throws: Defect.self) { try ClipDescription(parsing: Data("{\"x\":\(deep)".utf8)) }
    }

    @Test("A description is read as it was written, with the keys of the design, and the same bytes each time")
    func roundTrip() throws {
        for clip in [Self.good, .made(fragments: 3), .made(fragments: 2, kind: .audio), .made(fragments: 0)] {
            #expect(try ClipDescription(parsing: clip.encoded) == clip)
            #expect(try ClipDescription(parsing: clip.encoded).encoded == clip.encoded)
        }
        let whole = try #require(try JSONSerialization.jsonObject(with: Self.good.encoded) as? [String: Any])
        #expect(
            Set(whole.keys) == [
                "format", "camera", "bootId", "startMonotonicMs", "endMonotonicMs", "startWallMs", "endWallMs", "cause",
                "class", "ended", "policy", "policyRevision", "incomplete", "tracks", "events",
            ])
        let track = try #require((whole["tracks"] as? [[String: Any]])?.first)
        #expect(
            Set(track.keys) == [
                "kind", "codec", "bytes", "sha256", "durationMs", "width", "height", "index", "objects",
            ])
        let event = try #require((whole["events"] as? [[String: Any]])?.first)
        #expect(
            Set(event.keys) == [
                "bootId", "beganMonotonicMs", "beganWallMs", "endedWallMs", "cause", "level", "why", "detections",
                "zones",
                "picture",
            ])
    }

    @Test("What was recognised in an event goes with it; without it the description is what it was before")
    func labels() throws {
        var clip = Self.good
        clip.events[0].labels = [
            ClipDescription.Label(
                label: "person", atMonotonicMs: 61_500, atWallMs: 9,
                box: LabelBox(x: 0.1, y: 0.25, width: 0.3, height: 0.5)),
            ClipDescription.Label(label: "dog", atMonotonicMs: 61_600, atWallMs: 10, box: nil),
        ]
        #expect(try ClipDescription(parsing: clip.encoded) == clip)
        #expect(try ClipDescription(parsing: clip.encoded).encoded == clip.encoded)
        #expect(!String(decoding: Self.good.encoded, as: UTF8.self).contains("labels"))
    }

    @Test("What may be missing is missing: an open clip, an event that goes on; a clock that was set back is no defect")
    func missing() throws {
        var clip = Self.good
        clip.ended = nil
        clip.tracks[0].sha256 = ""
        clip.tracks[0].width = nil
        clip.events[0].endedWallMs = nil
        clip.events[0].why = nil
        clip.events[0].level = nil
        clip.events[0].picture = nil
        clip.endWallMs = clip.startWallMs - 3_600_000
        #expect(try ClipDescription(parsing: clip.encoded) == clip)
        clip.tracks = []
        #expect(try ClipDescription(parsing: clip.encoded) == clip)
    }

    @Test("Keys that a reader does not know are passed over, wherever they stand")
    func unknownKeys() throws {
        for key in ["encoded", "tracks.0.language", "tracks.0.objects.0.key", "events.0.score"] {
            #expect(try ClipDescription(parsing: Self.json(Self.good, key, "{\"a\":[1,null]}")) == Self.good)
        }
    }

    @Test("A description makes the row of a remote clip, its pictures below the clip's key")
    func remote() throws {
        let verified = Verification(how: "sha256", wallMs: 5)
        let row = Self.good.remote(
            key: BucketFolder.key, store: "s", url: "https://p/index.m3u8", verified: verified, isComplete: false)
        #expect(row.key == BucketFolder.key && row.store == "s" && row.url == "https://p/index.m3u8")
        #expect(row.camera == "front" && row.cause == .detection && row.mediaClass == .event)
        #expect(row.startWallMs == Self.good.startWallMs && row.endWallMs == Self.good.endWallMs)
        #expect(row.bytes == 2_100 && !row.isComplete && row.verified == verified)
        #expect(row.description == Self.good.encoded)
        let event = try #require(row.events.first)
        #expect(event.picture == "\(BucketFolder.key)/event-61000.jpg" && event.zones == ["", "door"])
        #expect(event.bootID == "7d2c0f4a" && event.beganMonotonicMs == 61_000 && event.level == .medium)
    }
}
