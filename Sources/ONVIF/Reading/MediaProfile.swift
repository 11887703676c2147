internal import XML

/// What one stream of a device is made of, as its media service tells it (GetProfiles of the versions 1 and 2).
package struct MediaProfile: Hashable, Sendable, Codable {
    /// How many profiles are read.
    package static let countMax = 512
    /// How long a token may be, in bytes. The standard has 64.
    package static let tokenMax = 256

    /// By which the device knows it.
    package let token: String
    /// What the device calls it, in one line of at most 64 scalars; nil where it has no name.
    package let name: String?
    /// The token of the sensor or channel whose picture it is; nil where none is told.
    package let videoSource: String?
    /// The tokens of the configurations by which messages name that channel: of its picture, and of its analytics; nil where none is
    /// told.
    package let sourceConfiguration: String?
    package let analytics: String?
    /// `H264`, `H265`, `JPEG` or whatever else the device says; nil where it has no picture.
    package let encoding: String?
    /// Width and height of its picture, in pixels, 1…32,768; nil where they are not told.
    package let width: Int?
    package let height: Int?
    /// The most frames in a second, above 0 and at most 1,000; nil where it is not told.
    package let frameRate: Double?
    /// The most kilobits in a second, above 0; nil where it is not told.
    package let bitRate: Int?
    /// Whether sound belongs to it.
    package let hasSound: Bool
    /// Whether what it shows can be turned and zoomed.
    package let hasPTZ: Bool

    /// The profiles of an answer, in their order; those without a token that can be sent back are left out.
    static func read(_ response: XMLNode) -> [MediaProfile] {
        response.all("Profiles").prefix(countMax).compactMap(MediaProfile.init)
    }

    private init?(_ node: XMLNode) {
        guard let token = node.attributes["token"], Self.isToken(token) else { return nil }
        self.token = token
        name = node.text("Name")?.line(max: 64)
        // Version 2 has the configurations in an element of their own, under shorter names.
        let parts = node.child("Configurations")
        let source = parts?.child("VideoSource") ?? node.child("VideoSourceConfiguration")
        videoSource = source?.text("SourceToken")?.trimmed.line(max: Self.tokenMax)
        sourceConfiguration = source?.attributes["token"]?.line(max: Self.tokenMax)
        analytics = (parts?.child("Analytics") ?? node.child("VideoAnalyticsConfiguration"))?.attributes["token"]?
            .line(max: Self.tokenMax)
        let encoder = parts?.child("VideoEncoder") ?? node.child("VideoEncoderConfiguration")
        encoding = encoder?.text("Encoding").flatMap(Self.encoding)
        let resolution = encoder?.child("Resolution")
        width = resolution?.text("Width").flatMap(Self.pixels)
        height = resolution?.text("Height").flatMap(Self.pixels)
        let rate = encoder?.child("RateControl")
        frameRate = rate?.text("FrameRateLimit").flatMap(Self.number).flatMap { $0 > 0 && $0 <= 1_000 ? $0 : nil }
        bitRate = rate?.text("BitrateLimit").flatMap(Self.number).flatMap { $0 >= 1 && $0 < 10_000_000 ? Int($0) : nil }
        hasSound = parts?.child("AudioEncoder") != nil || node.child("AudioEncoderConfiguration") != nil
        hasPTZ = parts?.child("PTZ") != nil || node.child("PTZConfiguration") != nil
    }

    /// Whether Vigil records what it shows.
    package var isRecorded: Bool { encoding == "H264" || encoding == "H265" }

    /// The pixels of a picture; nil where they are not told.
    package var pixels: Int? {
        guard let width, let height else { return nil }
        return width * height
    }

    /// In words: `H264 1920x1080, 25 frames/s, 4096 kbit/s, sound`.
    package var words: String {
        var parts = [encoding ?? "no picture"]
        if let width, let height { parts[0] += " \(width)x\(height)" }
        if let frameRate {
            parts.append("\(frameRate == frameRate.rounded() ? "\(Int(frameRate))" : "\(frameRate)") frames/s")
        }
        if let bitRate { parts.append("\(bitRate) kbit/s") }
        if hasSound { parts.append("sound") }
        return parts.joined(separator: ", ")
    }

    private static func isToken(_ text: String) -> Bool {
        (1...tokenMax).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    }

    /// The names of one encoding that devices have: `H.264`, `video/H264`, `HEVC`.
    private static func encoding(_ text: String) -> String? {
        guard let line = text.line(max: 32) else { return nil }
        switch line.uppercased().filter({ $0.isLetter || $0.isNumber }) {
        case "H264", "VIDEOH264", "AVC": return "H264"
        case "H265", "VIDEOH265", "HEVC": return "H265"
        default: return line
        }
    }

    private static func pixels(_ text: String) -> Int? {
        Int(text.trimmed).flatMap { (1...32_768).contains($0) ? $0 : nil }
    }

    private static func number(_ text: String) -> Double? { Double(text.trimmed).flatMap { $0.isFinite ? $0 : nil } }
}
