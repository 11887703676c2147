internal import ArgumentParser
internal import Client
internal import Explain
internal import Foundation
internal import Journal
internal import Policies
internal import Replay
internal import Trace

/// Where the trace comes from; common to what looks back.
struct TraceOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the trace under this storage root. Default: the root of the daemon that answers, else of "
                + "\(installedConfiguration), else this machine's journal.", valueName: "dir"),
        completion: .directory)
    var root: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Read the trace in this folder, or this file of one.", valueName: "path"),
        completion: .file())
    var trace: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the steps from a journal: \"system\" for this machine's, what journalctl wrote with -o export or -o json "
                + "--all (- for standard input), or a folder of journal files. Where a trace is named no daemon is asked.",
            valueName: "path"),
        completion: .file())
    var journal: String?

    /// The configuration of an installed daemon.
    static let installedConfiguration = "/etc/vigil/vigil.yaml"
    /// What names this machine's journal.
    private static let system = "system"

    func validate() throws {
        if [root, trace, journal].contains("") { throw ValidationError("--root, --trace or --journal names no path") }
        if [root, trace, journal].count(where: { $0 != nil }) > 1 {
            throw ValidationError("--root, --trace and --journal exclude each other")
        }
    }

    /// A trace is named, which may be from elsewhere.
    var isNamed: Bool { root != nil || trace != nil || journal != nil }

    /// Where the trace is read from. `daemonRoot` is the storage root of a daemon that answered. Blocking.
    func source(daemonRoot: String?) -> TraceSource {
        if let root { return .folder(TraceFolder(root: root)) }
        if let trace { return FileManager.default.isFolder(trace) ? .folder(TraceFolder(path: trace)) : .file(trace) }
        if let journal {
            if journal == Self.system { return .journal }
            return FileManager.default.isFolder(journal) ? .journalFolder(journal) : .file(journal)
        }
        if let daemonRoot { return found(daemonRoot) ?? .journal }
        guard case .success(let loaded) = ConfigurationLoader().load(Self.installedConfiguration).result else {
            return .journal
        }
        return found(loaded.configuration.storage.root) ?? .journal
    }

    /// The trace under a root. One that may not be read is told when that is tried; a root without one is of a version that
    /// kept none.
    private func found(_ root: String) -> TraceSource? {
        let folder = TraceFolder(root: root)
        return folder.exists ? .folder(folder) : nil
    }

    /// Answers by this trace alone, with the times of `zone`.
    func explanations(_ zone: TimeZone) -> Explanations {
        let source = source(daemonRoot: nil)
        return Explanations(
            zone: zone, name: "\(source)", isRepeatable: source.isRepeatable,
            onDamage: { count in
                Output.note(
                    "\(count) records of \(source) do not fit into its chain and were left out; \"vigil trace verify\" names them"
                )
            }, trace: { try source.reader($0) })
    }

    /// What `body` makes of the trace; what it throws becomes the end of the command.
    func failing<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as SiteError {
            throw Failure("\(error.what): \(error.why); \(error.remedy)")
        } catch {
            guard let fault = traceFault(error) else { throw error }
            throw Failure(fault, status: 2)
        }
    }

    /// What a daemon answers; nil where none is to be asked, or none answers. A trace that the daemon cannot read ends the
    /// command as one that the command itself cannot read.
    func ask<Value: Sendable>(
        _ socket: SocketOption, _ body: (DaemonClient) async throws -> Value
    ) async throws -> Value? {
        if isNamed {
            if socket.socket != nil {
                throw ValidationError(
                    "--root, --trace and --journal ask no daemon: leave out --socket or them")
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

    /// Says on standard error what was left out of a trace that was read to its end.
    static func note(_ reader: TraceReader, of source: TraceSource) {
        guard reader.damaged > 0 else { return }
        Output.note(
            "\(reader.damaged) records of \(source) do not fit into its chain and were left out; \"vigil trace verify\" names them"
        )
    }
}

extension FileManager {
    /// Whether a folder is at `path`.
    func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

/// The words of an error of reading a trace; nil for another one.
func traceFault(_ error: any Error) -> String? {
    (error as? JournalError).map { "\($0)" } ?? (error as? TraceError).map { "\($0)" }
}
