internal import Hashing

/// One pass over vigil.yaml and the policies.
struct LoadingPass {
    private let files: any FileReading
    private let path: String
    private let folder: String
    private let examiner: Examiner?
    private var diagnostics: [Diagnostic] = []
    private var contents: [(file: String, bytes: [UInt8])] = []
    private(set) var watched: WatchList

    init(files: any FileReading, path: String, examiner: Examiner?) {
        self.files = files
        self.path = path
        self.examiner = examiner
        folder = FilePath.folder(of: path)
        watched = WatchList(files: [path], folders: [])
    }

    mutating func run() -> Result<LoadedConfiguration, Refusal> {
        let loaded = loadAll()
        watched.files = Set(watched.files).sorted()
        watched.folders = Set(watched.folders).sorted()
        let sorted = diagnostics.sorted(by: Diagnostic.inReadingOrder)
        guard let loaded, !sorted.contains(where: { $0.severity == .error }) else {
            return .failure(Refusal(diagnostics: sorted))
        }
        return .success(
            LoadedConfiguration(
                configuration: loaded.configuration, policies: loaded.policies, revision: revision(),
                fileRevision: contents.first.map { SHA256.revision($0.bytes) } ?? "", warnings: sorted))
    }

    private mutating func loadAll() -> (configuration: Configuration, policies: [String: PolicyDocument])? {
        guard let bytes = read(path, at: .start, keyPath: "") else { return nil }
        contents.append((path, bytes))
        let item: Item
        do {
            item = try YAMLReader.read(bytes, file: path)
        } catch {
            diagnostics += error.diagnostics
            return nil
        }
        var checker = Checker(file: path)
        checker.check(item, keys: Key.configuration, path: "")
        let (policies, names) = loadPolicies(item)
        var reader = ConfigurationReader(item: item, folder: folder, files: files, checker: checker)
        let configuration = reader.configuration(policyNames: names)
        diagnostics += reader.diagnostics
        contents += reader.templates
        watched.files += reader.templates.map(\.file)
        guard let configuration else { return nil }
        for case .file(let credential) in configuration.credentials.values { watched.files.append(credential) }
        watched.files += configuration.cloud?.encryption?.files ?? []
        for camera in configuration.cameras { checkZones(of: camera, policies[camera.policy], item) }
        checkCloud(configuration, policies, item)
        checkNotify(configuration, policies, item)
        diagnostics += examiner?.clockChanges(policies.values, zone: configuration.timeZone) ?? []
        return (configuration, policies)
    }

    /// What a policy names as a zone, each camera that follows it must have: it would wait for ever for a movement there.
    private mutating func checkZones(of camera: Configuration.Camera, _ policy: PolicyDocument?, _ item: Item) {
        guard let policy else { return }
        let known = Set(camera.zones.map(\.name))
        let section = item["cameras"]?[camera.name]
        let place = section?["policy"]?.place ?? item.place
        for name in policy.zoneNames where !known.contains(name) {
            let names =
                camera.zones.isEmpty ? "it has none" : "there are " + camera.zones.map(\.name).joined(separator: ", ")
            report(
                place, "cameras.\(camera.name).zones",
                "policy \(policy.name) asks for the zone \"\(name)\", which this camera has not (\(names))",
                "add it below zones, or take it out of the policy")
        }
        if policy.zoneNames.allSatisfy(known.contains) {
            diagnostics += ZoneExamination(camera: camera, document: policy).findings((path, place))
        }
    }

    /// Whom a policy tells must be known, and a receiver that nobody names hears of nothing.
    private mutating func checkNotify(
        _ configuration: Configuration, _ policies: [String: PolicyDocument], _ item: Item
    ) {
        let known = configuration.receivers.map(\.name)
        var named: Set<String> = []
        for camera in configuration.cameras {
            let receivers = Set((policies[camera.policy]?.notify ?? []).flatMap(\.receivers))
            named.formUnion(receivers)
            for name in receivers.subtracting(known).sorted() {
                report(
                    item["cameras"]?[camera.name]?["policy"]?.place ?? item.place, "cameras.\(camera.name).policy",
                    "policy \(camera.policy) tells a receiver \"\(name)\", and there is none (notify)",
                    Spelling.nearest(to: name, among: known).map { "did you mean \($0)?" }
                        ?? "add notify: { \(name): { kind: ntfy, url: … } }, or take it out of the policy")
            }
        }
        for receiver in configuration.receivers where !named.contains(receiver.name) && receiver.problemsMs == nil {
            let place = item["notify"]?.entry(receiver.name)?.place ?? item.place
            diagnostics.append(
                Diagnostic(
                    file: path, line: place.line, column: place.column, severity: .warning,
                    keyPath: "notify.\(receiver.name)", reason: "no camera's policy tells it anything",
                    remedy: "add notify: [ { to: [ \(receiver.name) ] } ] to a policy, or problems: 5m here"))
        }
    }

    /// What policies send needs a store, and a store that nothing is sent to was probably meant for something.
    private mutating func checkCloud(
        _ configuration: Configuration, _ policies: [String: PolicyDocument], _ item: Item
    ) {
        let sending = configuration.cameras.filter { (policies[$0.policy]?.cloud.upload ?? .none) != .none }
        if configuration.cloud == nil {
            for camera in sending {
                let place = item["cameras"]?[camera.name]?["policy"]?.place ?? item.place
                report(
                    place, "cameras.\(camera.name).policy",
                    "policy \(camera.policy) sends clips to the cloud (cloud.upload), and no store is named",
                    "add cloud: { store: { endpoint: …, bucket: … } }, or set cloud.upload: none in the policy")
            }
        }
        checkEncoding(sending, policies, isEncrypted: configuration.cloud?.encryption != nil, item)
        if configuration.cloud != nil, sending.isEmpty, !configuration.cameras.isEmpty {
            diagnostics.append(
                Diagnostic(
                    file: path, line: item["cloud"]?.place.line ?? 1, column: item["cloud"]?.place.column ?? 1,
                    severity: .warning, keyPath: "cloud", reason: "no camera's policy sends anything to the cloud",
                    remedy: "set cloud.upload: events or all in a policy, or remove cloud"))
        }
    }

    /// Copies for browsers would lie there in clear, and encrypted ones no plain browser plays.
    private mutating func checkEncoding(
        _ sending: [Configuration.Camera], _ policies: [String: PolicyDocument], isEncrypted: Bool, _ item: Item
    ) {
        guard isEncrypted else { return }
        for camera in sending where policies[camera.policy]?.cloud.encode ?? .none != .none {
            report(
                item["cameras"]?[camera.name]?["policy"]?.place ?? item.place, "cameras.\(camera.name).policy",
                "policy \(camera.policy) makes copies for browsers (cloud.encode), and clips are encrypted (cloud.encryption): the copies would lie in the store for everybody to see, and encrypted ones no browser plays",
                "set cloud.encode: none in the policy, or remove cloud.encryption")
        }
    }

    /// The policies by name, and the names of those too that were refused: a camera that refers to one of them is not to
    /// blame.
    private mutating func loadPolicies(_ item: Item) -> ([String: PolicyDocument], Set<String>) {
        var byName: [String: PolicyDocument] = [:]
        var names: Set<String> = []
        let paths = policyPaths(item)
        guard paths.count <= ConfigurationLoader.policyFileLimit else {
            report(
                item["policies"]?.place ?? item.place, "policies",
                "\(paths.count) policy files; at most \(ConfigurationLoader.policyFileLimit) are read",
                "name the files that are used")
            return ([:], [])
        }
        for (path, place, keyPath, isNamed) in paths {
            watched.files.append(path)
            // What a folder holds besides may be anything (H5); a camera that follows a policy in it is told so.
            guard let bytes = read(path, at: place, keyPath: keyPath, severity: isNamed ? .error : .warning) else {
                continue
            }
            contents.append((path, bytes))
            let outcome = PolicyReader.read(bytes, file: path)
            diagnostics += outcome.diagnostics
            names.insert(outcome.name?.text ?? FilePath.stem(path))
            guard let document = outcome.document else { continue }
            if let other = byName[document.name] {
                let place = outcome.name?.place ?? .start
                diagnostics.append(
                    Diagnostic(
                        file: path, line: place.line, column: place.column, severity: .error, keyPath: "name",
                        reason: "the name \"\(document.name)\" is already used by \(other.file)",
                        remedy: "give one of the two another name"))
            } else {
                byName[document.name] = document
            }
        }
        return (byName, names)
    }

    /// The files that the list of policies names, folders opened; each once. `isNamed`: by itself, not by its folder.
    private mutating func policyPaths(
        _ item: Item
    ) -> [(path: String, place: Place, keyPath: String, isNamed: Bool)] {
        var found: [(path: String, place: Place, keyPath: String, isNamed: Bool)] = []
        // Without the key, the folder beside the file is looked for; it need not be there.
        let elements: [Item?] = item["policies"].map { $0.elements ?? [] } ?? [nil]
        for (index, element) in elements.enumerated() {
            guard let named = element == nil ? "policies" : element?.text else { continue }
            let keyPath = element == nil ? "policies" : "policies[\(index)]"
            let place = element?.place ?? item.place
            let path = FilePath.resolve(named, in: folder)
            switch files.kind(of: path) {
            case .folder:
                watched.folders.append(path)
                for name in names(in: path, at: place, keyPath: keyPath) {
                    found.append((FilePath.resolve(name, in: path), place, keyPath, false))
                }
            case .nothing where element == nil || named.hasSuffix("/"):
                watched.folders.append(path)
                if element != nil {
                    report(place, keyPath, "there is no folder \(path)", "create it, or correct the path")
                }
            case .nothing, .file, .other:
                found.append((path, place, keyPath, true))
            }
        }
        var seen: Set<String> = []
        return found.filter { seen.insert($0.path).inserted }
    }

    private mutating func names(in folder: String, at place: Place, keyPath: String) -> [String] {
        do {
            return try files.list(folder).filter { name in
                !name.hasPrefix(".") && (name.hasSuffix(".yaml") || name.hasSuffix(".yml"))
            }.sorted()
        } catch {
            diagnostics.append(error.diagnostic(in: path, at: place, keyPath: keyPath))
            return []
        }
    }

    private mutating func read(
        _ file: String, at place: Place, keyPath: String, severity: Diagnostic.Severity = .error
    ) -> [UInt8]? {
        do {
            return try files.read(file, limit: YAMLReader.maxBytes)
        } catch {
            diagnostics.append(error.diagnostic(in: path, at: place, keyPath: keyPath, severity: severity))
            return nil
        }
    }

    private mutating func report(_ place: Place, _ keyPath: String, _ reason: String, _ remedy: String) {
        diagnostics.append(
            Diagnostic(
                file: path, line: place.line, column: place.column, severity: .error, keyPath: keyPath,
                reason: reason, remedy: remedy))
    }

    /// A digest over each file's digest, so that moving a line from one file to the next is a change.
    private func revision() -> String {
        SHA256.revision(Array(contents.map { "\($0.file) \(SHA256.hex($0.bytes))\n" }.joined().utf8))
    }
}
