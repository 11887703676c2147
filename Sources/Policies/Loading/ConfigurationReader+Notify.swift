extension ConfigurationReader {
    /// The receivers of the section `notify`; what is none has been told.
    mutating func receivers() -> [NotifyReceiver] {
        var receivers: [NotifyReceiver] = []
        for entry in item["notify"]?.entries ?? [] {
            if let receiver = receiver(entry.key, entry.value) { receivers.append(receiver) }
        }
        return receivers
    }

    /// The credentials that the section names.
    var notifyCredentials: [String] {
        (item["notify"]?.entries ?? []).compactMap { $0.value["credential"]?.text }
    }

    private mutating func receiver(_ name: String, _ section: Item) -> NotifyReceiver? {
        let keyPath = "notify.\(name)"
        guard let kind = section["kind"]?.text.flatMap(NotifyReceiver.Kind.init), let url = section["url"]?.text,
            let title = try? MessageTemplate.parse(section["title"]?.text ?? "Vigil {{camera}}", isForPeople: true),
            let text = try? MessageTemplate.parse(section["text"]?.text ?? "{{words}}", isForPeople: true)
        else { return nil }
        checkClear(section["url"] ?? section, keyPath + ".url", "what is told, and the credential,")
        let hasPicture = section["picture"]?.text == "true"
        if hasPicture, kind == .gotify, let item = section["picture"] {
            checker.error(
                item.place, keyPath + ".picture", "Gotify takes no pictures",
                "remove picture, or use ntfy or a webhook")
        }
        if kind == .webhook, section["credential"] == nil {
            checker.warning(
                section.place, keyPath + ".credential",
                "the messages are not signed, so the receiver cannot tell them from those of others",
                "name a credential whose secret the receiver knows, too")
        }
        if kind != .webhook, let item = section["template"] {
            checker.error(
                item.place, keyPath + ".template", "only a webhook has a template; \(kind) has a form of its own",
                "use title and text, or kind: webhook")
            return nil
        }
        let body = section["template"].flatMap { template($0, keyPath: keyPath + ".template") }
        return NotifyReceiver(
            name: name, kind: kind, url: url, credential: section["credential"]?.text, hasPicture: hasPicture,
            title: title, text: text, body: body,
            problemsMs: section["problems"]?.text.flatMap(DurationText.milliseconds))
    }

    /// The template in a file; nil where it is none, which is told with its line.
    private mutating func template(_ item: Item, keyPath: String) -> MessageTemplate? {
        guard let file = path(item) else { return nil }
        let bytes: [UInt8]
        do { bytes = try files.read(file, limit: MessageTemplate.bytesMax) } catch {
            checker.error(item.place, keyPath, "\(file) cannot be read: \(error.cause)", error.remedy)
            return nil
        }
        templates.append((file, bytes))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            checker.error(in: file, .start, "it is not UTF-8", "save it as UTF-8")
            return nil
        }
        do throws(MessageTemplate.Flaw) {
            let template = try MessageTemplate.parse(text)
            // With the hardest values, and with none: where it is JSON both times, it is for every value.
            for value in ["\" \\ \n", ""] where !JSONText.isValid(template.filled(.json) { _ in value }) {
                checker.error(
                    in: file, .start, "it is not JSON when its fields are filled in",
                    "put each field between quotes, and look for a comma or a bracket too many")
                return nil
            }
            return template
        } catch {
            checker.error(
                in: file, Place(line: error.line, column: error.column), error.fault.reason, error.fault.remedy)
            return nil
        }
    }
}
