internal import ArgumentParser
internal import Client
internal import Foundation
internal import Policies
internal import Trace

/// `vigil trace verify`
struct TraceVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Prove that the trace is as it was written, and name what is not.",
        discussion: """
            Reads every file and follows the chain: each record holds the SHA-256 of itself and of the one before, over files \
            too. An altered byte, a record that was removed or moved, a file that is gone and a torn end are named with file, \
            record, camera and time. Works while a daemon runs and changes nothing. Whole records that were cut off the end \
            leave no mark; who wants to see that too notes the digest of the last record, which --json tells.

            Exit status: 0 everything fits, 1 something was found, 2 the trace cannot be read, or wrong usage.
            """)

    @Argument(help: "The folder of a trace. Default: the daemon's.", completion: .directory)
    var folder: String?

    @Option(help: ArgumentHelp("The storage root.", valueName: "dir"), completion: .directory)
    var root: String?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws {
        if folder != nil, root != nil { throw ValidationError("a folder and --root exclude each other") }
    }

    func run() async throws {
        let found = try await place()
        let verification: TraceVerification
        do { verification = try TraceVerification(found) } catch { throw Failure("\(error)", status: 2) }
        let answer = TraceVerifyAnswer(found.path, verification)
        try format.json ? Output.json(answer) : Output.line(answer.text(DisplayClock.local))
        let count = verification.findings.count + verification.more
        if count > 0 {
            throw Failure("the trace in \(found.path) is not whole: \(count) \(count == 1 ? "finding" : "findings")")
        }
    }

    /// What is named, else the root of the daemon that answers, else that of the installed configuration.
    private func place() async throws -> TraceFolder {
        if let folder { return TraceFolder(path: folder) }
        if let root { return TraceFolder(root: root) }
        if let root = try await daemonRoot() { return TraceFolder(root: root) }
        let file = TraceOption.installedConfiguration
        switch ConfigurationLoader().load(file).result {
        case .success(let loaded): return TraceFolder(root: loaded.configuration.storage.root)
        case .failure(let refusal):
            throw Failure(
                "no daemon answers, no folder or --root is named, and \(file) cannot be used:\n\(refusal)", status: 2)
        }
    }

    private func daemonRoot() async throws -> String? {
        do { return try await socket.ask { try await $0.status().storage.root } } catch let error as ClientError {
            // One that somebody names is to be there.
            if socket.socket != nil { throw error }
            return nil
        }
    }
}

/// What verifying found, as JSON and as text.
struct TraceVerifyAnswer: Encodable {
    struct Finding: Encodable {
        let kind: String
        let file: String
        let record: UInt64?
        let camera: String?
        let time: WallTime?
        let words: String
    }

    struct Cut: Encodable {
        let file: String
        let record: UInt64
        let bytes: Int64
        let time: WallTime?
    }

    let folder: String
    let isWhole: Bool
    let findings: [Finding]
    /// Findings beyond those that are listed.
    let more: Int
    let cuts: [Cut]
    let lostSteps: UInt64
    let files: Int
    let firstRecord: UInt64?
    let lastRecord: UInt64?
    let records: Int
    let steps: Int
    let bytes: Int64
    /// The digest of the last record.
    let end: String?
    let isBeingWritten: Bool

    init(_ folder: String, _ verification: TraceVerification) {
        self.folder = folder
        isWhole = verification.isWhole
        findings = verification.findings.map {
            Finding(
                kind: $0.kind.rawValue, file: $0.file, record: $0.record, camera: $0.camera,
                time: $0.wallMs.map { WallTime(ms: $0) }, words: $0.words)
        }
        more = verification.more
        cuts = verification.cuts.map {
            Cut(file: $0.file, record: $0.record, bytes: $0.bytes, time: $0.wallMs.map { WallTime(ms: $0) })
        }
        lostSteps = verification.lost
        files = verification.files
        firstRecord = verification.numbers?.lowerBound
        lastRecord = verification.numbers?.upperBound
        records = verification.records
        steps = verification.steps
        bytes = verification.bytes
        end = verification.end
        isBeingWritten = verification.isBeingWritten
    }

    /// The answer for people.
    func text(_ clock: DisplayClock) -> String {
        var lines = findings.map { finding in
            let record = finding.record.map { ", record \($0)" } ?? ""
            let camera = finding.camera.map { ", \($0)" } ?? ""
            let time = finding.time.map { ", \(clock.show($0))" } ?? ""
            return "\(finding.file)\(record)\(camera)\(time): \(finding.kind): \(finding.words)"
        }
        if more > 0 { lines.append("and \(more) more") }
        for cut in cuts {
            let time = cut.time.map { " at \(clock.show($0))" } ?? ""
            lines.append("note: \(cut.file), record \(cut.record): a torn end of \(cut.bytes) bytes was cut off\(time)")
        }
        if lostSteps > 0 { lines.append("note: \(lostSteps) steps were lost while the disk was slow or gone") }
        let range = firstRecord.flatMap { first in lastRecord.map { ", \(first) to \($0)" } } ?? ""
        lines.append(
            "\(folder): \(isWhole ? "whole" : "not whole"), \(records) records in \(files) \(files == 1 ? "file" : "files")\(range), \(steps) steps, "
                + Words.size(bytes))
        return lines.joined(separator: "\n")
    }
}

/// `vigil trace …`
struct TraceGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Verify the trace that Vigil keeps of its decisions.",
        subcommands: [TraceVerifyCommand.self])
}
