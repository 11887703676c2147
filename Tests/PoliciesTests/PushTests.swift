import Testing

@testable import Policies

@Suite("Cameras that push")
struct PushTests {
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
        #expect(Self.paths("main: push") == ["cameras.front"])
        #expect(Self.paths("main: push, credential: front", login + "http: { listen: none }\n") == ["cameras.front"])
        #expect(
            Self.paths("main: push, pushCertificates: front.pem") == ["cameras.front.pushCertificates"])
        let other = try Fixture.load(Self.text("main: demo")).result.get()
        #expect(other.configuration.camera("front")?.isPushed == false)
    }
}
