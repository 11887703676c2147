internal import ArgumentParser
internal import Client
internal import Foundation
internal import Journal

/// Where the trace comes from; common to what looks back.
struct JournalOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the trace from what journalctl wrote with -o export or -o json --all (- for standard input), or from a "
                + "folder of journal files. Then no daemon is asked unless --socket names it. Default: this machine's journal.",
            valueName: "path"),
        completion: .file())
    var journal: String?

    /// What to call it.
    var name: String { journal ?? "the journal" }

    /// It can be read again from another moment on.
    var isRepeatable: Bool { journal == nil || isFolder }

    /// A reader of it.
    func reader(_ query: TraceQuery) throws -> TraceReader {
        var query = query
        guard let journal else { return try TraceReader(journal: query) }
        guard isFolder else { return try TraceReader(path: journal, only: query) }
        query.directory = journal
        return try TraceReader(journal: query)
    }

    private var isFolder: Bool {
        var isFolder: ObjCBool = false
        return journal.map { FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && isFolder.boolValue }
            ?? false
    }

    /// What a daemon answers; nil where none is to be asked, or none answers.
    func ask<Value: Sendable>(
        _ socket: SocketOption, _ body: (DaemonClient) async throws -> Value
    ) async throws -> Value? {
        if journal != nil, socket.socket == nil { return nil }
        do { return try await socket.ask(body) } catch let error as ClientError {
            // A daemon that somebody names is to be there; the trace alone answers where it is only the usual one.
            if case .refused = error { throw error }
            if socket.socket != nil { throw error }
            return nil
        }
    }
}
