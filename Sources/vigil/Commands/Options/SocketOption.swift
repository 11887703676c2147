internal import ArgumentParser
internal import Client
internal import Foundation

/// Where the daemon is spoken to; common to all client commands.
struct SocketOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The daemon's socket. Default: $VIGIL_SOCKET, else /run/vigil/vigil.sock, else ./vigil-demo/vigil.sock.",
            valueName: "path"),
        completion: .file(extensions: ["sock"]))
    var socket: String?

    /// The socket of an installed daemon.
    static let installed = "/run/vigil/vigil.sock"
    /// The socket of a demo that was started in this folder.
    static let demo = "vigil-demo/vigil.sock"

    /// The first of: the option, `$VIGIL_SOCKET`, the installed daemon's, the demo's if it exists.
    var path: String {
        if let socket { return socket }
        if let named = ProcessInfo.processInfo.environment["VIGIL_SOCKET"], !named.isEmpty { return named }
        let there = FileManager.default.fileExists(atPath:)
        return !there(Self.installed) && there(Self.demo) ? Self.demo : Self.installed
    }

    /// Runs `body` with a client of the daemon.
    func ask<Value: Sendable>(_ body: (DaemonClient) async throws -> Value) async throws -> Value {
        try await DaemonClient.with(socket: path, body)
    }
}
