internal import ArgumentParser
internal import Client
internal import Explain
internal import Foundation
internal import Journal
internal import Server

/// Where the trace comes from; common to what looks back.
struct JournalOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the trace from what journalctl wrote with -o export or -o json --all (- for standard input), or from a "
                + "folder of journal files. Then no daemon is asked. Default: the daemon's trace, or this machine's journal where none runs.",
            valueName: "path"),
        completion: .file())
    var journal: String?

    /// What to call it.
    var name: String { journal ?? "the journal" }

    func validate() throws {
        if journal == "" { throw ValidationError("--journal names no path") }
    }

    /// Answers by this trace alone, with the times of `zone`.
    func explanations(_ zone: TimeZone) -> Explanations {
        let (journal, isFolder) = (journal, isFolder)
        return Explanations(zone: zone, name: name, isRepeatable: journal == nil || isFolder) { query in
            guard let journal else { return try TraceReader(journal: query) }
            guard isFolder else { return try TraceReader(path: journal, only: query) }
            var query = query
            query.directory = journal
            return try TraceReader(journal: query)
        }
    }

    /// What `body` makes of the trace; what it throws becomes the end of the command.
    func failing<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as JournalError {
            throw Failure("\(error)", status: 2)
        } catch let error as SiteError {
            throw Failure("\(error.what): \(error.why); \(error.remedy)")
        }
    }

    private var isFolder: Bool {
        var isFolder: ObjCBool = false
        return journal.map { FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && isFolder.boolValue }
            ?? false
    }

    /// What a daemon answers; nil where none is to be asked, or none answers. A trace that the daemon cannot read ends the
    /// command as one that the command itself cannot read.
    func ask<Value: Sendable>(
        _ socket: SocketOption, _ body: (DaemonClient) async throws -> Value
    ) async throws -> Value? {
        if journal != nil {
            if socket.socket != nil {
                throw ValidationError("--journal asks no daemon: leave out --socket, or --journal")
            }
            return nil
        }
        do { return try await socket.ask(body) } catch ClientError.refused(let error) {
            throw Failure("\(ClientError.refused(error))", status: error.kind == .failed ? 2 : 1)
        } catch let error as ClientError {
            // A daemon that somebody names is to be there; the trace alone answers where it is only the usual one.
            if socket.socket != nil { throw error }
            return nil
        }
    }
}
