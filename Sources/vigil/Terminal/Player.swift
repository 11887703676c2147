internal import Foundation
internal import Glibc

/// A player: another program that plays the MP4 on its standard input.
struct Player {
    /// What the shell is to start; "$1" is the title.
    let command: String
    /// Its name, for messages.
    let name: String

    /// What is looked for where none is named, the better one first.
    static let known = ["mpv", "ffplay"]

    /// The one that `named` says, or the first that is installed, where there is a display; nil: there is none.
    static func find(_ named: String?, isLive: Bool, environment: [String: String]) -> Player? {
        if let named { return Player(named, isLive: isLive) }
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard hasDisplay else { return nil }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        return known.first { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
            .map { Player($0, isLive: isLive) }
    }

    /// A player as people name it, perhaps with options. Those that are known are told to read their standard input.
    init(_ command: String, isLive: Bool) {
        let word = command.split(separator: " ").first.map(String.init) ?? command
        name = word.split(separator: "/").last.map(String.init) ?? word
        switch name {
        case "mpv":
            let pace = isLive ? "--profile=low-latency" : "--cache=yes"
            self.command = "\(command) --force-media-title=\"$1\" \(pace) -"
        case "ffplay":
            let pace = isLive ? "-fflags nobuffer -flags low_delay " : ""
            self.command = "\(command) -loglevel warning -autoexit -window_title \"$1\" \(pace)-i -"
        default: self.command = command
        }
    }

    /// Starts it, lets `body` write into its standard input, and waits until it ends; `body` is cancelled then. That it ends before
    /// it has taken all is no failure: somebody has closed it.
    func play(
        title: String,
        _ body: @escaping @Sendable (_ write: @Sendable ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws {
        // It may have options, so the shell takes it apart; the title is never read as shell text.
        var feeding: Task<Void, any Error>?
        let status = try await PlayerSignals().during {
            try PlayerProcess("exec \(command)", argument: title)
        } wait: { process in
            feeding = Task { [name] in
                defer { close(process.input) }
                try await body { bytes in
                    try await Self.apart { try Output.write(bytes, to: process.input, named: name) }
                }
            }
            return await process.ended()
        }
        feeding?.cancel()
        do { try await feeding?.value } catch is BrokenPipe {} catch is CancellationError {}
        guard status == nil || status == 0 else {
            throw Failure(
                status == 127
                    ? "there is no player \(name): install it, or name another with --player"
                    : "the player \(name) ended with status \(status ?? 0); "
                        + "what it said stands above, --player names another")
        }
    }

    /// Does on a thread of its own what may last for as long as somebody pauses.
    private static func apart(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
