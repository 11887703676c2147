@testable import ONVIF
@testable import XML

/// What a device of ONVIF may answer: documents of SOAP, answers to probes, addresses.
enum ONVIFTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        switch feed.byte() % 3 {
        case 0: document(Array(feed.rest()))
        case 1: datagram(Array(feed.rest()))
        default: address(&feed)
        }
    }

    private static func document(_ bytes: [UInt8]) {
        guard let answer = try? SOAPAnswer(bytes) else { return }
        switch answer {
        case .fault(let fault):
            line(fault.words, 300)
            hold(fault.codes.count <= SOAPFault.codesMax + 1, "\(fault.codes.count) codes")
        case .response(let node):
            let told = DeviceInformation(node)
            for text in [told.manufacturer, told.model, told.firmware, told.serialNumber] { line(text, 64) }
            if let time = DeviceTime(node) {
                hold(time.text.utf8.count == 20, "a time as requests have it: \(time.text)")
            }
            for address in DeviceServices(node).addresses.values { same(address) }
            if let address = StreamAddress(node, schemes: ["rtsp", "rtsps"], dialled: "cam") {
                hold(!address.text.contains("@"), "a login in an address")
                hold(address.text.split(separator: "/")[1].hasPrefix("cam"), "another host than was dialled")
            }
            profiles(MediaProfile.read(node))
            events(DeviceNotification.read(node))
            settings(node)
        }
    }

    private static func settings(_ node: XMLNode) {
        let imaging = DeviceImaging(settings: node, options: node)
        hold(imaging.with(settings: node) == imaging, "another picture by the same answer")
        for (part, level) in imaging.levels {
            changed(ImagingChange(part, backTo: level), part, to: level.said)
            hold((0...100).contains(level.share), "share \(level.share)")
            for share in [0, 33, 100] {
                hold(level.range.contains(level.level(share: share)), "level \(level.level(share: share))")
                changed(ImagingChange(part, of: level, share: share), part, to: level.level(share: share))
            }
        }
        let speakers = SpeakerConfiguration.read(node, of: .media)
        hold(speakers.count <= SpeakerConfiguration.countMax, "\(speakers.count) speakers")
        for speaker in speakers {
            let heard = speaker.with(options: node)
            hold((0...100).contains(heard.volume), "volume \(heard.volume)")
            for volume in [0, 33, 100] {
                let level = heard.level(volume: volume)
                hold(heard.levels.contains(level), "level \(level)")
                let sent = Array("<r>\(heard.element(level: level))</r>".utf8)
                hold((try? XMLNode.parse(sent)) != nil, "no element of a request")
            }
        }
    }

    /// A request has the very level.
    private static func changed(_ change: ImagingChange, _ part: PictureLevel.Part, to level: Double) {
        let sent = try? XMLNode.parse(Array(change.element.utf8))
        hold(sent?.text(part.rawValue).flatMap { Double($0) } == level, "another level than \(level)")
    }

    private static func events(_ messages: [DeviceNotification]) {
        hold(messages.count <= DeviceNotification.countMax, "\(messages.count) messages")
        var sources = DeviceSources()
        for message in messages {
            line(message.topic, 200)
            let before = sources.names
            switch sources.take(message) {
            case .on(let name):
                line(name, 64)
                hold(sources.names.contains(name), "\(name) is told on and is not")
                hold(message.change != .initialized || before.contains(name), "a state begins \(name)")
            case .off(let name):
                hold(before.contains(name) && !sources.names.contains(name), "\(name) is told off and is not")
            case nil: hold(sources.names == before, "a change is not told")
            }
            hold(sources.names.count <= DeviceSources.propertiesMax, "\(sources.names.count) sources")
        }
    }

    private static func profiles(_ profiles: [MediaProfile]) {
        hold(profiles.count <= MediaProfile.countMax, "\(profiles.count) profiles")
        for profile in profiles {
            line(profile.words, 200)
            hold(!profile.token.isEmpty && profile.token.utf8.count <= MediaProfile.tokenMax, "a token")
            hold(profile.pixels ?? 1 > 0, "a picture without pixels")
        }
        var sources: Set<String?> = []
        for choice in StreamChoice.of(profiles) {
            hold(sources.insert(choice.videoSource).inserted, "two cameras of one source")
            hold(choice.main.isRecorded && choice.sub?.isRecorded != false, "a stream that is not recorded")
            hold(
                profiles.allSatisfy {
                    $0.videoSource != choice.videoSource || !$0.isRecorded
                        || ($0.pixels ?? 0) <= choice.main.pixels ?? 0
                }, "a larger one")
            if let sub = choice.sub {
                hold(sub.pixels ?? 0 < choice.main.pixels ?? 0, "a sub-stream that is not smaller")
            }
        }
    }

    private static func datagram(_ bytes: [UInt8]) {
        let devices = DiscoveredDevice.read(bytes, from: "10.0.0.9", probes: ["urn:uuid:1"])
        hold(devices.count <= DiscoveredDevice.matchesMax, "\(devices.count) devices")
        for device in devices {
            hold(device.address.host == "10.0.0.9", "another host than the sender")
            same(device.address)
            for text in [device.name, device.model, device.location] { line(text, 64) }
        }
    }

    private static func address(_ feed: inout Feed) {
        let (first, second) = (ServiceAddress(feed.line()), ServiceAddress(feed.line()))
        if let first {
            same(first)
            if let second {
                let service = first.service(second)
                hold(
                    service.host == first.host && (service.isSecure || !first.isSecure),
                    "a login would go elsewhere, or in clear")
            }
        }
    }

    /// What is written is read back.
    private static func same(_ address: ServiceAddress) {
        hold(ServiceAddress(address.description) == address, "\(address) is read back")
        hold(!address.host.contains("@") && !address.host.contains("/"), "a login or a path in a host")
    }

    private static func line(_ text: String?, _ max: Int) {
        guard let text else { return }
        hold(text.unicodeScalars.count <= max, "a long line")
        hold(
            !text.unicodeScalars.contains { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) }, "a control character"
        )
    }
}
