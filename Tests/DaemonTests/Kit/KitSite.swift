import Foundation
import MemorySite
import Testing
import VigilKit
import VigilURLSession

/// A running daemon with two demo cameras, and the kit that speaks to it over TCP with a token.
struct KitSite {
    let daemon: RunningDaemon
    let vigil: Vigil

    /// Cameras `front` and `back`, and `cameras` as lines of YAML; `site` is configuration beside them.
    static func with(
        site: String = "", cameras: String = "", role: String = "admin", _ body: (KitSite) async throws -> Void
    ) async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous, clipLength: 1m }\n".write(
            toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        let port = try ListenerTests.Port().number
        try """
        http: { listen: 127.0.0.1:\(port) }
        timezone: \(NoonZone.name)
        policies: [ policies/ ]
        \(site)
        cameras:
          front: { main: "demo:", sub: "demo:", policy: all }
          back: { main: "demo:", policy: all }
        \(cameras)

        """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        let daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        let made = try daemon.vigil(["token", "create", "app", "--role", role])
        let token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        try await body(KitSite(daemon: daemon, vigil: Vigil(url: url, token: token)))
    }

    /// Waits until so much of the camera's first clip is written; gives it.
    func clip(_ camera: String = "front", ofMs length: Int64) async throws -> ClipInfo {
        let deadline = ContinuousClock.now + .seconds(RunningDaemon.patience)
        while ContinuousClock.now < deadline {
            let clips = try await vigil.clips(ListFilter(camera: camera)).items
            if let clip = clips.first, let video = clip.tracks.first(where: { $0.kind == .video }),
                video.durationMs >= length
            {
                return clip
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        Issue.record("no \(length) ms of \(camera) were recorded\n\(daemon.log.suffix(3_000))")
        throw CancellationError()
    }

    /// Asks until the answer is `wanted`.
    func until(_ wanted: String, _ ask: () async throws -> String?) async throws {
        let deadline = ContinuousClock.now + .seconds(RunningDaemon.patience)
        var answers: Set<String> = []
        while ContinuousClock.now < deadline {
            let answer = try await ask() ?? ""
            if answer == wanted { return }
            answers.insert(answer)
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("did not come: \(wanted), but \(answers)\n\(daemon.log.suffix(3_000))")
        throw CancellationError()
    }

    /// The step and reason with which something is refused; nil where it is not.
    static func refusal(_ body: () async throws -> SessionInfo) async throws -> String? {
        do {
            _ = try await body()
            return nil
        } catch let error as VigilError {
            guard case .refused = error else { throw error }
            return "\(error.step ?? "") \(error.reason ?? "")"
        }
    }
}
