package import Media

/// Finds out which devices are to be asked, and asks them.
package enum DeviceSearch {
    /// A device, and what it said of itself when it was looked for.
    package struct Target: Hashable, Sendable {
        /// Where its own service is.
        package let address: ServiceAddress
        /// What it said; nil where it was not looked for.
        package let found: DiscoveredDevice?

        /// A device.
        package init(address: ServiceAddress, found: DiscoveredDevice?) {
            (self.address, self.found) = (address, found)
        }
    }

    /// How many devices are asked at a time.
    package static let atOnceMax = 8

    /// The device at `HOST`, `HOST:PORT` or `http://HOST/PATH`; nil where `text` is none of these. A host without a port is asked for
    /// at most `waitMs` milliseconds where its service is.
    package static func target(_ text: String, waitMs: Int64) async -> Target? {
        if let address = ServiceAddress(device: text) { return Target(address: address, found: nil) }
        guard !text.contains("/"), let address = ServiceAddress("http://" + text) else { return nil }
        let usual = ServiceAddress(host: address.host, port: address.port)
        guard !text.contains(":") else { return Target(address: usual, found: nil) }
        let found = await Discovery.search(interfaces: [], hosts: [address.host], waitMs: waitMs).devices
            .first { $0.sender == address.host }
        return Target(address: found?.address ?? usual, found: found)
    }

    /// The reports in the order of the targets, ``atOnceMax`` at a time. After `forMs` milliseconds no more are begun: whoever plays
    /// many devices that answer slowly holds up nobody for longer. `onLeft` is called with how many were not asked.
    package static func reports(
        _ targets: [Target], _ login: CameraCredential?, _ tls: TLSRules, forMs: Int64,
        onLeft: (Int) -> Void = { _ in }
    ) async -> [DeviceReport] {
        await withTaskGroup(of: (Int, DeviceReport).self) { group in
            var (next, reports) = (0, [Int: DeviceReport]())
            let start = ContinuousClock.now
            func begin() {
                guard next < targets.count, start.duration(to: .now) < .milliseconds(forMs) else { return }
                let (index, target) = (next, targets[next])
                group.addTask {
                    (index, await DeviceReport.of(target.address, found: target.found, credential: login, tls: tls))
                }
                next += 1
            }
            for _ in 0..<atOnceMax { begin() }
            while let (index, report) = await group.next() {
                reports[index] = report
                begin()
            }
            if next < targets.count { onLeft(targets.count - next) }
            return targets.indices.compactMap { reports[$0] }
        }
    }
}

extension DeviceReport {
    /// A name that vigil.yaml takes, made of what the device calls itself: at most 48 small letters, digits and hyphens.
    package func suggestedName(of camera: Camera) -> String {
        let channel = cameras.count > 1 ? "-" + (camera.videoSource ?? "") : ""
        var made = ""
        for character in ((name ?? information?.model ?? "") + channel).lowercased() {
            if character.isASCII, character.isLetter || character.isNumber {
                made.append(character)
            } else if !made.isEmpty, made.last != "-" {
                made.append("-")
            }
        }
        made = String(made.prefix(48))
        while made.last == "-" { made.removeLast() }
        return made.isEmpty ? "camera" : made
    }
}
