extension ConfigurationReader {
    /// The broker; nil where there is none.
    func mqtt() -> MQTTSettings? {
        guard let section = item["mqtt"], let broker = section["url"]?.text.flatMap({ try? BrokerAddress.parse($0) })
        else { return nil }
        let discovery = section["discovery"]?.text ?? "homeassistant"
        return MQTTSettings(
            broker: broker, authorityFile: path(section["ca"]), credential: section["credential"]?.text,
            topic: section["topic"]?.text ?? "vigil", discovery: discovery == "off" ? nil : discovery,
            acceptsCommands: section["commands"]?.text == "true",
            version: section["version"]?.text.flatMap(MQTTSettings.Version.init) ?? .v5)
    }

    /// What one key of the section alone cannot tell.
    mutating func checkMQTT() {
        guard let section = item["mqtt"], let url = section["url"], let settings = mqtt() else { return }
        let takesCommands = settings.acceptsCommands
        if !settings.broker.isEncrypted {
            let secret = (settings.credential == nil ? "" : ", the password") + (takesCommands ? ", commands" : "")
            checkClear(url, "mqtt.url", "states and pictures" + secret, "mqtts://")
        }
        if takesCommands, settings.credential == nil {
            checker.warning(
                section["commands"]?.place ?? url.place, "mqtt.commands",
                "commands come from a broker without login: whoever reaches it can switch recording off",
                "give the broker users and an access list, and name a credential")
        }
        guard let authority = section["ca"], let path = path(authority) else { return }
        if !settings.broker.isEncrypted {
            checker.warning(
                authority.place, "mqtt.ca", "the broker's address is not encrypted, so no certificate is looked at",
                "use mqtts://, or remove ca")
        } else if files.kind(of: path) != .file {
            checker.error(
                authority.place, "mqtt.ca", "there is no file \(path)", "correct the path, or put the file there")
        }
    }
}
