/// Says how much of each NAL unit of a video track stays clear: all of it where it holds no picture, and otherwise NAL header
/// and slice header, as the scheme `cbcs` demands (ISO/IEC 23001-7 clause 9.6 with the note on slice headers in 9.5.2.4).
struct SliceHeaders: Sendable {
    /// How much of a unit with a picture stays clear whose slice header cannot be read, in bytes.
    static let unknownBytes = 64

    private enum Parameters {
        case h264(H264SliceParameters)
        case h265(H265SliceParameters)
    }

    private var parameters: Parameters

    /// With the parameter sets of a track's sample entry; nil for audio.
    init?(_ configuration: CodecConfiguration) {
        let sets: [[UInt8]]
        switch configuration {
        case .h264(let video):
            parameters = .h264(H264SliceParameters())
            sets = video.sequenceParameterSets + video.pictureParameterSets
        case .h265(let video):
            parameters = .h265(H265SliceParameters())
            sets = video.sequenceParameterSets + video.pictureParameterSets
        case .aac, .opus: return nil
        }
        for set in sets { set.withUnsafeBytes { take($0) } }
    }

    /// How many bytes at the start of `unit` stay clear; nil for all of them. Parameter sets are taken in.
    mutating func clearBytes(of unit: UnsafeRawBufferPointer) -> Int? {
        guard let first = unit.first else { return nil }
        switch parameters {
        case .h264(let sets):
            switch first & 0x1f {
            case 1, 2, 5: return (try? H264SliceHeader.bytes(of: unit, sets)) ?? Self.unknownBytes
            // Later partitions of a picture, auxiliary pictures, and those of other layers and views.
            case 3, 4, 19, 20, 21: return Self.unknownBytes
            case 7, 8: take(unit)
            default: break
            }
        case .h265(let sets):
            let type = first >> 1 & 0x3f
            if type < 32 { return (try? H265SliceHeader.bytes(of: unit, sets)) ?? Self.unknownBytes }
            if (33...34).contains(type) { take(unit) }
        }
        return nil
    }

    private mutating func take(_ unit: UnsafeRawBufferPointer) {
        switch parameters {
        case .h264(var sets):
            sets.take(unit)
            parameters = .h264(sets)
        case .h265(var sets):
            sets.take(unit)
            parameters = .h265(sets)
        }
    }
}
