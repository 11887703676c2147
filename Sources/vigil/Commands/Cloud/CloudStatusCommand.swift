internal import ArgumentParser
internal import Client

/// `vigil cloud status`
struct CloudStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the store, the plan of each camera, and what is in the cloud.",
        discussion: "Cameras whose policy sends nothing have no plan, and are left out.")

    @OptionGroup var cameras: CamerasOption

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        try await socket.ask { client in
            let status = try await client.cloud(of: cameras.names)
            if format.json { return try Output.json(status) }
            try Self.tell(status, try await client.clock())
        }
    }

    /// The plans as a table, and a line for what holds for all.
    static func tell(_ status: CloudStatus, _ clock: DisplayClock) throws {
        var table = Table([
            ("CAMERA", .left), ("STATE", .left), ("PLAN", .left), ("UNTIL", .left), ("DELETED AT", .left),
            ("CLIPS", .right), ("SIZE", .right), ("MANAGE", .left),
        ])
        for camera in status.cameras {
            table.add(
                camera.camera, camera.words, camera.plan ?? "", camera.planEnd.map(clock.show) ?? "",
                camera.deletedAt.map(clock.show) ?? "", String(camera.clips), Words.size(camera.bytes),
                camera.manageUrl ?? "")
        }
        try table.write(orSay: "no camera's policy sends anything")
        for camera in status.cameras { if let why = camera.why { Output.note("\(camera.camera): \(why)") } }
        Output.note(status.store.map { "store: \($0)" } ?? "no store is in use")
        if let why = status.why { Output.note("nothing is sent: \(why)") }
        if let encryption = status.encryption {
            let key = encryption.keyID.map { "key \($0)" } ?? "no key can be read"
            let backup = encryption.backup.map { "its backup confirmed on \($0)" } ?? "no backup confirmed"
            Output.note("encryption: \(key), \(backup)")
        }
        Output.note(status.provider.map { "plans: \($0)" } ?? "plans: nobody is asked, none ends")
        guard let webhook = status.webhook else { return }
        let failing = webhook.failingSince.map { ", takes nothing since \(clock.show($0)): \(webhook.why ?? "")" } ?? ""
        Output.note("webhook: \(webhook.address), \(webhook.waiting) notices wait\(failing)")
    }
}

/// `vigil cloud refresh`
struct CloudRefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Ask the provider for news of the plans now.",
        discussion: "The answer comes a moment later: vigil cloud status shows it.")

    @Argument(help: "The cameras; all where none is named.")
    var cameras: [String] = []

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let asked = try await socket.ask { try await $0.refreshCloud(of: cameras.isEmpty ? nil : cameras) }
        if format.json { return try Output.json(asked) }
        try Output.line("asked for the plans of \(asked.cameras.count) cameras")
    }
}
