import Testing

@testable import Policies

@Suite("Cameras that push")
struct PushTests {
    private static let listens = "http: { listen: 192.0.2.1:8480 }\n"

    private static func text(_ camera: String, _ more: String = "") -> String {
        "policies: [ policies/shop.yaml ]\n\(more)cameras: { front: { \(camera), policy: shop } }\n"
    }

    private static func paths(_ camera: String, _ more: String = "") -> [String] {
        Fixture.findings(text(camera, more)).map(\.keyPath)
    }

    @Test("main: push needs somebody who may push, and a listener")
    func keys() throws {
        let login = "credentials: { front: { env: FRONT } }\n"
        let loaded = try Fixture.load(Self.text("main: push, sub: push, credential: front", login)).result.get()
        let camera = try #require(loaded.configuration.camera("front"))
        #expect(camera.isPushed && camera.main.lan == .push && camera.sub?.lan == .push)
        #expect(camera.pushCertificatesFile == nil)
        #expect(Self.paths("main: push, credential: front", login + Self.listens) == [])
        #expect(Self.paths("main: push", Self.listens) == ["cameras.front"])
        #expect(Self.paths("main: push, credential: front", login + "http: { listen: none }\n") == ["cameras.front"])
        #expect(
            Self.paths("main: push, pushCertificates: front.pem", Self.listens) == ["cameras.front.pushCertificates"])
        let other = try Fixture.load(Self.text("main: demo")).result.get()
        #expect(other.configuration.camera("front")?.isPushed == false)
    }

    @Test("where only this machine reaches the listener that is said, and certificates alone are none without TLS")
    func reach() throws {
        let login = "credentials: { front: { env: FRONT } }\n"
        let local = Fixture.findings(Self.text("main: push, credential: front", login))
        #expect(local.map(\.severity) == [.warning] && local[0].reason.contains("from this machine alone"))
        let bare = Fixture.findings(Self.text("main: push, pushCertificates: shop.yaml"))
        #expect(bare.contains { $0.severity == .error && $0.reason.contains("has no TLS") }, "\(bare)")
        let served = "http: { tls: { certificate: shop.yaml, key: shop.yaml } }\n"
        #expect(
            !Fixture.findings(Self.text("main: push, pushCertificates: shop.yaml", served)).contains {
                $0.reason.contains("has no TLS")
            })
    }
}
