import Machines

@testable import Media

/// What decoders must know: parameter sets, `avcC`, `hvcC`, AudioSpecificConfig, `OpusHead`, sample entries.
enum ParameterTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        let kind = feed.byte()
        let body = feed.rest()
        let configuration: CodecConfiguration?
        switch kind % 8 {
        case 0: configuration = try? CodecConfiguration(.h264, parameterSets: body)
        case 1: configuration = try? CodecConfiguration(.h265, parameterSets: body)
        case 2: configuration = try? CodecConfiguration(.h264, parameterSets: body, framing: .lengthPrefixed(bytes: 4))
        case 3: configuration = try? CodecConfiguration(.h265, parameterSets: body, framing: .lengthPrefixed(bytes: 4))
        case 4: configuration = try? CodecConfiguration(audioSpecificConfig: [UInt8](body))
        case 5: configuration = try? CodecConfiguration(opusHead: [UInt8](body))
        case 6: configuration = try? CodecConfiguration(sampleEntry: [UInt8](body))
        default:
            configuration = nil
            framings(body)
        }
        if let configuration { check(configuration) }
        if let configuration, let after = try? configuration.updated(by: body, framing: .annexB) { check(after) }
    }

    /// What is written is read back as the same.
    static func check(_ configuration: CodecConfiguration) {
        hold(configuration.timescale > 0, "there is a time scale")
        if let width = configuration.width, let height = configuration.height {
            hold((1...65_535).contains(width) && (1...65_535).contains(height), "\(width) by \(height) pixels")
        }
        hold((0...16).contains(configuration.maxReorderFrames), "at most 16 frames are reordered")
        if let rate = configuration.sampleRate { hold(rate > 0, "a rate of \(rate) Hz") }
        if let channels = configuration.channels { hold((1...255).contains(channels), "\(channels) channels") }
        let entry = configuration.sampleEntry(bitrate: Bitrate(max: .max, average: 1))
        do {
            let read = try CodecConfiguration(sampleEntry: entry)
            hold(read == configuration, "the sample entry says something else than it was made of")
        } catch {
            hold(false, "the sample entry cannot be read back: \(error)")
        }
    }

    private static func framings(_ body: UnsafeRawBufferPointer) {
        for framing in [NALFraming.annexB, .lengthPrefixed(bytes: 4), .lengthPrefixed(bytes: 2)] {
            var end = 0
            for unit in NALUnits(body, framing: framing) {
                let follows = unit.lowerBound >= end && unit.upperBound <= body.count && !unit.isEmpty
                hold(follows, "units follow each other in the buffer")
                end = unit.upperBound
            }
        }
        var prefixed: [UInt8] = []
        _ = AnnexB.appendLengthPrefixed(body, to: &prefixed)
        let plain = NALUnits(body, framing: .annexB).map { [UInt8](body[$0]) }
        prefixed.withUnsafeBytes { bytes in
            let again = NALUnits(bytes, framing: .lengthPrefixed(bytes: 4)).map { [UInt8](bytes[$0]) }
            hold(again == plain, "the units are the same in both framings")
        }
    }
}
