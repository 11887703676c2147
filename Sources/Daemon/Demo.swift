internal import Foundation

/// The configuration of the demo: real files below the root, so that what a user tries there is what a site does.
enum Demo {
    /// Writes the files that are not there yet and returns the path of the configuration. Blocking.
    static func prepare(root: String) throws -> String {
        let folder = root + "/config"
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        let path = folder + "/vigil.yaml"
        try write(configuration, to: path)
        try write(policy, to: folder + "/policies/demo.yaml")
        return path
    }

    private static func write(_ text: String, to path: String) throws {
        if FileManager.default.fileExists(atPath: path) { return }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static let configuration = """
        # The demo's configuration. Edit it while Vigil runs: it is read again by itself.
        storage: { root: .., maxSize: 2GB, reserve: 1GB }
        socket: ../vigil.sock
        http: { listen: none }
        policies: [ policies/ ]
        cameras:
          demo:
            main: "demo:"      # a real camera: rtsp://192.0.2.10/stream1
            policy: demo

        """

    private static let policy = """
        # Records around the clock; what moves is marked as an event. Try mode: event, or sensitivity: 1.
        name: demo
        description: the built-in demo camera, around the clock
        recording: { mode: continuous, sensitivity: 5, maxEventLength: 30s, preRoll: 5s, clipLength: 1m }
        retention: { continuous: 1d, events: 1d, maxSize: 1GB }

        """
}
