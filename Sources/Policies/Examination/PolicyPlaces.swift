/// Where the keys of a policy stand in its file.
struct PolicyPlaces {
    let item: Item
    let document: PolicyDocument

    /// The places of a policy that was read before.
    init(_ document: PolicyDocument) {
        self.document = document
        // It was read from this text, so it can be read again; otherwise every place is the file's beginning.
        item =
            (try? YAMLReader.read(Array(document.text.utf8), file: document.file))
            ?? Item(content: .section([]), place: .start)
    }

    /// A place for a diagnostic: file, line, column.
    typealias Located = (file: String, place: Place)

    /// The place of a key of the recording section, or of what is nearest to it.
    func recording(_ key: String) -> Located {
        let section = item["recording"]
        return (document.file, section?[key]?.place ?? section?.place ?? item["name"]?.place ?? .start)
    }

    /// The place of a key of the retention section.
    func retention(_ key: String) -> Located {
        let section = item["retention"]
        return (document.file, section?[key]?.place ?? section?.place ?? .start)
    }

    /// The place of a key of the cloud section.
    func cloud(_ key: String) -> Located {
        let section = item["cloud"]
        return (document.file, section?[key]?.place ?? section?.place ?? .start)
    }

    /// The place of a schedule entry, or of one of its keys.
    func entry(_ index: Int, _ key: String? = nil) -> Located {
        guard let elements = item["schedule"]?.elements, elements.indices.contains(index) else {
            return (document.file, item["schedule"]?.place ?? .start)
        }
        return (document.file, key.flatMap { elements[index][$0]?.place } ?? elements[index].place)
    }

    /// The place of the policy's name.
    var name: Located { (document.file, item["name"]?.place ?? .start) }

    /// The key to blame at a minute of the week: the last schedule entry that sets one of `keys` then, else the recording
    /// section.
    func lastSetting(_ keys: [String], at minute: Int?) -> (keyPath: String, place: Located) {
        if let minute, let elements = item["schedule"]?.elements {
            for index in document.schedule.indices.reversed()
            where elements.indices.contains(index) && document.schedule[index].covers(minuteOfWeek: minute) {
                if let key = keys.first(where: { elements[index][$0] != nil }) {
                    return ("schedule[\(index)]", entry(index, key))
                }
            }
        }
        let key = keys.first { item["recording"]?[$0] != nil } ?? keys.first ?? ""
        return ("recording.\(key)", recording(key))
    }
}

extension Diagnostic {
    /// A finding of a rule.
    init(
        _ at: PolicyPlaces.Located, _ severity: Severity, _ keyPath: String, _ rule: Rule, _ reason: String,
        _ remedy: String, _ trace: [TraceLine] = []
    ) {
        self.init(
            file: at.file, line: at.place.line, column: at.place.column, severity: severity, keyPath: keyPath,
            reason: reason, remedy: remedy, rule: rule, trace: trace)
    }
}
