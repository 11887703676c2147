internal import Foundation
internal import Glibc

/// The configuration of the demo: real files below the root, so that what a user tries there is what a site does.
enum Demo {
    /// Writes the files that are not there yet and returns the path of the configuration. Blocking.
    static func prepare(root: String) throws -> String {
        let folder = root + "/config"
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        let path = folder + "/vigil.yaml"
        try write(configuration(port: freePort()), to: path)
        try write(policy, to: folder + "/policies/demo.yaml")
        return path
    }

    private static func write(_ text: String, to path: String) throws {
        if FileManager.default.fileExists(atPath: path) { return }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// The first free port from 8080 on, so that the demo runs beside an installed Vigil too.
    private static func freePort() -> UInt16 {
        (8_080..<8_100).first(where: isFree) ?? 8_080
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var (address, yes) = (sockaddr_in(), Int32(1))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func configuration(port: UInt16) -> String {
        """
        # The demo's configuration. Edit it while Vigil runs: it is read again by itself.
        storage: { root: .., maxSize: 2GB, reserve: 1GB }
        socket: ../vigil.sock
        http: { listen: 127.0.0.1:\(port) }
        policies: [ policies/ ]
        cameras:
          demo:
            main: "demo:"      # a real camera: rtsp://192.0.2.10/stream1
            policy: demo

        """
    }

    private static let policy = """
        # Records around the clock; what moves is marked as an event. Try mode: event, or sensitivity: 1.
        name: demo
        description: the built-in demo camera, around the clock
        recording: { mode: continuous, sensitivity: 5, maxEventLength: 30s, preRoll: 5s, clipLength: 1m }
        retention: { continuous: 1d, events: 1d, maxSize: 2GB }

        """
}
