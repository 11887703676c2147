import Foundation
import Hashing
import Machines
import Testing

@testable import Policies

@Suite struct LoadingTests {
    @Test func `The documented configuration and policy load as they stand`() throws {
        let loaded = try Fixture.load(Fixture.configuration).result.get()
        #expect(loaded.warnings == [])
        #expect(loaded.configuration.storage.root == "/var/lib/vigil")
        #expect(loaded.configuration.storage.reserve == .percent(5))
        #expect(loaded.configuration.storage.syncIntervalMs == 5_000)
        #expect(loaded.configuration.listen == .standard)
        #expect(loaded.configuration.socket == "/run/vigil/vigil.sock")
        #expect(loaded.configuration.timeZone == "Europe/Rome")
        let camera = try #require(loaded.configuration.camera("front"))
        #expect(camera.main[.lan] == .rtsp("rtsp://127.0.0.1:8554/cam0"))
        #expect(camera.main[.internet] == nil)
        #expect(camera.sub?.lan == .rtsp("rtsp://127.0.0.1:8554/cam1"))
        #expect(camera.connect == .auto && camera.credential == "front" && camera.transport == .tcp)
        #expect(camera.initiallyEnabled && camera.tls.verification == .full)

        let shop = try #require(loaded.policy(ofCamera: "front"))
        #expect(shop.recording.mode == .continuous && shop.recording.sensitivity == .medium)
        #expect(shop.recording.timeControl == TimeControl())
        #expect(shop.recording.preRollMs == 5_000 && shop.recording.clipLengthMs == 600_000)
        #expect(shop.schedule.first?.days.indices == [0, 1, 2, 3, 4])
        #expect(shop.schedule.first?.fromMinute == 480 && shop.schedule.first?.toMinute == 1_110)
        let week: Int64 = 7 * 86_400_000
        #expect(
            shop.retention
                == RetentionRules(continuousMs: week, eventsMs: 30 * 86_400_000, maxBytes: 500_000_000_000))
        #expect(shop.revision.count == 12)
    }

    @Test func `A minimal policy has the defaults of the time control`() throws {
        let policy = try Fixture.policy("name: p")
        #expect(
            policy.recording.policy(offBySchedule: false)
                == Policy(
                    mode: .event,
                    timeControl: TimeControl(initialMs: 10_000, augmentationMs: 5_000, maxMs: 60_000, blindMs: 0)))
        #expect(policy.retention == RetentionRules())
        let onDemand = try Fixture.policy("name: p\nrecording: { connection: onDemand }")
        #expect(onDemand.recording.preRollMs == 0)
    }

    @Test func `Every kind of source, endpoint and setting of a camera is read`() throws {
        let text = """
            storage: { root: data, maxSize: 1.5TiB, reserve: 20GB, syncInterval: 2s }
            http: { listen: none }
            socket: run/vigil.sock
            timezone: UTC
            policies: [ policies/shop.yaml ]
            credentials: { yard: { env: YARD } }
            cameras:
              yard:
                main: { lan: "rtsps://10.0.0.2/a", internet: "rtsps://[2001:db8::1]:322/a" }
                connect: internet
                credential: yard
                transport: udp
                g726: aal2
                rotation: 180
                allowBasic: true
                onvif: http://10.0.0.2:8000
                tls: { verify: chain }
                enabled: false
                policy: shop
              demo: { main: demo, policy: shop }
              away: { main: rtsp://cam.example.org/x, connect: internet, policy: shop }
            """
        let loaded = try Fixture.load(text).result.get()
        let configuration = loaded.configuration
        #expect(configuration.storage.root == "/etc/vigil/data" && configuration.socket == "/etc/vigil/run/vigil.sock")
        #expect(configuration.storage.maxBytes == 1_649_267_441_664)
        #expect(configuration.storage.reserve == .bytes(20_000_000_000) && configuration.listen == nil)
        #expect(configuration.cameras.map(\.name) == ["yard", "demo", "away"])
        let yard = try #require(configuration.camera("yard"))
        #expect(
            yard.main.internet == .rtsp("rtsps://[2001:db8::1]:322/a") && yard.transport == .udp && yard.g726 == .aal2
                && yard.allowsBasic && yard.onvif == "http://10.0.0.2:8000")
        #expect(configuration.camera("demo")?.onvif == nil)
        #expect(yard.rotation == .half && configuration.camera("demo")?.rotation == Configuration.Camera.Rotation.none)
        #expect(yard.tls.verification == .chain && !yard.initiallyEnabled)
        #expect(configuration.camera("demo")?.main.lan == .demo)
        #expect(configuration.camera("away")?.main.internet == .rtsp("rtsp://cam.example.org/x"))
        #expect(configuration.camera("away")?.main.lan == nil)
        #expect(configuration.credentials == ["yard": .environment("YARD")])
    }

    @Test(arguments: Fixture.shippedPolicies) func `A shipped policy loads without a warning`(name: String) throws {
        let (policy, warnings) = try ConfigurationLoader.policy(
            text: String(contentsOfFile: Fixture.root + "/policies/\(name).yaml", encoding: .utf8), file: "\(name).yaml"
        )
        #expect(policy.name == name)
        #expect(warnings == [])
        #expect(policy.summary != nil)
    }

    @Test func `The shipped policies load together from the disk`() throws {
        try Fixture.inNewFolder { folder in
            let path = folder + "/vigil.yaml"
            try "policies: [ \(Fixture.root)/policies/ ]\ncameras: { a: { main: demo, policy: home } }\n".write(
                toFile: path, atomically: true, encoding: .utf8)
            let outcome = ConfigurationLoader().load(path)
            #expect(try outcome.result.get().policies.keys.sorted() == Fixture.shippedPolicies)
            #expect(outcome.watched.files.count == Fixture.shippedPolicies.count + 1)
            #expect(outcome.watched.folders.count == 1)
        }
    }

    @Test func `A revision follows the contents of every file`() throws {
        let first = try Fixture.load(Fixture.configuration).result.get()
        let again = try Fixture.load(Fixture.configuration).result.get()
        let commented = try Fixture.load(Fixture.configuration, policies: ["shop.yaml": Fixture.shop + "# note\n"])
            .result.get()
        #expect(first.revision == again.revision)
        #expect(first.revision != commented.revision)
        #expect(first.policies["shop"]?.revision != commented.policies["shop"]?.revision)
    }

    @Test func `The digest is SHA-256`() {
        #expect(SHA256.hex([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(SHA256.hex(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256.hex([UInt8](repeating: 0x61, count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `The last good configuration stays until a better one comes`() throws {
        var live = LiveConfiguration()
        let good = try Fixture.load(Fixture.configuration).result.get()
        #expect(live.candidate(Fixture.load(Fixture.configuration)) == .accepted(good))
        #expect(live.candidate(Fixture.load(Fixture.configuration)) == .unchanged)

        let bad = Fixture.load(Fixture.configuration.replacing("policy: shop", with: "policy: shp"))
        guard case .refused(let refusal) = live.candidate(bad) else {
            Issue.record("a bad configuration was accepted")
            return
        }
        #expect(refusal.diagnostics.map(\.keyPath) == ["cameras.front.policy"])
        #expect(live.current == good && live.refusal == refusal)
        #expect(live.watched.files.contains("/etc/vigil/vigil.yaml"))

        // What a policy cannot mean is refused like what cannot be read.
        let blind = Fixture.load(
            Fixture.configuration,
            policies: ["shop.yaml": Fixture.shop, "y.yaml": "name: y\nrecording: { maxEventLength: 15s, blind: 30s }"])
        guard case .refused(let refusal) = live.candidate(blind) else {
            Issue.record("a policy that misses more than it records was accepted")
            return
        }
        #expect(refusal.diagnostics.map(\.rule) == [.blindOutlastsEvent] && live.current == good)
        #expect(refusal.diagnostics.first?.trace.isEmpty == false)

        // A refused policy takes nothing with it that was good in the same candidate.
        let half = Fixture.load(
            Fixture.configuration.replacing("8080", with: "9090"),
            policies: ["shop.yaml": Fixture.shop, "x.yaml": "name: 1 2"])
        guard case .refused = live.candidate(half) else {
            Issue.record("half a configuration was accepted")
            return
        }
        #expect(live.current?.configuration.listen?.port == 8080)
        #expect(live.candidate(Fixture.load(Fixture.configuration)) == .unchanged)
        #expect(live.refusal == nil)
    }

    @Test func `An edit can be tried against the whole configuration before it is written`() throws {
        let disk = MemoryFiles(contents: ["v.yaml": Fixture.configuration, "policies/shop.yaml": Fixture.shop])
        let renamed = ReplacedFile("policies/shop.yaml", text: "name: store", in: disk)
        let refused = ConfigurationLoader(files: renamed).load("v.yaml").result
        #expect(throws: Refusal.self) { try refused.get() }
        let added = ReplacedFile("policies/new.yaml", text: "name: new", in: disk)
        #expect(try ConfigurationLoader(files: added).load("v.yaml").result.get().policies.count == 2)
    }
}
