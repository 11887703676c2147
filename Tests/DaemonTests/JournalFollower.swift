import Foundation

/// Follows the journal of a daemon from its start, over its socket.
final class JournalFollower: Sendable {
    /// One record.
    struct Record {
        let kind: String
        let priority: String?
        /// When it was said, in milliseconds since 1970, by the daemon.
        let wallMs: Int64
        /// By the names of the journal's fields.
        let fields: [String: String]

        /// The number of the transport that it is about.
        var transport: Int? { fields["VIGIL_TRANSPORT"].flatMap { Int($0) } }
        /// What triggered it.
        var cause: String? { fields["VIGIL_CAUSE"] }
        /// The reason.
        var why: String? { fields["VIGIL_WHY"] }
    }

    private let process = Process()
    private let file: String

    /// The daemon must answer by now.
    init(_ daemon: RunningDaemon) throws {
        file = daemon.folder + "/journal-\(daemon.pid)"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = ["-s", "-N", "-o", file, "--unix-socket", daemon.socket, "http://vigil/v1/journal?after=0"]
        try process.run()
    }

    /// What was said so far of these kinds about a camera, in order.
    func records(_ kinds: String..., camera: String = "front") throws -> [Record] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
        // The last line may be half written.
        let whole = text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]
        var found: [Record] = []
        for line in whole.split(separator: "\n") where line.hasPrefix("data: {") {
            let told = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)) as? [String: Any] ?? [:]
            guard let kind = told["kind"] as? String, kinds.contains(kind), told["camera"] as? String == camera,
                let time = told["time"] as? String
            else { continue }
            let seconds = try Date(time, strategy: style).timeIntervalSince1970
            found.append(
                Record(
                    kind: kind, priority: told["priority"] as? String, wallMs: Int64((seconds * 1_000).rounded()),
                    fields: told["fields"] as? [String: String] ?? [:]))
        }
        return found
    }

    /// Waits for its end, which comes with the daemon's.
    func end() { process.waitUntilExit() }
}
