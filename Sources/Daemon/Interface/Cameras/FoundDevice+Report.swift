internal import Machines
internal import ONVIF
internal import Policies
internal import Server

extension FoundDevice {
    /// What a device told, with names that `configuration` has not given away.
    init(_ report: DeviceReport, _ configuration: Configuration) {
        var taken = Set(configuration.cameras.map(\.name))
        self.init(
            address: report.address, name: report.name,
            model: [report.information?.manufacturer, report.information?.model].compactMap { $0 }.joined(
                separator: " "),
            channels: report.cameras.compactMap { camera in
                guard let main = Stream(camera.main) else { return nil }
                let told = report.suggestedName(of: camera)
                var (name, number) = (told, 2)
                while !taken.insert(name).inserted { (name, number) = ("\(told)-\(number)", number + 1) }
                return Channel(name: name, main: main, sub: camera.sub.flatMap(Stream.init))
            },
            notes: report.notes, known: Self.cameras(at: report.address, configuration),
            problem: report.problem.map {
                Problem(kind: $0.kind.rawValue, why: "\($0.operation): \($0.cause)", remedy: $0.remedy)
            })
        if model?.isEmpty == true { model = nil }
    }

    /// The cameras of a configuration whose device or stream is at the host of `address`.
    private static func cameras(at address: String, _ configuration: Configuration) -> [String] {
        let host = host(of: address)
        return configuration.cameras.filter { camera in
            [camera.onvif, camera.main[.lan]?.text, camera.main[.internet]?.text].contains { $0.map(Self.host) == host }
        }.map(\.name)
    }

    /// The host of an address, without its port; it holds no login.
    private static func host(of address: String) -> String {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        return host.lowercased()
    }
}

extension FoundDevice.Stream {
    /// A stream that has an address.
    init?(_ stream: DeviceReport.Stream) {
        guard let address = stream.address else { return nil }
        self.init(
            address: address, encoding: stream.profile.encoding ?? "", width: stream.profile.width,
            height: stream.profile.height, frameRate: stream.profile.frameRate, sound: stream.profile.hasSound)
    }
}
