import Hashing
import Machines

/// How a camera's loudspeaker takes sound, as its description says.
struct BackChannelFormat: Hashable, Sendable {
    /// How sound is coded.
    enum Coding: Hashable, Sendable {
        /// G.711 µ-law.
        case pcmu
        /// G.711 A-law.
        case pcma
        /// AAC-LC in packets of one access unit (RFC 3640, mode AAC-hbr).
        case aac
    }

    let coding: Coding
    let payloadType: UInt8
    /// Samples a second; stamps count them.
    let sampleRate: Int
    /// One, or of AAC two, which get the same.
    let channels: Int

    /// Samples of a packet in a channel: 20 ms of G.711, one frame of AAC.
    var packetSamples: Int { coding == .aac ? AudioTranscoder.frameSamples : sampleRate / 50 }

    /// Its name in words of descriptions, such as `PCMU/8000`.
    var name: String {
        switch coding {
        case .pcmu: "PCMU/\(sampleRate)"
        case .pcma: "PCMA/\(sampleRate)"
        case .aac: "AAC/\(sampleRate)"
        }
    }

    /// The format that a medium is offered in; nil for one that is not made.
    init?(_ form: SDP.Media) {
        payloadType = form.payloadType
        switch form.encoding {
        case "PCMU", "PCMA":
            // Wideband telephones exist, and so do cameras that take G.711 at 16 kHz.
            guard [8_000, 16_000].contains(form.clockRate), form.channels == 1 else { return nil }
            coding = form.encoding == "PCMU" ? .pcmu : .pcma
            (sampleRate, channels) = (form.clockRate, 1)
        case "MPEG4-GENERIC":
            // What is not said of the layout is that of AAC-hbr, which is what cameras mean.
            guard form.format["sizelength"] ?? "13" == "13", form.format["indexlength"] ?? "3" == "3",
                let audio = Self.audio(form), audio.objectType == 2,
                audio.frameSamples == AudioTranscoder.frameSamples, (1...2).contains(audio.channels),
                form.clockRate == audio.sampleRate
            else { return nil }
            coding = .aac
            (sampleRate, channels) = (audio.sampleRate, audio.channels)
        default: return nil
        }
    }

    /// What the description says of AAC; where it has no configuration, AAC-LC of its clock.
    private static func audio(_ form: SDP.Media) -> AACConfiguration? {
        let digits = form.format["config"] ?? ""
        let bytes =
            digits.isEmpty
            ? AACConfiguration.bytes(objectType: 2, sampleRate: form.clockRate, channels: form.channels)
            : Hex.bytes(digits.dropLast(digits.utf8.count % 2))
        return bytes.flatMap { AACConfiguration($0) }
    }
}

extension SDP {
    /// The way to the camera's loudspeaker, and how it takes sound: G.711 before AAC. Throws `unsupported` where there is none, or
    /// none in a format that is made.
    func backChannel() throws(InputFault) -> (medium: Media, format: BackChannelFormat) {
        let media = media.filter { $0.kind == .audio && !$0.isEncrypted && isBackChannel($0) }
        let found = media.flatMap { medium in
            medium.forms.compactMap { form in BackChannelFormat(form).map { (medium: medium, format: $0) } }
        }
        if let best = found.first(where: { $0.format.coding != .aac }) ?? found.first { return best }
        guard !media.isEmpty else {
            throw .failed(.unsupported, "the camera offers no back channel: no sound in its description is sendonly")
        }
        let names = media.flatMap(\.forms).map { "\(RTSPClient.printable($0.encoding))/\($0.clockRate)" }
        throw .failed(
            .unsupported,
            "the camera's loudspeaker takes only \(names.prefix(8).joined(separator: ", ")), and none of these is made")
    }
}
