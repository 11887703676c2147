import CLibav

/// Decodes what somebody says into samples of one channel. Begins anew where the coding changes. Used by one thread.
final class Speech {
    private let sampleRate: Int
    private var coding: SpokenPacket.Coding?
    private var decoder: LibavCodec?
    private var resampler: Resampler?
    /// Whether the coding has the wanted samples already.
    private var isSame = false
    private var decoded: [Int16] = []

    /// `sampleRate`: how many samples a second are wanted.
    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Appends the samples of a packet; how many ticks of the coding's clock it lasts, nil where it cannot be decoded.
    func decode(_ packet: SpokenPacket, into samples: inout [Int16]) -> Int? {
        if packet.coding != coding { begin(packet.coding) }
        decoded.removeAll(keepingCapacity: true)
        switch packet.coding {
        case .opus:
            // Whatever is longer than a packet may be (RFC 6716, 3.2.5) would take more time to play than it lasted.
            let ticks = packet.payload.withUnsafeBytes { OpusPacket.duration($0) }
            guard let ticks, ticks <= Self.opusTicksMax, let decoder,
                packet.payload.withUnsafeBytes({ decoder.decode($0, into: &decoded) }), !decoded.isEmpty
            else { return nil }
        case .pcmu, .pcma:
            let law: G711.Law = packet.coding == .pcmu ? .mu : .a
            guard !packet.payload.isEmpty else { return nil }
            decoded += packet.payload.map { G711.decode($0, law) }
        }
        if isSame {
            samples += decoded
        } else if let resampler {
            resampler.convert(decoded, into: &samples)
        } else {
            return nil
        }
        return decoded.count / Self.channels(packet.coding)
    }

    /// 120 ms.
    private static let opusTicksMax: Int64 = 5_760

    private static func channels(_ coding: SpokenPacket.Coding) -> Int { coding == .opus ? 2 : 1 }

    private func begin(_ coding: SpokenPacket.Coding) {
        self.coding = coding
        let channels = Self.channels(coding)
        decoder =
            coding == .opus
            ? LibavCodec(decoder: AV_CODEC_ID_OPUS, sampleRate: 48_000, channels: channels, bitsPerSample: 0) : nil
        isSame = coding.clockRate == sampleRate && channels == 1
        resampler = isSame ? nil : Resampler(fromRate: coding.clockRate, channels: channels, toRate: sampleRate)
    }
}
