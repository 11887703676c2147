internal import ArgumentParser
internal import Client
internal import Explain
internal import Foundation
internal import Policies
internal import Server

/// `vigil simulate POLICY`
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Say what another policy would have recorded, beside the one that was in force.",
        discussion: """
            The running daemon answers, or where none runs the command itself: it runs the machine of each camera over what \
            the trace tells of it (detections of every level, sources, \
            commands, toggles, privacy, storage, whether the camera could be reached), once under the policy that was in \
            force and once under POLICY: the file of a draft, or the name of a policy. Both are simulated with a key frame \
            every 2 s and a disk that never fails, so they differ by the policy alone. Sizes follow from the measured bit \
            rate of the camera's clips in that time. Nothing is changed. What cannot be known is listed.

            Exit status: 0 answered, 1 no trace or a policy that would be refused, 2 the trace cannot be read, or wrong usage.
            """)

    @Argument(help: "The file of a policy, or the name of one.", completion: .file(extensions: ["yaml", "yml"]))
    var policy: String

    @Option(name: .long, help: "Only this camera.")
    var camera: String?

    @OptionGroup var options: ExplainOptions

    func run() async throws {
        let (answers, clock) = try await asked() ?? alone()
        if options.json { return try Output.json(answers) }
        try Output.line(answers.map { $0.text(clock) }.joined(separator: "\n\n"))
    }

    /// The largest draft that is read, in bytes; what is too large for a policy is refused by its reader.
    private static let draftBytesMax = 1 << 20

    private var isFile: Bool { FileManager.default.fileExists(atPath: policy) }

    /// The daemon's answers; nil where none is to be asked, or none answers.
    private func asked() async throws -> ([SimulateAnswer], DisplayClock)? {
        try await options.ask { client, clock in
            let time = try options.time(clock)
            var request = SimulateRequest(
                camera: camera, from: WallTime(ms: time.lowerBound), to: WallTime(ms: time.upperBound))
            if isFile { request.text = try draft().text } else { request.policy = policy }
            return try await client.simulate(request)
        }
    }

    /// The answers by the trace alone.
    private func alone() throws -> ([SimulateAnswer], DisplayClock) {
        let site = try options.site()
        let time = try options.time(site.clock)
        guard let document = try isFile ? draft().policy : site.loaded?.policies[policy] else {
            throw Failure(
                "\(policy) is neither a file nor the name of a policy"
                    + (options.config == nil ? "; no daemon was asked, give --config" : ""))
        }
        let explanations = options.trace.explanations(site.clock.zone)
        let answers = try options.trace.failing {
            try explanations.simulate(document, in: camera.map { .only([$0]) } ?? .all, time) { name in
                site.loaded?.configuration.camera(name).map { $0.zones.map(\.name) }
            } rate: { _ in
                nil
            }
        }
        return (answers, site.clock)
    }

    /// The policy of the file, which must be good.
    private func draft() throws -> (policy: PolicyDocument, text: String) {
        do {
            let text = String(decoding: try DiskFiles().read(policy, limit: Self.draftBytesMax), as: UTF8.self)
            return (try ConfigurationLoader.policy(text: text, file: policy).policy, text)
        } catch let refusal as Refusal {
            throw Failure("\(policy) would be refused:\n\(refusal)")
        } catch let problem as FileProblem {
            throw Failure("\(policy) cannot be read: \(problem)")
        }
    }
}
