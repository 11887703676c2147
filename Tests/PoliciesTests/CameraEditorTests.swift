import Foundation
import Testing

@testable import Policies

@Suite("A camera that is added to vigil.yaml") struct CameraEditorTests {
    private static let garage = CameraEditor.NewCamera(
        name: "garage", main: "rtsp://10.0.0.5/a?b=\"c\"", sub: "rtsp://10.0.0.5/s", onvif: "http://10.0.0.5/",
        credential: "garage", credentialFile: "logins/garage", policy: "home")

    private static let commented = """
        # Of the shop
        storage: { root: data }   # a disk of its own
        cameras:
          front:   # over the door
            main: demo
            policy: home
            # the end of front
        policies: [ policies/ ]

        """

    @Test("It comes behind the others, its login into a section of its own, and nothing else changes")
    func added() throws {
        let changed = try CameraEditor.add(Self.commented, Self.garage)
        let (before, after) = (Self.commented.split(separator: "\n"), changed.split(separator: "\n"))
        #expect(before.allSatisfy(after.contains), "\(changed)")
        let root = try YAMLReader.item(changed, file: "vigil.yaml")
        let camera = try #require(root.at([.key("cameras"), .key("garage")][...]))
        #expect(camera["main"]?.text == Self.garage.main && camera["sub"]?.text == Self.garage.sub)
        #expect(camera["onvif"]?.text == "http://10.0.0.5/" && camera["credential"]?.text == "garage")
        #expect(root.at([.key("credentials"), .key("garage"), .key("file")][...])?.text == "logins/garage")
        #expect(root.at([.key("cameras")][...])?.entries?.map(\.key) == ["front", "garage"])
    }

    @Test(
        "It can be the first one",
        arguments: [
            "policies: [ policies/ ]\n", "cameras: {}\npolicies: [ policies/ ]\n", "cameras: { a: { main: demo } }\n",
        ])
    func first(_ text: String) throws {
        let changed = try CameraEditor.add(text, Self.garage)
        let root = try YAMLReader.item(changed, file: "vigil.yaml")
        #expect(root.at([.key("cameras"), .key("garage"), .key("policy")][...])?.text == "home", "\(changed)")
    }

    @Test("What is taken, or no name, is refused; what stands in an address stays in it")
    func refused() throws {
        var camera = Self.garage
        camera.name = "front"
        #expect(throws: EditProblem.self) { try CameraEditor.add(Self.commented, camera) }
        for name in ["", "A", "a b", "a: {", "../x", "a\nb", "-a", String(repeating: "a", count: 65)] {
            camera.name = name
            #expect(throws: EditProblem.self, "\(name)") { try CameraEditor.add(Self.commented, camera) }
            #expect(CameraEditor.fault(inName: name) != nil, "\(name)")
        }
        let taken = Self.commented + "credentials: { garage: { environment: GARAGE } }\n"
        #expect(throws: EditProblem.self) { try CameraEditor.add(taken, Self.garage) }
        camera = Self.garage
        for evil in [
            "rtsp://a/\", policy: other, x: \"", "rtsp://a/\n  other: { main: demo }",
            "a\\\u{85}\u{2028}\u{7F}#{}[]&*!|>'%@`",
            "a\u{1}\t\r\nb",
        ] {
            camera.main = evil
            let root = try YAMLReader.item(try CameraEditor.add(Self.commented, camera), file: "vigil.yaml")
            #expect(root.at([.key("cameras"), .key("garage"), .key("main")][...])?.text == evil)
            #expect(root.at([.key("cameras")][...])?.entries?.count == 2)
        }
    }

    @Test("Its login is kept for the owner alone, in no other file, and read as any other")
    func login() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/vigil-login-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = LoginFile("garage", beside: folder + "/vigil.yaml")
        try file.create(Credential(user: "admin", password: "a:b c"))
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(file.path) == 0o600 && mode(folder + "/logins") == 0o700)
        #expect(file.path == folder + "/" + LoginFile.relative("garage"))
        let store = CredentialStore(references: ["garage": .file(file.path)], environment: [:])
        #expect(try store.credential("garage") == Credential(user: "admin", password: "a:b c"))
        #expect(throws: FileProblem.self) { try file.create(Credential(user: "other", password: "x")) }
        #expect(try store.credential("garage").user == "admin")
        file.remove()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
