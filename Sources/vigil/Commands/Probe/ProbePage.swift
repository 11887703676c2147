internal import Daemon
internal import Machines
internal import Media

/// What `vigil probe` prints: a line for each thing that is known.
struct ProbePage {
    let address: String
    let report: ProbeReport

    /// The page.
    var text: String {
        lines.map { name, words in name + String(repeating: " ", count: max(1, 12 - name.count)) + words }
            .joined(separator: "\n")
    }

    private var lines: [(String, String)] {
        var lines = [("camera", address), ("vigil", vigilVersion)]
        if let failure = report.failure {
            lines.append(("failed", "\(failure.rawValue): \(report.failureDetail ?? "")"))
        }
        if let ms = report.dialMs {
            let name = report.server.map { ", as \"\($0)\"" } ?? ""
            lines.append(("answers", "after \(ms) ms\(name)"))
        }
        if let transport = report.transport {
            lines.append(
                ("login", report.login ?? (report.failure == .unauthorized ? "refused" : "none asked for")))
            let way = transport == .tcp ? "TCP" : "UDP"
            lines.append(("transport", report.isEncrypted == true ? "\(way), encrypted" : way))
            let signs = report.keepAlive.isEmpty ? "receiver reports" : report.keepAlive.joined(separator: ", ")
            lines.append(("keep-alive", "\(signs); a session of \((report.sessionMs ?? 0) / 1_000) s"))
        }
        lines += report.tracks.enumerated().map { ("track \($0 + 1)", Self.words(of: $1)) }
        if report.watchedMs > 0 {
            lines.append(
                ("watched", "\(Self.number(Double(report.watchedMs) / 1_000)) s, \(report.lostPackets) packets lost"))
        }
        lines += report.refusals.map { ("left out", $0) }
        lines += report.repairs.sorted { $0.key < $1.key }.map { ("repaired", "\($0) time stamps, \($1) times") }
        lines += report.quirks.map { ("quirk", "the camera \($0.words) (row \($0.row) of docs/reference/cameras.md)") }
        lines.append(("recorded", recorded))
        return lines
    }

    /// What Vigil records of it.
    private var recorded: String {
        let tracks = report.tracks.filter(\.isRecorded).map { track in
            "\(track.kind == .video ? "video" : "sound") as \(track.codec ?? "")\(track.isMade ? ", made by Vigil" : "")"
        }
        return tracks.isEmpty ? "nothing" : tracks.joined(separator: "; ")
    }

    private static func words(of track: ProbeReport.Track) -> String {
        var parts = ["\(track.kind.rawValue) \(track.sourceCodec)"]
        if let codec = track.codec { parts.append(codec) }
        if let width = track.width, let height = track.height { parts.append("\(width)x\(height)") }
        if let rate = track.sampleRate { parts.append("\(rate) Hz, \(track.channels ?? 0) channels") }
        if let rate = track.frameRate { parts.append("\(number(rate)) frames/s") }
        if let bits = track.bitRate { parts.append("\(number(bits / 1_000)) kbit/s") }
        if let ms = track.groupMs {
            parts.append("a key frame each \(number(Double(ms) / 1_000)) s")
        } else if track.kind == .video, track.frames > 0 {
            parts.append("no second key frame in that time")
        }
        if track.isReordered { parts.append("reordered") }
        if track.damaged > 0 { parts.append("\(track.damaged) frames damaged") }
        if track.changes > 0 { parts.append("\(track.changes) changes of its parameters") }
        if track.isMade { parts.append("made by Vigil of the camera's") }
        if let why = track.ignored {
            parts.append("not read: \(why)")
        } else if track.frames == 0 {
            parts.append("no frame came")
        }
        return parts.joined(separator: ", ")
    }

    /// With one digit after the point.
    private static func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded()
        guard tenths.magnitude < 1e15 else { return "?" }
        return "\(tenths / 10)"
    }
}
