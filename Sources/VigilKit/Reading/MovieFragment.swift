internal import Wire

/// The frames of fragments (`moof`, `mdat`, one after another), read from foreign bytes.
enum MovieFragment {
    /// The most frames of one piece of media.
    static let framesMax = 65_536
    /// The latest decode time: what is added to it cannot overflow.
    static let decodeTimeMax = UInt64(Int64.max) / 4

    /// The frames of a track in `bytes`, in the order of decoding, with no wall time yet; nil where they are damaged, or claim more
    /// media than there is.
    static func frames(_ bytes: [UInt8], of header: MovieHeader) -> [Frame]? {
        guard let boxes = MediaBox.list(bytes[...]) else { return nil }
        var reading = Reading(bytes: bytes, header: header)
        for box in boxes where box.type == "moof" {
            for track in box.children() ?? [] where track.type == "traf" {
                guard reading.take(track, in: box) else { return nil }
            }
        }
        return reading.frames
    }

    private static func decodeTime(_ box: MediaBox) -> Int64? {
        var reader = MediaBytes(box.contents)
        guard let version = reader.number(1), reader.take(3) != nil, let time = reader.number(version == 1 ? 8 : 4),
            time <= decodeTimeMax
        else { return nil }
        return Int64(exactly: time)
    }

    /// What has been read of some fragments.
    private struct Reading {
        let bytes: [UInt8]
        let header: MovieHeader
        var frames: [Frame] = []
        /// How many bytes the frames may still have: all of them together are no more than what was sent, however often a fragment
        /// names the same.
        private var left: Int
        /// Where the next frame lies in the bytes, and when it is decoded.
        private var (place, now) = (0, Int64(0))

        init(bytes: [UInt8], header: MovieHeader) { (self.bytes, self.header, left) = (bytes, header, bytes.count) }

        /// Takes a track of a fragment; false where it is damaged.
        mutating func take(_ track: MediaBox, in fragment: MediaBox) -> Bool {
            guard let boxes = track.children(), let head = boxes.first(where: { $0.type == "tfhd" }),
                let time = boxes.first(where: { $0.type == "tfdt" }).flatMap(decodeTime)
            else { return false }
            var reader = MediaBytes(head.contents)
            guard let flags = reader.number(4), let id = reader.number(4) else { return false }
            guard id == UInt64(header.trackID) else { return true }
            // A place in a file that is not here says nothing; everything is counted from the fragment's begin.
            guard flags & 0x01 == 0, flags & 0x02 == 0 || reader.take(4) != nil else { return false }
            var values = header.defaults
            guard values.read(&reader, flags, duration: 0x08, size: 0x10, flags: 0x20) else { return false }
            (place, now) = (fragment.start, time)
            return boxes.allSatisfy { $0.type != "trun" || take($0, values, from: fragment.start) }
        }

        /// Takes a run of frames; false where it is damaged.
        private mutating func take(_ run: MediaBox, _ defaults: MovieHeader.Defaults, from base: Int) -> Bool {
            var reader = MediaBytes(run.contents)
            guard let flags = reader.number(4), let count = reader.number(4),
                count <= UInt64(framesMax - frames.count)
            else { return false }
            if flags & 0x01 != 0 {
                guard let offset = reader.number(4) else { return false }
                place = base + Int(Int32(truncatingIfNeeded: offset))
            }
            var first: UInt32?
            if flags & 0x04 != 0 {
                guard let value = reader.number(4) else { return false }
                first = UInt32(truncatingIfNeeded: value)
            }
            for number in 0..<count {
                var values = defaults
                if number == 0, let first { values.flags = first }
                guard values.read(&reader, flags, duration: 0x100, size: 0x200, flags: 0x400) else { return false }
                var shift: Int64 = 0
                if flags & 0x800 != 0 {
                    guard let value = reader.number(4) else { return false }
                    shift = Int64(Int32(truncatingIfNeeded: value))
                }
                guard append(values, shift) else { return false }
            }
            return true
        }

        private mutating func append(_ values: MovieHeader.Defaults, _ shift: Int64) -> Bool {
            let size = Int(values.size)
            guard place >= 0, size <= left, place <= bytes.count - size else { return false }
            frames.append(
                Frame(
                    format: header.format, data: Array(bytes[place..<place + size]), decodeTime: now,
                    presentationTime: now + shift, duration: Int64(values.duration),
                    isSync: values.flags & 0x1_0000 == 0, isDamaged: values.flags & 0xffff != 0,
                    isDiscontinuous: false, time: WallTime(ms: 0)))
            left -= size
            place += size
            // Below a quarter of what fits, and 65 536 times at most 2³² more.
            now += Int64(values.duration)
            return true
        }
    }
}

extension MovieHeader.Defaults {
    /// Reads the fields of which `present` has the bit that is named for them; false where the bytes end.
    fileprivate mutating func read(
        _ reader: inout MediaBytes, _ present: UInt64, duration: UInt64, size: UInt64, flags: UInt64
    ) -> Bool {
        for (bit, field) in [(duration, \Self.duration), (size, \.size), (flags, \.flags)] where present & bit != 0 {
            guard let value = reader.number(4) else { return false }
            self[keyPath: field] = UInt32(truncatingIfNeeded: value)
        }
        return true
    }
}
