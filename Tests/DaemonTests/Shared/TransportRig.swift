import Foundation
import Testing

/// A daemon with two demo cameras in event mode, whose detectors are off, and its transports over the control socket.
struct TransportRig {
    /// What was answered.
    struct Answer {
        let status: Int
        let body: Any?

        /// One object.
        var object: [String: Any] { body as? [String: Any] ?? [:] }
        /// What Matter calls the refusal; nil where it is none.
        var matter: String? { object["matter"] as? String }
        /// The number of the transport.
        var number: Int? { object["connectionID"] as? Int }
        /// Its status.
        var transportStatus: String? { object["transportStatus"] as? String }
    }

    let folder: String
    let daemon: RunningDaemon
    /// The distance between the key frames of `front`, in milliseconds.
    let keyFrameMs: Int

    /// Waits until the cameras send, and their key frames are known.
    static func start(in folder: String? = nil) async throws -> TransportRig {
        let folder = try folder ?? RunningDaemon.freshFolder()
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: event, preRoll: 0s",
            """
            cameras:
              front:
                main: demo
                policy: all
                detection: 'off'
                zones: { gate: [ [0, 0], [0.5, 0], [0.5, 1], [0, 1] ] }
              back: { main: demo, policy: all, detection: 'off' }
            """)
        let daemon = try RunningDaemon(folder: folder, config: config)
        var interval = 0
        try await daemon.wait("the distance of key frames, and sound") {
            let able = try Self.ask(daemon, "GET", "front", "/capabilities").object
            interval = able["keyFrameInterval"] as? Int ?? 0
            return interval > 0 && (able["audioStreams"] as? [Int]) == [0]
        }
        return TransportRig(folder: folder, daemon: daemon, keyFrameMs: interval)
    }

    /// A request about the transports of a camera.
    static func ask(
        _ daemon: RunningDaemon, _ method: String, _ camera: String, _ path: String = "", _ body: [String: Any]? = nil
    ) throws -> Answer {
        let json = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let answer = try daemon.ask(method, "/v1/cameras/\(camera)/transports\(path)", json)
        return Answer(
            status: answer.status, body: try? JSONSerialization.jsonObject(with: Data(answer.text.utf8)))
    }

    func ask(_ method: String, _ path: String = "", _ body: [String: Any]? = nil, camera: String = "front") throws
        -> Answer
    {
        try Self.ask(daemon, method, camera, path, body)
    }

    /// The transports of a camera.
    func all(_ camera: String = "front") throws -> [[String: Any]] {
        try ask("GET", camera: camera).body as? [[String: Any]] ?? []
    }

    /// Options that are taken: motion anywhere, with `change` made to them.
    func options(_ change: (inout [String: Any]) -> Void = { _ in }) -> [String: Any] {
        var options: [String: Any] = [
            "streamUsage": "recording", "videoStreams": [["name": "video", "id": 0]],
            "triggerOptions": Self.motion(), "ingestMethod": "cmafIngest",
            "containerOptions": container(),
        ]
        change(&options)
        return options
    }

    /// Motion of I 2, A 1, M 5, B 0 seconds.
    static func motion(_ change: (inout [String: Any]) -> Void = { _ in }) -> [String: Any] {
        var trigger: [String: Any] = [
            "triggerType": "motion", "maxPreRollLen": 0,
            "motionTimeControl": [
                "initialDuration": 2, "augmentationDuration": 1, "maxDuration": 5, "blindDuration": 0,
            ],
        ]
        change(&trigger)
        return trigger
    }

    /// Segments of one distance between key frames, or of whatever is said.
    func container(segmentMs: Int? = nil, chunkMs: Int = 0) -> [String: Any] {
        let segmentMs = segmentMs ?? (499 + keyFrameMs) / keyFrameMs * keyFrameMs
        return [
            "containerType": "cmaf",
            "cmafContainerOptions": [
                "cmafInterface": "interface1", "segmentDuration": segmentMs, "chunkDuration": chunkMs,
            ],
        ]
    }

    /// Allocates a transport; gives its number.
    func allocate(_ options: [String: Any]? = nil, camera: String = "front") throws -> Int {
        let answer = try ask("POST", "", options ?? self.options(), camera: camera)
        #expect(answer.status == 200, "\(answer)")
        return try #require(answer.number)
    }

    /// Sets a transport active or inactive, or all.
    func set(_ number: Int?, _ status: String, camera: String = "front") throws -> Answer {
        var body: [String: Any] = ["transportStatus": status]
        body["connectionID"] = number
        return try ask("PUT", "/status", body, camera: camera)
    }

    /// Runs the whole trace again, which has to agree. Gives of each machine of a transport of `front` the number of the transport, and
    /// whether it came to its end; by number, those of earlier runs first.
    func replayed() throws -> [(number: Int, isOver: Bool)] {
        let answer = try daemon.vigil(["replay", "--root", daemon.root, "--json"])
        #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
        let whole = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
        let runs = try #require(whole?["runs"] as? [[String: Any]])
        var found: [(number: Int, isOver: Bool)] = []
        for run in runs {
            guard let name = run["camera"] as? String, name.hasPrefix("front/") else { continue }
            let number = Int(name.dropFirst("front/".count).prefix { $0 != "." })
            #expect(run["firstStep"] as? Int == 1 && run["replayed"] as? Int == run["records"] as? Int, "\(run)")
            let ending = (run["remarks"] as? [String])?.last ?? ""
            found.append((try #require(number), ending.hasSuffix("stopped as it should")))
        }
        return found.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }.map(
            \.element)
    }

    /// The recordings of a transport, the newest first.
    func recordings(_ number: Int) throws -> [[String: Any]] {
        try ask("GET", "/\(number)/recordings").body as? [[String: Any]] ?? []
    }
}
