import Foundation
import Testing

/// Lets the threads that a process has now go before those of others, where root asks for it. Each thread for itself: libdispatch
/// starts its own at niceness 0, whatever the process has.
func prefer(_ process: Int32) {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    for thread in threads.compactMap(UInt32.init) { setpriority(.init(PRIO_PROCESS.rawValue), thread, -10) }
}

/// A program of Tests/rig that plays endpoints of some kinds until its input ends.
private final class RigProgram {
    private let process = Process()
    private let input = Pipe()
    /// What it has said up to `ready`, the words of each line.
    private(set) var said: [[String]] = []

    init(_ script: String, _ kinds: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Rig.folder + "/" + script] + kinds
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let lines = Awaited(linesOf: output.fileHandleForReading)
        let told = lines.wait { lines in lines.contains { $0.split(separator: " ").first == "ready" } ? lines : nil }
        said = try #require(told).map { $0.split(separator: " ").map(String.init) }
    }

    var pid: Int32 { process.processIdentifier }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// Endpoints of Tests/rig/faulty.py, and their ports.
final class Endpoints {
    let ports: [String: String]
    private let program: RigProgram

    init(_ kinds: [String]) throws {
        program = try RigProgram("faulty.py", kinds)
        ports = Dictionary(
            program.said.filter { $0.count == 2 && kinds.contains($0[0]) }.map { ($0[0], $0[1]) },
            uniquingKeysWith: { $1 })
    }

    func end() { program.end() }
}

/// Cameras of Tests/rig/hostile_cameras.py, and their addresses.
final class HostileCameras {
    let urls: [String: String]
    private let program: RigProgram

    init(_ kinds: [String]) throws {
        program = try RigProgram("hostile_cameras.py", kinds)
        urls = Dictionary(
            program.said.filter { $0.count == 4 && $0[0] == "camera" }.map { ($0[1], $0[2]) },
            uniquingKeysWith: { $1 })
        try #require(urls.count == kinds.count)
    }

    var pid: Int32 { program.pid }

    func end() { program.end() }
}

/// A camera of Tests/rig/loudspeaker.py: pictures in H.264 without B frames, and a loudspeaker that takes PCMU.
final class TalkingCamera {
    let url: String
    private let program: RigProgram

    init() throws {
        let program = try RigProgram("loudspeaker.py", ["--format", "pcmu"])
        let words = try #require(program.said.first { $0.count == 2 && $0[0] == "camera" })
        (self.program, url) = (program, words[1])
    }

    func end() { program.end() }
}

/// A device of Tests/rig/onvif.py that asks for no login; it sees at night by itself, and its speaker is half as loud as it can be.
final class ONVIFDevice {
    let url: String
    private let program: RigProgram

    /// The device of the camera at this address. `services`: those that it has not, `tev` for that of events.
    init(of camera: String, without services: [String] = []) throws {
        let program = try RigProgram(
            "onvif.py",
            ["--login", "none", "--stream", "main=\(camera),320x240,25,512,H264"]
                + services.flatMap { ["--without", $0] })
        let words = try #require(program.said.first { $0.count == 2 && $0[0] == "ready" })
        (self.program, url) = (program, "http://127.0.0.1:\(words[1])")
    }

    func end() { program.end() }
}

extension RunningDaemon {
    /// How often a camera has been dialled.
    func dials(of camera: String) -> Int {
        log.split(separator: "\n").count {
            $0.contains("\(camera): dialling") || $0.contains("camera=\(camera) dialling")
        }
    }

    /// Every frame of a camera of the rig is recorded, each once, in one clip.
    func recordedWhole(_ camera: String, of rig: Rig) throws {
        let clips = root + "/clips/" + camera
        let files = (FileManager.default.enumerator(atPath: clips)?.allObjects as? [String] ?? [])
            .filter { $0.hasSuffix(".cmfv") }
        #expect(files.count == 1)
        let compared = try RunningDaemon.run(
            "/usr/bin/python3",
            [Rig.folder + "/compare.py", rig.log, "--camera", camera, "--track", "video", "--whole"]
                + files.map { clips + "/" + $0 })
        #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
    }
}
