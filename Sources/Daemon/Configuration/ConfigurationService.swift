internal import Foundation
internal import Journal
internal import Machines
internal import Policies
internal import ServiceLifecycle
internal import Synchronization

/// Holds the configuration in force, loads it again when a file changed or SIGHUP came, and hands what is good to `apply`.
/// Atomic: a candidate with one fault changes nothing, and the last good one stays.
final class ConfigurationService: Service {
    /// How often the files are looked at, in milliseconds. A look is one `stat` a file; it works on every file system and
    /// for every way in which editors replace files.
    static let intervalMs = 1_000

    private struct State {
        var live: LiveConfiguration
        /// The one in force.
        var loaded: LoadedConfiguration
        /// What the files were marked by before they were read last.
        var seen: [String: FileMark] = [:]
    }

    /// The file; nil in the demo.
    let path: String?
    private let load: @Sendable (any FileReading) -> LoadOutcome
    private let journal: Journal
    private let state: Mutex<State>
    private let measure = Mutex<[@Sendable (LoadedConfiguration) -> [Diagnostic]]>([])
    private let apply = Mutex<[@Sendable (LoadedConfiguration, ReloadCause) -> [String]]>([])
    /// Held by whoever loads, from the first look at a file until the outcome is applied: a change by command is never taken
    /// for one by hand, and two changes take effect in one order everywhere. Nothing else is waited for while it is held.
    private let turn = Mutex(())

    /// Loads the first configuration; throws its `Refusal`, which is journaled too. Blocking. `load` reads a candidate from
    /// the files it is given, and is called on a thread where it may block.
    init(
        path: String?, journal: Journal, load: @escaping @Sendable (any FileReading) -> LoadOutcome
    ) throws(Refusal) {
        self.path = path
        self.load = load
        self.journal = journal
        var live = LiveConfiguration()
        let files = MarkedFiles(DiskFiles())
        let outcome = load(files)
        let verdict = live.candidate(outcome)
        do {
            let loaded = try outcome.result.get()
            state = Mutex(State(live: live, loaded: loaded, seen: Self.marks(of: live.watched, files.mark)))
        } catch {
            Self.tell(verdict, .start, path, journal)
            throw error
        }
        Self.tell(verdict, .start, path, journal)
    }

    /// The configuration in force.
    var current: Configuration { loaded.configuration }

    /// What is in force: configuration and policies.
    var loaded: LoadedConfiguration { state.withLock { $0.loaded } }

    /// Calls `body` with each configuration that comes into force, and why; it returns what changed, in words.
    func onChange(_ body: @escaping @Sendable (LoadedConfiguration, ReloadCause) -> [String]) {
        apply.withLock { $0.append(body) }
    }

    /// Asks `body` what the world says against a configuration: disk, bit rates, clock changes. An error refuses a candidate, unless
    /// the configuration in force has the same one already: a change of something else makes nothing worse. What is in force
    /// is told once, and goes on: it was good before, and no recording at all would be worse. Blocking.
    func onMeasure(_ body: @escaping @Sendable (LoadedConfiguration) -> [Diagnostic]) {
        measure.withLock { $0.append(body) }
        for finding in body(loaded) where finding.severity == .error {
            journal.send(.policyImpossible, fields: [(.path, path ?? "the demo"), (.detail, "\(finding)")])
        }
    }

    /// Every finding of the configuration in force, with what was measured. Blocking.
    func findings() -> [Diagnostic] {
        let current = loaded
        return current.warnings + measured(current)
    }

    /// Loads the configuration as it would be with other contents of a file; nothing comes into force. Blocking.
    func trial(_ path: String, text: String) -> (result: Result<LoadedConfiguration, Refusal>, measured: [Diagnostic]) {
        let outcome = candidate(ReplacedFile(path, text: text, in: DiskFiles()))
        guard case .success(let loaded) = outcome.result else { return (outcome.result, []) }
        return (outcome.result, measured(loaded))
    }

    private func measured(_ loaded: LoadedConfiguration) -> [Diagnostic] {
        measure.withLock { $0 }.flatMap { $0(loaded) }
    }

    private func candidate(_ files: any FileReading) -> LoadOutcome {
        let outcome = load(files)
        let current = loaded
        guard case .success(let candidate) = outcome.result, candidate.revision != current.revision
        else { return outcome }
        func identity(_ finding: Diagnostic) -> [String] {
            [finding.file, finding.keyPath, finding.rule?.rawValue ?? ""]
        }
        let errors = measured(candidate).filter { $0.severity == .error }
        guard !errors.isEmpty else { return outcome }
        let known = Set(measured(current).filter { $0.severity == .error }.map(identity))
        return outcome.refused(for: errors.filter { !known.contains(identity($0)) })
    }

    /// Loads a candidate, puts it in force if it is good, and tells whoever applies it. Blocking.
    func reload(_ cause: ReloadCause) -> (verdict: LiveConfiguration.Verdict, changed: [String]) {
        turn.withLock { _ in take(cause) }
    }

    /// Writes a policy into the file it was read from, or a new one into a file that does not exist, and loads it, if everything
    /// is good with it; a refusal leaves the file as it is (H7). What is replaced is kept in `PolicyVersions`; a file that is gone
    /// is made again for one of those texts alone. `allowed` may refuse first, by what is in force. Blocking. Throws what `allowed`
    /// throws, a `Refusal` or a `FileProblem`.
    func write(
        policy name: String, text: String, _ cause: ReloadCause, if allowed: (LoadedConfiguration) throws -> Void
    ) throws {
        try turn.withLock { _ in
            try allowed(loaded)
            let known = loaded.policies[name]
            guard let path = known?.file ?? newPath(policy: name) else { throw FileProblem.noFolderOfPolicies }
            let next = try candidate(ReplacedFile(path, text: text, in: DiskFiles())).result.get()
            guard next.policies[name]?.file == path else { throw FileProblem.noFolderOfPolicies }
            if let known {
                let versions = PolicyVersions(policy: name, file: path)
                do throws(FileProblem) {
                    try AtomicFile.replace(path, revision: known.revision, text: text) { old throws(FileProblem) in
                        try versions.keep(old)
                    }
                } catch {
                    guard error.kind == .absent, versions.all().contains(where: { $0.text == text }) else {
                        throw error
                    }
                    try AtomicFile.create(path, text: text)
                }
            } else {
                try AtomicFile.create(path, text: text)
            }
            if case .refused(let refusal) = take(cause).verdict { throw refusal }
        }
    }

    /// Writes vigil.yaml as `edit` changes it, only where it still holds what was read from it, and loads it, if everything is good
    /// with it; a refusal leaves the file as it is (H7). What is replaced is kept in `PolicyVersions`. Blocking. Throws what `edit`
    /// throws, a `Refusal` or a `FileProblem`.
    func write(_ cause: ReloadCause, edit: (_ text: String, _ inForce: LoadedConfiguration) throws -> String) throws {
        try turn.withLock { _ in
            guard let path else { throw FileProblem.noConfigurationFile }
            let current = loaded
            let text = try AtomicFile.text(path, revision: current.fileRevision)
            let changed = try edit(text, current)
            guard changed != text else { return }
            _ = try candidate(ReplacedFile(path, text: changed, in: DiskFiles())).result.get()
            let versions = PolicyVersions(configuration: path)
            try AtomicFile.replace(path, revision: current.fileRevision, text: changed) { old throws(FileProblem) in
                try versions.keep(old)
            }
            if case .refused(let refusal) = take(cause).verdict { throw refusal }
        }
    }

    /// Where a policy that is new is written: into the first folder of policies. Nil where only files are named. Blocking.
    func newPath(policy name: String) -> String? {
        state.withLock { $0.live.watched.folders }.first { DiskFiles().kind(of: $0) == .folder }.map {
            "\($0)/\(name).yaml"
        }
    }

    private func take(_ cause: ReloadCause) -> (verdict: LiveConfiguration.Verdict, changed: [String]) {
        let files = MarkedFiles(DiskFiles())
        let outcome = candidate(files)
        let before = loaded
        let verdict = state.withLock { state in
            let verdict = state.live.candidate(outcome)
            if let current = state.live.current { state.loaded = current }
            state.seen = Self.marks(of: state.live.watched, files.mark)
            return verdict
        }
        Self.tell(verdict, cause, path, journal)
        if case .refused = verdict { return (verdict, []) }
        // The same configuration too: what a file of a credential holds is no part of it.
        let inForce = loaded
        for revision in PolicyRevision.between(before, inForce) {
            journal.send(.policyRevised, fields: revision.fields + [cause.field])
        }
        return (verdict, apply.withLock { $0 }.flatMap { $0(inForce, cause) })
    }

    private static func tell(
        _ verdict: LiveConfiguration.Verdict, _ cause: ReloadCause, _ path: String?, _ journal: Journal
    ) {
        switch verdict {
        case .accepted(let loaded):
            journal.send(
                .configurationLoaded,
                fields: [
                    (.path, path ?? "the demo"), (.revision, loaded.revision),
                    (.count, "\(loaded.configuration.cameras.count)"), cause.field,
                ])
        case .refused(let refusal):
            for diagnostic in refusal.diagnostics.filter({ $0.severity == .error }).prefix(8) {
                journal.send(
                    .configurationRefused,
                    fields: [(.path, path ?? "the demo"), (.detail, "\(diagnostic)"), cause.field])
            }
        case .unchanged: break
        }
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(Self.intervalMs))
                try await Blocking.always { [self] in look() }
            }
        }
    }

    /// Loads again if a file is not as it was before it was read last. Blocking.
    func look() {
        turn.withLock { _ in
            let hasChanged = state.withLock { Self.marks(of: $0.live.watched, FileMark.init) != $0.seen }
            if hasChanged { _ = take(.file) }
        }
    }

    private static func marks(of watched: WatchList, _ mark: (String) -> FileMark) -> [String: FileMark] {
        var marks: [String: FileMark] = [:]
        for path in watched.files + watched.folders { marks[path] = mark(path) }
        return marks
    }
}
