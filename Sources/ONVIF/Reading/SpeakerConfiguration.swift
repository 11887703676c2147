internal import XML

/// How a device plays what is sent to it (ONVIF Media, `AudioOutputConfiguration`), and what levels it has.
package struct SpeakerConfiguration: Hashable, Sendable {
    /// How many configurations are read.
    static let countMax = 64

    /// The media service that told of it.
    let service: DeviceServices.Kind
    /// By which the device knows it, at most 256 bytes.
    let token: String
    /// What it is called, and for which output it is.
    private let name: String
    private let output: String
    /// How many profiles use it.
    private let uses: Int
    /// Whether speaking and listening exclude each other; nil where it does not tell.
    private let primacy: String?
    /// Its level, 0…1,000,000, in the device's own unit.
    package let level: Int
    /// The levels that the device has; 0…100 until it has told.
    private(set) var levels: ClosedRange<Int> = 0...100

    /// The configurations of an answer of a media service; those that cannot be sent back are left out.
    static func read(_ response: XMLNode, of service: DeviceServices.Kind) -> [SpeakerConfiguration] {
        response.all("Configurations").prefix(countMax).compactMap { SpeakerConfiguration($0, service) }
    }

    private init?(_ node: XMLNode, _ service: DeviceServices.Kind) {
        guard let token = node.attributes["token"]?.line(max: MediaProfile.tokenMax),
            let output = node.text("OutputToken")?.line(max: MediaProfile.tokenMax),
            let level = node.text("OutputLevel").flatMap(Self.number)
        else { return nil }
        (self.service, self.token, self.output, self.level) = (service, token, output, level)
        name = node.text("Name")?.line(max: 64) ?? token
        uses = node.text("UseCount").flatMap(Self.number) ?? 0
        primacy = node.text("SendPrimacy")?.line(max: 200)
    }

    private static func number(_ text: String) -> Int? {
        Int(text.trimmed).flatMap { (0...1_000_000).contains($0) ? $0 : nil }
    }

    /// The same with the levels that an answer of GetAudioOutputConfigurationOptions has.
    func with(options response: XMLNode) -> SpeakerConfiguration {
        let range = response.child("Options")?.child("OutputLevelRange")
        guard let least = range?.text("Min").flatMap(Self.number), let most = range?.text("Max").flatMap(Self.number),
            least < most
        else { return self }
        var speaker = self
        speaker.levels = least...most
        return speaker
    }

    /// The same with the levels that `other` has; nil where that is another speaker.
    func with(levelsOf other: SpeakerConfiguration) -> SpeakerConfiguration? {
        guard other.service == service, other.token == token else { return nil }
        var speaker = self
        speaker.levels = other.levels
        return speaker
    }

    /// Its volume, 0…100 of the levels that the device has.
    package var volume: Int {
        let (over, span) = (min(max(level, levels.lowerBound), levels.upperBound) - levels.lowerBound, levels.count - 1)
        return (over * 200 + span) / (2 * span)
    }

    /// The level for a volume, 0…100.
    package func level(volume: Int) -> Int {
        levels.lowerBound + (min(max(volume, 0), 100) * (levels.count - 1) * 2 + 100) / 200
    }

    /// As a request has it, with another level.
    func element(level: Int) -> String {
        "<t:Configuration token=\"\(XMLNode.escaped(token))\"><tt:Name>\(XMLNode.escaped(name))</tt:Name><tt:UseCount>\(uses)"
            + "</tt:UseCount><tt:OutputToken>\(XMLNode.escaped(output))</tt:OutputToken>"
            + (primacy.map { "<tt:SendPrimacy>\(XMLNode.escaped($0))</tt:SendPrimacy>" } ?? "")
            + "<tt:OutputLevel>\(level)</tt:OutputLevel></t:Configuration>"
    }
}
