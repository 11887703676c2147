extension ConfigurationReader {
    /// The cloud section; nil where there is none.
    func cloud() -> CloudSettings? {
        guard let section = item["cloud"], let store = store(section["store"]) else { return nil }
        return CloudSettings(
            store: store, provider: provider(section["subscription"]), encoder: encoder(section["encoder"]),
            encryption: encryption(section["encryption"]),
            parallel: section["parallel"]?.text.flatMap { Int($0) } ?? 4,
            bytesPerSecond: section["bandwidth"]?.text.flatMap(SizeText.bytes),
            hours: (section["hours"]?.elements ?? []).compactMap(WeekHours.init),
            cacheBytes: section["cache"]?.text.flatMap(SizeText.bytes) ?? 100 << 20)
    }

    /// The receiver of the webhook; nil where there is none.
    func webhook() -> WebhookSettings? {
        guard let section = item["cloud"]?["webhook"], let url = section["url"]?.text else { return nil }
        return WebhookSettings(url: url, credential: section["credential"]?.text)
    }

    /// The credentials that the cloud section names.
    var cloudCredentials: [String] {
        let section = item["cloud"]
        return ["store", "subscription", "webhook", "encoder"].compactMap { section?[$0]?["credential"]?.text }
    }

    private func store(_ section: Item?) -> CloudSettings.Store? {
        guard let section, let endpoint = section["endpoint"]?.text, let bucket = section["bucket"]?.text else {
            return nil
        }
        return CloudSettings.Store(
            endpoint: Self.withoutSlash(endpoint), bucket: bucket, region: section["region"]?.text ?? "us-east-1",
            prefix: Self.withoutSlash(section["prefix"]?.text ?? ""),
            addressing: section["addressing"]?.text.flatMap(CloudSettings.Store.Addressing.init) ?? .path,
            authorityFile: path(section["ca"]), publicURL: section["publicUrl"]?.text.map(Self.withoutSlash),
            credential: section["credential"]?.text)
    }

    private func provider(_ item: Item?) -> CloudSettings.Provider {
        guard let url = item?["url"]?.text else { return .always }
        return .service(
            CloudSettings.Service(
                url: Self.withoutSlash(url), credential: item?["credential"]?.text,
                retentionMs: item?["retention"]?.text.flatMap(DurationText.milliseconds) ?? 7 * 86_400_000))
    }

    private func encoder(_ item: Item?) -> CloudSettings.Encoder? {
        guard let url = item?["url"]?.text, let credential = item?["credential"]?.text else { return nil }
        return CloudSettings.Encoder(url: Self.withoutSlash(url), credential: credential)
    }

    private func encryption(_ item: Item?) -> CloudSettings.Encryption? {
        guard let file = path(item?["keyFile"]) else { return nil }
        return CloudSettings.Encryption(
            keyFile: file, oldKeyFiles: (item?["oldKeyFiles"]?.elements ?? []).compactMap { path($0) })
    }

    private static func withoutSlash(_ text: String) -> String {
        var text = text
        while text.last == "/" { text.removeLast() }
        return text
    }

    /// What one key of the cloud section alone cannot tell.
    mutating func checkCloud() {
        guard let section = item["cloud"]?["store"], let endpoint = section["endpoint"] else { return }
        let place = "cloud.store"
        let isEncrypted = endpoint.text?.hasPrefix("https://") == true
        checkClear(endpoint, place + ".endpoint", "recordings and the store's answers")
        if let item = item["cloud"]?["subscription"]?["url"] {
            checkClear(item, "cloud.subscription.url", "the service's token")
        }
        if let item = item["cloud"]?["encoder"]?["url"] {
            checkClear(item, "cloud.encoder.url", "the encoder's token and signed addresses of recordings")
        }
        if let section = item["cloud"]?["webhook"], let url = section["url"] {
            checkClear(url, "cloud.webhook.url", "the notices")
            if section["credential"] == nil {
                checker.warning(
                    url.place, "cloud.webhook.credential",
                    "the notices are not signed, so the receiver cannot tell them from those of others",
                    "name a credential whose secret the receiver knows, too")
            }
        }
        checkKeys()
        if let authority = section["ca"], let path = path(authority) {
            if !isEncrypted {
                checker.warning(
                    authority.place, place + ".ca", "the endpoint is not encrypted, so no certificate is looked at",
                    "use https://, or remove ca")
            } else if files.kind(of: path) != .file {
                checker.error(
                    authority.place, place + ".ca", "there is no file \(path)",
                    "correct the path, or put the file there")
            }
        }
        if let bucket = section["bucket"], bucket.text?.contains(".") == true, isEncrypted,
            section["addressing"]?.text == "virtualHost"
        {
            checker.warning(
                bucket.place, place + ".bucket",
                "with virtualHost a dot in the bucket's name makes a host name that certificates of stores do not cover",
                "use addressing: path, or a bucket without a dot")
        }
    }

    /// A key that cannot be used is no error: the cameras are recorded all the same, and nothing is sent meanwhile.
    private mutating func checkKeys() {
        guard let section = item["cloud"]?["encryption"] else { return }
        let place = "cloud.encryption"
        if let file = section["keyFile"], let path = path(file) {
            do {
                let found = try KeyFile(reading: path, files: files)
                if found.backup == nil {
                    checker.warning(
                        file.place, place + ".keyFile",
                        "nothing is sent until the backup of the key is confirmed: whoever loses the key loses the clips",
                        "keep a copy or the recovery code elsewhere, and say so: vigil cloud key confirm \(path)")
                }
            } catch {
                checker.warning(
                    file.place, place + ".keyFile", "nothing is sent: \(error.path): \(error.cause)",
                    files.kind(of: path) == .nothing ? "make one: vigil cloud key create \(path)" : error.remedy)
            }
        }
        for (number, file) in (section["oldKeyFiles"]?.elements ?? []).enumerated() {
            guard let path = path(file) else { continue }
            do { _ = try KeyFile(reading: path, files: files) } catch {
                checker.warning(
                    file.place, "\(place).oldKeyFiles[\(number)]",
                    "its clips can not be played: \(error.path): \(error.cause)", error.remedy)
            }
        }
    }

    /// Whoever is between this machine and another one reads along without TLS.
    mutating func checkClear(_ item: Item, _ keyPath: String, _ what: String, _ remedy: String = "https://") {
        guard let rest = item.text?.wholeMatch(of: /(?:http|mqtt):\/\/(\[[^\]]*\]|[^\/:]*)(.*)/) else { return }
        let host = String(rest.1)
        let isOwn = host == "localhost" || host == "[::1]" || host.wholeMatch(of: /127(\.[0-9]{1,3}){3}/) != nil
        guard !isOwn else { return }
        checker.warning(
            item.place, keyPath, "\(what) go over the network in clear: anybody on the way can read them",
            "use \(remedy)")
    }
}

extension WeekHours {
    /// Those of a section that was checked.
    init?(_ item: Item) {
        guard let days = try? DaysText.parse(item["days"]?.text ?? "daily"),
            let from = item["from"]?.text.flatMap({ try? ClockText.parse($0, midnightEnds: false) }),
            let to = item["to"]?.text.flatMap({ try? ClockText.parse($0, midnightEnds: true) })
        else { return nil }
        self.init(days: days, fromMinute: from, toMinute: to)
    }
}
