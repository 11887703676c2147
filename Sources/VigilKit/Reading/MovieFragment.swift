internal import Wire

/// The frames of fragments (`moof`, `mdat`, one after another), read from foreign bytes.
enum MovieFragment {
    /// The most frames of one piece of media.
    static let framesMax = 65_536
    /// The latest decode time: what is added to it cannot overflow.
    static let decodeTimeMax = UInt64(Int64.max) / 4

    /// The frames of a track in `bytes`, in the order of decoding, with no wall time yet; nil where they are damaged.
    static func frames(_ bytes: [UInt8], of header: MovieHeader) -> [Frame]? {
        guard let boxes = MediaBox.list(bytes[...]) else { return nil }
        var frames: [Frame] = []
        for box in boxes where box.type == "moof" {
            for track in box.children() ?? [] where track.type == "traf" {
                guard let run = read(track, in: box, bytes, header), frames.count + run.count <= framesMax else {
                    return nil
                }
                frames += run
            }
        }
        return frames
    }

    private static func read(_ track: MediaBox, in fragment: MediaBox, _ bytes: [UInt8], _ header: MovieHeader)
        -> [Frame]?
    {
        guard let boxes = track.children(), let head = boxes.first(where: { $0.type == "tfhd" }),
            let time = boxes.first(where: { $0.type == "tfdt" }).flatMap(decodeTime)
        else { return nil }
        var reader = MediaBytes(head.contents)
        guard let flags = reader.number(4), let id = reader.number(4) else { return nil }
        guard id == UInt64(header.trackID) else { return [] }
        // A place in a file that is not here says nothing; everything is counted from the fragment's begin.
        guard flags & 0x01 == 0, flags & 0x02 == 0 || reader.take(4) != nil else { return nil }
        var values = header.defaults
        for (bit, field) in [(UInt64(0x08), \MovieHeader.Defaults.duration), (0x10, \.size), (0x20, \.flags)]
        where flags & bit != 0 {
            guard let value = reader.number(4) else { return nil }
            values[keyPath: field] = UInt32(truncatingIfNeeded: value)
        }
        var (frames, now, place) = ([Frame](), time, fragment.start)
        for run in boxes where run.type == "trun" {
            guard readRun(run, values, header.format, bytes, fragment.start, &place, &now, &frames) else { return nil }
        }
        return frames
    }

    private static func decodeTime(_ box: MediaBox) -> Int64? {
        var reader = MediaBytes(box.contents)
        guard let version = reader.number(1), reader.take(3) != nil, let time = reader.number(version == 1 ? 8 : 4),
            time <= decodeTimeMax
        else { return nil }
        return Int64(exactly: time)
    }

    // swift-format-ignore
    private static func readRun(
        _ box: MediaBox, _ defaults: MovieHeader.Defaults, _ format: FrameFormat, _ bytes: [UInt8], _ base: Int,
        _ place: inout Int, _ now: inout Int64, _ frames: inout [Frame]
    ) -> Bool {
        var reader = MediaBytes(box.contents)
        guard let flags = reader.number(4), let count = reader.number(4), count <= UInt64(framesMax - frames.count) else {
            return false
        }
        if flags & 0x01 != 0 {
            guard let offset = reader.number(4).map({ Int(Int32(truncatingIfNeeded: $0)) }) else { return false }
            place = base + offset
        }
        var firstFlags: UInt32?
        if flags & 0x04 != 0 {
            guard let value = reader.number(4) else { return false }
            firstFlags = UInt32(truncatingIfNeeded: value)
        }
        for number in 0..<count {
            var values = defaults
            if number == 0, let firstFlags { values.flags = firstFlags }
            for (bit, field) in [(UInt64(0x100), \MovieHeader.Defaults.duration), (0x200, \.size), (0x400, \.flags)]
            where flags & bit != 0 {
                guard let value = reader.number(4) else { return false }
                values[keyPath: field] = UInt32(truncatingIfNeeded: value)
            }
            var shift: Int64 = 0
            if flags & 0x800 != 0 {
                guard let value = reader.number(4) else { return false }
                shift = Int64(Int32(truncatingIfNeeded: value))
            }
            guard place >= 0, Int(values.size) <= bytes.count, place <= bytes.count - Int(values.size) else {
                return false
            }
            frames.append(
                Frame(
                    format: format, data: Array(bytes[place..<place + Int(values.size)]), decodeTime: now,
                    presentationTime: now + shift, duration: Int64(values.duration),
                    isSync: values.flags & 0x1_0000 == 0, isDamaged: values.flags & 0xffff != 0,
                    isDiscontinuous: false, time: WallTime(ms: 0)))
            place += Int(values.size)
            // Below a quarter of what fits, and 65 536 times at most 2³² more.
            now += Int64(values.duration)
        }
        return true
    }
}
