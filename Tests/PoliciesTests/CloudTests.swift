import Foundation
import Machines
import Testing

@testable import Policies

@Suite("The cloud in configuration and policies")
struct CloudTests {
    private static let sending = Fixture.shop + "cloud: { upload: events }\n"

    private static func site(_ cloud: String) -> String { Fixture.configuration + cloud }

    private static let store = """
        cloud:
          store: { endpoint: "https://s3.example.org", bucket: clips }

        """

    private static func findings(_ cloud: String, policy: String = sending) -> [Diagnostic] {
        Fixture.findings(site(cloud), policies: ["shop.yaml": policy])
    }

    @Test("A store alone has every default")
    func defaults() throws {
        let loaded = try Fixture.load(Self.site(Self.store), policies: ["shop.yaml": Self.sending]).result.get()
        #expect(loaded.warnings.isEmpty)
        let cloud = try #require(loaded.configuration.cloud)
        #expect(cloud.store.endpoint == "https://s3.example.org" && cloud.store.bucket == "clips")
        #expect(cloud.store.region == "us-east-1" && cloud.store.prefix == "" && cloud.store.addressing == .path)
        #expect(cloud.store.authorityFile == nil && cloud.store.publicURL == nil && cloud.store.credential == nil)
        #expect(cloud.store.name == "https://s3.example.org/clips")
        #expect(cloud.provider == .always && cloud.encoder == nil && cloud.parallel == 4 && cloud.bytesPerSecond == nil)
        #expect(cloud.hours.isEmpty && cloud.cacheBytes == 104_857_600)
        #expect(loaded.policy(ofCamera: "front")?.cloud == CloudRules(upload: .events))
        #expect(try Fixture.policy("name: p").cloud == CloudRules())
        #expect(try Fixture.load(Fixture.configuration).result.get().configuration.cloud == nil)
    }

    @Test(
        "Encryption: the files are read as paths and followed; what is in the way of sending is a warning, and copies are refused"
    )
    func encryption() throws {
        let text = Self.store + "  encryption: { keyFile: keys/site.key, oldKeyFiles: [ /old.key ] }\n"
        func site(_ files: [String: String], policy: String = Self.sending) -> LoadOutcome {
            let contents = ["/etc/vigil/vigil.yaml": Self.site(text), "/etc/vigil/policies/shop.yaml": policy]
            return ConfigurationLoader(files: MemoryFiles(contents: contents.merging(files) { $1 })).load(
                "/etc/vigil/vigil.yaml")
        }
        let missing = try site([:]).result.get()
        #expect(
            missing.configuration.cloud?.encryption
                == .init(keyFile: "/etc/vigil/keys/site.key", oldKeyFiles: ["/old.key"]))
        #expect(missing.warnings.map(\.keyPath) == ["cloud.encryption.keyFile", "cloud.encryption.oldKeyFiles[0]"])
        #expect(missing.warnings[0].remedy == "make one: vigil cloud key create /etc/vigil/keys/site.key")
        #expect(Set(site([:]).watched.files).isSuperset(of: ["/etc/vigil/keys/site.key", "/old.key"]))
        let (key, id) = (String(repeating: "0", count: 64), "66687aadf862bd77")
        var files = ["/etc/vigil/keys/site.key": "key \(key)\nid \(id)\n", "/old.key": "key \(key)\nid \(id)\n"]
        let open = try site(files).result.get()
        #expect(open.warnings.map(\.keyPath) == ["cloud.encryption.keyFile"])
        #expect(open.warnings[0].reason.contains("until the backup of the key is confirmed"))
        var live = LiveConfiguration()
        _ = live.candidate(site(files))
        files["/etc/vigil/keys/site.key"]? += "backup 2026-11-25\n"
        // The configuration is the same, and nothing is in the way any more.
        #expect(live.candidate(site(files)) == .unchanged && live.current?.warnings.isEmpty == true)
        let copies = site(files, policy: Fixture.shop + "cloud: { upload: events, encode: browser }\n")
        guard case .failure(let refusal) = copies.result else {
            return #expect(Bool(false), "copies would lie there in clear")
        }
        #expect(refusal.diagnostics.map(\.keyPath) == ["cameras.front.policy"])
        #expect(refusal.diagnostics[0].reason.contains("cloud.encryption"))
        #expect(Self.findings(Self.store + "  encryption: {}\n").map(\.keyPath) == ["cloud.encryption.keyFile"])
    }

    @Test("Every key is read")
    func everything() throws {
        let text = """
            cloud:
              store:
                endpoint: http://127.0.0.1:9000/
                bucket: clips.of.ours
                region: eu-central-1
                prefix: shop/vigil/
                addressing: virtualHost
                publicUrl: https://cdn.example.org/vigil/
                credential: store
              subscription: { url: "https://plans.example.org/api/", credential: plans, retention: 14d }
              encoder: { url: "https://encoder.example.org/api/", credential: encoder }
              parallel: 2
              bandwidth: 2MB
              hours: [ { from: "22:00", to: "06:00" }, { days: "sat,sun", from: "00:00", to: "24:00" } ]
              cache: 1GiB
            credentials:
              store: { env: STORE }
              plans: { env: PLANS }
              encoder: { env: ENCODER }

            """
        let policy =
            Fixture.shop + """
                cloud:
                  { upload: events, levels: [ 1, medium ], causes: [ detection, command ], keepLocal: untilUploaded, live: true, encode: ladder, retention: 30d }

                """
        let loaded = try Fixture.load(Self.site(text), policies: ["shop.yaml": policy]).result.get()
        #expect(loaded.warnings.isEmpty)
        let cloud = try #require(loaded.configuration.cloud)
        #expect(cloud.store.endpoint == "http://127.0.0.1:9000" && cloud.store.addressing == .virtualHost)
        #expect(
            cloud.store.prefix == "shop/vigil" && cloud.store.name == "http://127.0.0.1:9000/clips.of.ours/shop/vigil")
        #expect(cloud.store.publicURL == "https://cdn.example.org/vigil" && cloud.store.credential == "store")
        #expect(
            cloud.provider
                == .service(
                    .init(url: "https://plans.example.org/api", credential: "plans", retentionMs: 14 * 86_400_000)))
        #expect(cloud.parallel == 2 && cloud.bytesPerSecond == 2_000_000 && cloud.cacheBytes == 1 << 30)
        #expect(cloud.encoder == .init(url: "https://encoder.example.org/api", credential: "encoder"))
        let rules = try #require(loaded.policy(ofCamera: "front")?.cloud)
        #expect(rules.levels == [.low, .medium] && rules.causes == [.detection, .command])
        #expect(rules.encode == .ladder)
        #expect(rules.keepLocal == .untilUploaded && rules.isLive && rules.retentionMs == 30 * 86_400_000)

        let zone = try #require(TimeZone(identifier: "UTC"))
        // 2026-11-23 is a Monday.
        let monday: Int64 = 1_795_392_000_000
        for (hour, sends) in [(Int64(3), true), (6, false), (21, false), (22, true), (5 * 24 + 12, true)] {
            #expect(cloud.sends(atUnixMs: monday + hour * 3_600_000, in: zone) == sends, "hour \(hour)")
        }
        for moment in [Int64.min, .max] { _ = cloud.sends(atUnixMs: moment, in: zone) }
    }

    @Test("A policy that sends needs a store, and a store somebody who sends")
    func together() {
        let none = Fixture.findings(Fixture.configuration, policies: ["shop.yaml": Self.sending])
        #expect(
            none.map(\.description) == [
                "/etc/vigil/vigil.yaml:12:13: error: cameras.front.policy: policy shop sends clips to the cloud "
                    + "(cloud.upload), and no store is named; add cloud: { store: { endpoint: …, bucket: … } }, "
                    + "or set cloud.upload: none in the policy"
            ])
        let unused = Self.findings(Self.store, policy: Fixture.shop)
        #expect(unused.map(\.keyPath) == ["cloud"] && unused.map(\.severity) == [.warning])
    }

    @Test("What cannot be is refused, with what to write")
    func refused() {
        for (old, new, keyPath, word) in [
            ("https://s3.example.org", "s3.example.org", "cloud.store.endpoint", "https://host"),
            ("https://s3.example.org", "https://me:secret@s3.example.org", "cloud.store.endpoint", "credential"),
            ("https://s3.example.org", "https://s3.example.org/?x", "cloud.store.endpoint", "behind a ?"),
            ("bucket: clips", "bucket: My_Clips", "cloud.store.bucket", "3 to 63"),
            ("bucket: clips", "bucket: clips, prefix: ../x", "cloud.store.prefix", "slashes between"),
            ("bucket: clips", "bucket: clips, prefix: /x", "cloud.store.prefix", "slashes between"),
            ("bucket: clips", "bucket: clips, ca: no.pem", "cloud.store.ca", "put the file there"),
            (", bucket: clips", "", "cloud.store.bucket", "add it"),
            ("cloud:\n", "cloud:\n  parallel: 99\n", "cloud.parallel", "from 1 to 32"),
            ("cloud:\n", "cloud:\n  subscription: never\n", "cloud.subscription", "write one of them"),
            ("cloud:\n", "cloud:\n  subscription: { retention: 1d }\n", "cloud.subscription.url", "add it"),
            (
                "cloud:\n", "cloud:\n  encoder: { url: \"https://e.example.org\" }\n", "cloud.encoder.credential",
                "add it"
            ),
            ("cloud:\n", "cloud:\n  hours: [ { from: \"25:00\", to: \"06:00\" } ]\n", "cloud.hours[0].from", "write"),
        ] {
            let found = Self.findings(Self.store.replacing(old, with: new))
            let finding = found.first { $0.keyPath == keyPath }
            #expect(finding?.severity == .error, "\(new): \(found)")
            #expect(finding.map { ($0.reason + "; " + $0.remedy).contains(word) } == true, "\(new): \(found)")
            #expect(!found.description.contains("secret"))
        }
    }

    @Test("What is allowed and probably not meant is a warning")
    func warned() {
        let clear = Self.findings(
            """
            cloud:
              store: { endpoint: "http://store.lan:9000", bucket: clips, ca: no.pem }
              subscription: { url: "http://plans.example.org" }
            credentials: { a: { env: A } }

            """)
        #expect(
            Set(clear.map(\.keyPath)) == [
                "cloud.store.endpoint", "cloud.subscription.url", "cloud.store.ca", "credentials.a",
            ])
        #expect(clear.allSatisfy { $0.severity == .warning })
        let dotted = Self.store.replacing("bucket: clips", with: "bucket: a.b.c, addressing: virtualHost")
        #expect(Self.findings(dotted).map(\.keyPath) == ["cloud.store.bucket"])
        for own in ["http://127.0.0.1:9000", "http://localhost", "http://[::1]:9000/x"] {
            #expect(Self.findings(Self.store.replacing("https://s3.example.org", with: own)) == [], "\(own)")
        }
    }

    @Test("Keys of a policy that say nothing are told")
    func inVain() {
        for (cloud, keys) in [
            ("live: true, keepLocal: untilUploaded", ["cloud.live", "cloud.keepLocal"]),
            ("encode: small", ["cloud.encode"]), ("upload: all, encode: small", []),
            ("upload: all, levels: [ 1 ], causes: [ source ]", ["cloud.levels", "cloud.causes"]),
            ("upload: events, levels: [ 1 ], causes: [ source ]", ["cloud.levels"]),
            ("upload: events, levels: [ 1 ], causes: [ source, detection ]", []),
            ("upload: all, keepLocal: untilUploaded", []), ("upload: all, live: true", []),
        ] {
            let found = Fixture.policyFindings("name: p\ncloud: { \(cloud) }\n")
            #expect(found.map(\.keyPath) == keys && found.allSatisfy { $0.severity == .warning }, "\(cloud): \(found)")
        }
    }

    @Test("The cloud section in words")
    func words() throws {
        func last(_ cloud: String) throws -> [String] {
            Array(try Fixture.policy("name: p\ncloud: { \(cloud) }").explain().dropFirst(4))
        }
        #expect(try last("upload: none") == [])
        #expect(
            try last("upload: all, retention: 30d") == [
                "Sends all clips to the cloud, and keeps them there for 30 days."
            ])
        #expect(
            try last("upload: all, encode: ladder") == [
                "Sends all clips to the cloud, and keeps them there as long as the plan holds.",
                "Makes copies of them there that every browser plays: 1080p (4000 kbit/s), 720p (2000 kbit/s), 360p (600 kbit/s).",
            ])
        #expect(
            try last(
                "upload: events, levels: [ high, low ], causes: [ detection ], live: true, keepLocal: untilUploaded")
                == [
                    "Sends clips with events begun by detection (of level 1, 10) to the cloud, each while it is recorded, and keeps them there as long as the plan holds.",
                    "No rule deletes the local copy of these before its upload is verified.",
                ])
    }
}
