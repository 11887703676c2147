/// Silence as a track codes its sound, for a camera whose microphone is switched off (docs/design/settings.md). A unit of it
/// lasts as long as the one in whose place it stands.
enum EncodedSilence {
    /// Silence for the unit `bytes` of a track, whose times stay as they are; nil where none can be made: AAC with error
    /// resilience or with channels of its own order, Opus of several streams or a broken packet.
    static func unit(for bytes: UnsafeRawBufferPointer, _ configuration: TrackConfiguration) -> [UInt8]? {
        let parameters = configuration.parameters
        switch parameters.codec {
        case .aac: return AACConfiguration(parameters.codecConfiguration).flatMap(aac)
        case .opus:
            guard case .opus(let coded)? = configuration.coded, coded.mapping == [0] else { return nil }
            return opus(bytes)
        case .pcmu: return [UInt8](repeating: 0xFF, count: bytes.count)
        case .pcma: return [UInt8](repeating: 0xD5, count: bytes.count)
        case .l16: return [UInt8](repeating: 0, count: bytes.count)
        case .g726: return parameters.codecConfiguration.first.flatMap { g726($0, bytes.count) }
        case .h264, .h265: return nil
        }
    }

    /// Code words of the smallest step (ITU-T G.726, 3.7): of 3 to 5 bits all ones, which is no step at all; of 2 bits there is
    /// none, so the smallest one up or down.
    private static func g726(_ bits: UInt8, _ count: Int) -> [UInt8]? {
        switch bits {
        case 2: smallSteps(count)
        case 3...5: [UInt8](repeating: 0xFF, count: count)
        default: nil
        }
    }

    /// The smallest steps of 2 bits, up (00) and down (11) as a shift register of 16 bits gives them: any pattern that repeats soon
    /// would make the decoder's predictor swing. What is heard is 20 of 32,768 at most.
    private static func smallSteps(_ count: Int) -> [UInt8] {
        var register: UInt16 = 0xACE1
        return (0..<count).map { _ in
            (0..<4).reduce(UInt8(0)) { byte, place in
                let bit = (register ^ register >> 2 ^ register >> 3 ^ register >> 5) & 1
                register = register >> 1 | bit << 15
                return register & 1 == 1 ? byte | 0b11 << UInt8(2 * place) : byte
            }
        }
    }

    // MARK: AAC

    /// A raw_data_block without a single scale factor band (ISO/IEC 14496-3, 4.4.2.1), with the elements that the channel
    /// configuration prescribes (table 1.19). A decoder of SBR or PS that finds none of its data takes the core's silence.
    private static func aac(_ audio: AACConfiguration) -> [UInt8]? {
        // Main, LC and LTP share the syntax of the block. What has error resilience (17…, low delay) or scales has another.
        guard [1, 2, 4].contains(audio.objectType) else { return nil }
        let single = 0, pair = 1, lowFrequency = 3
        let elements: [Int]
        switch audio.channels {
        case 1: elements = [single]
        case 2: elements = [pair]
        case 3: elements = [single, pair]
        case 4: elements = [single, pair, single]
        case 5: elements = [single, pair, pair]
        case 6: elements = [single, pair, pair, lowFrequency]
        case 8: elements = [single, pair, pair, pair, lowFrequency]
        default: return nil
        }
        var out = Bits()
        for (index, element) in elements.enumerated() {
            out.put(element, 3)
            // element_instance_tag: counts the elements of one kind.
            out.put(elements[..<index].count { $0 == element }, 4)
            if element == pair {
                out.put(1, 1)  // common_window
                out.put(0, 11)  // ics_info: one long window, no band, no prediction
                out.put(0, 2)  // ms_mask_present
                // Twice global_gain and the flags of pulse, TNS and gain control.
                out.put(0, 22)
            } else {
                // global_gain, ics_info and the flags.
                out.put(0, 22)
            }
        }
        out.put(7, 3)
        return out.bytes
    }

    /// Bits in their order, the last byte filled with zeros.
    private struct Bits {
        private(set) var bytes: [UInt8] = []
        private var free = 0

        mutating func put(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() {
                if free == 0 {
                    bytes.append(0)
                    free = 8
                }
                free -= 1
                bytes[bytes.count - 1] |= UInt8(truncatingIfNeeded: value >> bit & 1) << UInt8(truncatingIfNeeded: free)
            }
        }
    }

    // MARK: Opus

    /// Frames of CELT that say "silence" in their first bit (RFC 6716, 4.3), as many and as long as the packet lasts, mono or stereo
    /// as it is.
    private static func opus(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let head = bytes.first, let duration = OpusPacket.duration(bytes) else { return nil }
        let sizes: [Int64] = [120, 240, 480, 960]
        // The longest frame of CELT that the packet is a multiple of; each length that Opus has is one of the shortest.
        guard let index = sizes.lastIndex(where: { duration % $0 == 0 }) else { return nil }
        let frames = Int(duration / sizes[index])
        // Full band, of that length; code 3 says how many frames of one size follow.
        let toc = UInt8(truncatingIfNeeded: 28 + index) << 3 | head & 4
        let silence: [UInt8] = [0xFF, 0xFE]
        guard frames > 1 else { return [toc] + silence }
        return [toc | 3, UInt8(truncatingIfNeeded: frames & 0x3F)] + (0..<frames).flatMap { _ in silence }
    }
}
