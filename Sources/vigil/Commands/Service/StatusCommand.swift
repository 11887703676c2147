internal import ArgumentParser
internal import Client
internal import Machines

/// `vigil status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the daemon at a glance: version, storage, one line for each camera.")

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let status = try await socket.ask { try await $0.status() }
        if format.json { return try Output.json(status) }
        try Output.line(Self.head(status))
        for listener in status.listeners where listener.state == .failed {
            try Output.line("no requests at \(listener.address) any more: \(listener.why ?? "")")
        }
        if status.hangUpsOverdue > 0 {
            let stuck =
                status.hangUpsOverdue == 1
                ? "1 connection to a camera does not end" : "\(status.hangUpsOverdue) connections to cameras do not end"
            try Output.line("\(stuck); `vigil state` says which, the journal since when")
        }
        if let mqtt = status.mqtt {
            try Output.line(
                mqtt.connected
                    ? "published to the broker \(mqtt.broker); commands from there: \(mqtt.commands)"
                    : "no connection to the broker \(mqtt.broker): \(mqtt.why ?? "not tried to the end yet")")
        }
        for limit in status.limits where limit.isNear {
            let amounts = [limit.used, limit.limit].map { limit.name == "memory" ? Words.size($0) : "\($0)" }
            try Output.line("near the limit of \(limit.name): \(amounts.joined(separator: " of "))")
        }
        var table = Table("CAMERA", "COVERAGE", "WHAT")
        for line in status.cameras { table.add(line.camera, line.coverage.rawValue, line.line) }
        try table.write(orSay: "no cameras are configured")
    }

    private static func head(_ status: SiteStatus) -> String {
        let storage = status.storage
        return """
            vigil \(status.version), up \(Words.length(ms: status.uptimeMs)), \(status.config ?? "demo"), \(status.timeZone)
            storage \(storage.state.rawValue): \(storage.clips) clips, \(Words.size(storage.bytes)) in \(storage.root), \
            \(Words.size(storage.freeBytes)) free
            detection: \(status.detection.decoded) of \(status.detection.frames) frames decoded, \
            \(status.detection.dropped) dropped, \(Words.length(ms: status.detection.cpuMs)) CPU
            """
    }
}
