import Foundation
import Machines

/// Makes a ``Configuration`` of vigil.yaml: fills in defaults and checks what one key alone cannot tell.
struct ConfigurationReader {
    let item: Item
    private let folder: String
    let files: any FileReading
    var checker: Checker
    /// The templates that were read, with their files.
    var templates: [(file: String, bytes: [UInt8])] = []

    /// A reader for an item that the checker has been over.
    init(item: Item, folder: String, files: any FileReading, checker: Checker) {
        self.item = item
        self.folder = folder
        self.files = files
        self.checker = checker
    }

    /// Every finding so far.
    var diagnostics: [Diagnostic] { checker.diagnostics }

    /// The configuration; nil where a finding is an error.
    mutating func configuration(policyNames: Set<String>) -> Configuration? {
        let credentials = credentials()
        let cameras = (item["cameras"]?.entries ?? []).compactMap { camera($0, policyNames: policyNames) }
        let receivers = receivers()
        let endpoints = tlsEndpoints()
        checkWhole(cameras, credentials: credentials)
        guard !checker.hasErrors else { return nil }
        return Configuration(
            storage: storage(), trace: trace(), journalsSteps: item["journal"]?["steps"]?.text == "true",
            listen: listen(), webTLS: webTLS(), socket: path(item["socket"]) ?? "/run/vigil/vigil.sock",
            timeZone: item["timezone"]?.text ?? TimeZone.current.identifier, cameras: cameras, credentials: credentials,
            cloud: cloud(), webhook: webhook(), receivers: receivers, mqtt: mqtt(), webrtc: webrtc(),
            tlsEndpoints: endpoints)
    }

    private func storage() -> Configuration.StorageSettings {
        let section = item["storage"]
        return Configuration.StorageSettings(
            root: path(section?["root"]) ?? "/var/lib/vigil",
            maxBytes: section?["maxSize"]?.text.flatMap(SizeText.bytes),
            reserve: section?["reserve"]?.text.flatMap { try? Reserve.parse($0) } ?? .percent(5),
            syncIntervalMs: section?["syncInterval"]?.text.flatMap(DurationText.milliseconds) ?? 5_000)
    }

    private func trace() -> Configuration.TraceSettings {
        let section = item["trace"]
        return Configuration.TraceSettings(
            keepMs: section?["keep"]?.text.flatMap(DurationText.milliseconds) ?? 30 * 86_400_000,
            maxBytes: section?["maxSize"]?.text.flatMap(SizeText.bytes) ?? 2_000_000_000)
    }

    /// Who looks at a camera, by its own section and that of the site.
    private func viewers(_ camera: Item) -> Configuration.ViewerSettings {
        let site = item["viewers"]
        func limit(_ section: Item?) -> Int? { section?["limit"]?.text.flatMap { Int($0) } }
        return Configuration.ViewerSettings(
            limit: limit(camera["viewers"]) ?? limit(site) ?? 5,
            durationMs: site?["duration"]?.text.flatMap(DurationText.milliseconds) ?? 300_000)
    }

    private func listen() -> ListenAddress? {
        guard let text = item["http"]?["listen"]?.text else { return .standard }
        return (try? ListenAddress.parse(text)) ?? nil
    }

    private func webTLS() -> Configuration.WebTLS? {
        guard let section = item["http"]?["tls"], let certificate = path(section["certificate"]),
            let key = path(section["key"])
        else { return nil }
        return Configuration.WebTLS(certificateFile: certificate, keyFile: key)
    }

    private mutating func checkWeb() {
        let section = item["http"]
        for name in ["certificate", "key"] {
            guard let item = section?["tls"]?[name], let path = path(item), files.kind(of: path) != .file else {
                continue
            }
            checker.error(
                item.place, "http.tls.\(name)", "there is no file \(path)", "correct the path, or put the file there")
        }
    }

    func path(_ item: Item?) -> String? { item?.text.map { FilePath.resolve($0, in: folder) } }

    private mutating func credentials() -> [String: CredentialReference] {
        var found: [String: CredentialReference] = [:]
        for entry in item["credentials"]?.entries ?? [] {
            let keyPath = "credentials.\(entry.key)"
            guard let members = entry.value.entries else { continue }
            guard members.count == 1, let member = members.first, let text = member.value.text else {
                checker.error(
                    entry.place, keyPath, "names \(members.count) places for one credential",
                    "keep exactly one of file, env and systemd")
                continue
            }
            switch member.key {
            case "file": found[entry.key] = .file(FilePath.resolve(text, in: folder))
            case "env": found[entry.key] = .environment(text)
            case "systemd": found[entry.key] = .systemd(text)
            default: continue
            }
        }
        return found
    }

    private mutating func camera(_ entry: Item.Entry, policyNames: Set<String>) -> Configuration.Camera? {
        let keyPath = "cameras.\(entry.key)"
        let section = entry.value
        let connect = section["connect"]?.text.flatMap(ConnectMode.init) ?? .auto
        checkPolicy(section, keyPath: keyPath, names: policyNames)
        guard let policy = section["policy"]?.text, let mainItem = section["main"],
            let main = addresses(mainItem, connect: connect, keyPath: keyPath + ".main")
        else { return nil }
        let sub = section["sub"].flatMap { addresses($0, connect: connect, keyPath: keyPath + ".sub") }
        let camera = Configuration.Camera(
            name: entry.key, main: main, sub: sub,
            detection: section["detection"]?.text.flatMap(Configuration.Camera.Detection.init) ?? .auto,
            connect: connect, credential: section["credential"]?.text,
            pushCertificatesFile: path(section["pushCertificates"]), allowsBasic: section["allowBasic"]?.text == "true",
            policy: policy, onvif: section["onvif"]?.text,
            transport: section["transport"]?.text.flatMap(Configuration.Camera.Transport.init) ?? .tcp,
            g726: section["g726"]?.text.flatMap(Configuration.Camera.G726.init) ?? .auto,
            rotation: section["rotation"]?.text.flatMap { Int($0) }.flatMap(Configuration.Camera.Rotation.init)
                ?? .none,
            tls: Configuration.Camera.TLS(
                authorityFile: path(section["tls"]?["ca"]),
                verification: section["tls"]?["verify"]?.text.flatMap(Configuration.Camera.TLS.Verification.init)
                    ?? .full),
            zones: areas(section["zones"]), masks: areas(section["masks"]), viewers: viewers(section),
            initiallyEnabled: section["enabled"]?.text != "false")
        check(camera, section: section, keyPath: keyPath)
        return camera
    }

    /// Named areas; what is none has been told by the checker.
    private func areas(_ item: Item?) -> [Configuration.Camera.Area] {
        (item?.entries ?? []).compactMap { entry in
            AreaText.polygon(entry.value).map { Configuration.Camera.Area(name: entry.key, polygon: $0) }
        }
    }

    private mutating func checkPolicy(_ section: Item, keyPath: String, names: Set<String>) {
        guard let item = section["policy"], let name = item.text, !names.contains(name), !item.isEmpty else { return }
        let remedy =
            Spelling.nearest(to: name, among: names.sorted()).map { "did you mean \($0)?" }
            ?? (names.isEmpty
                ? "add a policy file to the list of policies"
                : "there are \(names.sorted().prefix(12).joined(separator: ", "))")
        checker.error(item.place, keyPath + ".policy", "there is no policy \"\(name.prefix(80))\"", remedy)
    }

    /// The addresses of a stream; a single one serves whichever way is dialled.
    private mutating func addresses(
        _ item: Item, connect: ConnectMode, keyPath: String
    ) -> Configuration.Camera.Addresses? {
        if let text = item.text {
            guard let address = SourceAddress(text) else { return nil }
            let isOutside = connect == .internet || connect == .internetOnly
            return isOutside ? .init(lan: nil, internet: address) : .init(lan: address, internet: nil)
        }
        let lan = item["lan"]?.text.flatMap(SourceAddress.init)
        let internet = item["internet"]?.text.flatMap(SourceAddress.init)
        let wanted: String? =
            switch connect {
            case .auto: nil
            case .lan, .lanOnly: "lan"
            case .internet, .internetOnly: "internet"
            }
        if let missing = wanted, item[missing] == nil {
            checker.error(
                item.place, keyPath, "connect is \(connect.rawValue), but there is no \(missing) address",
                "add \(missing): …, or change connect")
        } else if item["lan"] == nil, item["internet"] == nil {
            checker.error(item.place, keyPath, "there is no address", "add lan: rtsp://… or internet: rtsp://…")
        }
        return lan == nil && internet == nil ? nil : .init(lan: lan, internet: internet)
    }

    private mutating func check(_ camera: Configuration.Camera, section: Item, keyPath: String) {
        for (key, stream) in [("main", camera.main), ("sub", camera.sub)] {
            for endpoint in Endpoint.allCases {
                guard let address = stream?[endpoint],
                    let place = section[key]?[endpoint.rawValue]?.place ?? section[key]?.place
                else { continue }
                let path = section[key]?.entries == nil ? "\(keyPath).\(key)" : "\(keyPath).\(key).\(endpoint.rawValue)"
                checkAddress(address, place: place, keyPath: path)
            }
        }
        if camera.detection == .sub, section["sub"] == nil {
            checker.error(
                section["detection"]?.place ?? section.place, keyPath + ".detection",
                "motion is to be looked for in the sub-stream, but there is none", "add sub: rtsp://…, or say auto")
        }
        checkPush(camera, section: section, keyPath: keyPath)
        let addresses = [camera.main, camera.sub].compactMap { $0 }.flatMap { [$0.lan, $0.internet] }.compactMap { $0 }
        guard let tls = section.entry("tls") else { return }
        if !addresses.contains(where: \.isEncrypted) {
            checker.warning(
                tls.place, keyPath + ".tls", "no address of this camera is encrypted", "use rtsps://, or remove tls")
        }
        if let authority = camera.tls.authorityFile, files.kind(of: authority) != .file {
            checker.warning(
                tls.value["ca"]?.place ?? tls.place, keyPath + ".tls.ca", "there is no file \(authority)",
                "correct the path, or put the file there")
        }
        if camera.tls.verification == .none {
            checker.warning(
                tls.value["verify"]?.place ?? tls.place, keyPath + ".tls.verify",
                "the camera's certificate is not checked: anybody in between can show another picture",
                "name the camera's authority with ca")
        }
    }

    /// Who may push to the camera.
    private mutating func checkPush(_ camera: Configuration.Camera, section: Item, keyPath: String) {
        let place = section["main"]?.place ?? section.place
        if camera.isPushed, camera.credential == nil, camera.pushCertificatesFile == nil {
            checker.error(
                place, keyPath, "the camera pushes, and nobody may push to it",
                "name the login that it shows with credential: NAME, or its certificate with pushCertificates: FILE")
        }
        if camera.isPushed, item["http"]?["listen"]?.text == "none" {
            checker.error(
                place, keyPath, "the camera pushes, and nothing listens for it", "give http.listen an address")
        }
        // Without certificates of its own an address of this machine alone has no TLS.
        if camera.isPushed, let listen = listen(), listen.isLoopback {
            checker.warning(
                place, keyPath, "the camera pushes, and \(listen) can be reached from this machine alone",
                "give http.listen an address in the camera's network, unless a proxy or an encoder here pushes")
            if camera.credential == nil, camera.pushCertificatesFile != nil, webTLS() == nil {
                checker.error(
                    place, keyPath, "the camera shows a certificate alone, and \(listen) has no TLS",
                    "give http.tls a certificate, or name a login with credential: NAME")
            }
        }
        guard let file = camera.pushCertificatesFile, let named = section["pushCertificates"]?.place else { return }
        if !camera.isPushed {
            checker.warning(
                named, keyPath + ".pushCertificates", "the camera does not push", "say main: push, or remove it")
        }
        if files.kind(of: file) != .file {
            checker.error(
                named, keyPath + ".pushCertificates", "there is no file \(file)",
                "correct the path, or put the file there")
        }
    }

    private mutating func checkAddress(_ address: SourceAddress, place: Place, keyPath: String) {
        if address.seemsToHoldPassword {
            checker.warning(
                place, keyPath, "the address seems to hold a password, which is readable in this file",
                "use a credential if the camera can, and keep this file from others (chmod 640)")
        }
        if case .file(let path) = address, files.kind(of: path) != .file {
            checker.warning(place, keyPath, "there is no file \(path)", "correct the path, or put the file there")
        }
    }

    private mutating func checkWhole(_ cameras: [Configuration.Camera], credentials: [String: CredentialReference]) {
        if item.entries != nil, item["cameras"] == nil || item["cameras"]?.entries?.isEmpty == true {
            checker.warning(
                item["cameras"]?.place ?? item.place, "cameras", "there is no camera", "add one below cameras:")
        }
        checkWeb()
        checkCloud()
        checkMQTT()
        checkWebRTC()
        let brokers = [item["mqtt"]?["credential"]?.text].compactMap { $0 }
        let used = Set(cameras.compactMap(\.credential) + cloudCredentials + notifyCredentials + brokers)
        for entry in item["credentials"]?.entries ?? [] where !used.contains(entry.key) {
            checker.warning(
                entry.place, "credentials.\(entry.key)", "nothing uses this credential",
                "remove it, or name it at a camera, or below cloud, notify or mqtt")
        }
        var seen: [SourceAddress: String] = [:]
        for camera in cameras {
            guard let address = camera.main.lan ?? camera.main.internet, address != .demo, address != .push else {
                continue
            }
            if let other = seen[address], let place = item["cameras"]?[camera.name]?["main"]?.place {
                checker.warning(
                    place, "cameras.\(camera.name).main", "the same address as camera \(other)", "correct one of them")
            }
            seen[address] = seen[address] ?? camera.name
        }
    }
}
