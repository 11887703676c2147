internal import Wire

/// A fragmented MP4 of several tracks that grows, read from foreign bytes as they come: what is live. It holds one box at a time,
/// which is bounded.
struct GrowingMovie {
    /// The largest samples of a fragment.
    static let samplesBytesMax = 64 << 20
    /// The largest box of any other kind.
    static let boxBytesMax = 1 << 20

    /// What has come of the box under way, and what lies behind it.
    private var bytes: [UInt8] = []
    private var tracks: [MovieHeader] = []
    /// The head of the fragment whose samples come next.
    private var fragment: [UInt8]?
    /// The number of the last fragment.
    private var sequence: UInt64?
    /// When the first frame of the next fragment came: its track, and milliseconds since 1970.
    private var arrival: (track: UInt64, time: WallTime)?
    /// Tracks by which nothing was decoded yet, or not since something was left out.
    private var broken: Set<UInt32> = []
    private var anchor: WallAnchor?

    /// Takes bytes; gives the frames that are whole by them, in the order in which they came, with the wall times of their
    /// arrival. Nil where they are no such movie, or a box of it is larger than it may be.
    mutating func take(_ more: [UInt8]) -> [Frame]? {
        bytes += more
        var (place, frames) = (0, [Frame]())
        while bytes.count - place >= 8 {
            var reader = MediaBytes(bytes[place..<place + 8])
            guard let size = reader.number(4), let type = reader.take(4).map({ String(decoding: $0, as: UTF8.self) }),
                size >= 8, size <= UInt64(type == "mdat" ? Self.samplesBytesMax : Self.boxBytesMax)
            else { return nil }
            // At most what the guard lets pass.
            let end = place + Int(size)
            guard end <= bytes.count else { break }
            guard let read = take(type, Array(bytes[place..<end])) else { return nil }
            frames += read
            place = end
        }
        bytes.removeFirst(place)
        return frames
    }

    /// Takes a whole box; gives the frames that it completes.
    private mutating func take(_ type: String, _ box: [UInt8]) -> [Frame]? {
        switch type {
        case "moov":
            guard tracks.isEmpty, let read = MovieHeader.tracks(of: box) else { return nil }
            tracks = read
            broken = Set(read.map(\.trackID))
        case "prft": takeArrival(box)
        case "moof":
            guard !tracks.isEmpty, fragment == nil else { return nil }
            takeNumber(box)
            fragment = box
        case "mdat":
            guard let head = fragment else { return nil }
            fragment = nil
            return frames(head + box)
        default: break
        }
        return []
    }

    /// The wall time of the next fragment (`prft`, flags 1: when its first frame came).
    private mutating func takeArrival(_ box: [UInt8]) {
        var reader = MediaBytes(box[...].dropFirst(8))
        guard reader.number(1) == 1, reader.number(3) == 1, let track = reader.number(4),
            let seconds = reader.number(4), let fraction = reader.number(4)
        else { return }
        // Seconds since 1900 in 32 bits, which begin anew in 2036.
        let unix = Int64(clamping: seconds) + (seconds >> 31 == 0 ? 1 << 32 : 0) - 2_208_988_800
        arrival = (track, WallTime(ms: unix * 1_000 + Int64(clamping: (fraction * 1_000 + 1 << 31) >> 32)))
    }

    /// A number that is left out says that frames were.
    private mutating func takeNumber(_ box: [UInt8]) {
        let head = MediaBox.list(box[...])?.first?.children()?.first { $0.type == "mfhd" }
        var reader = MediaBytes((head?.contents ?? []).dropFirst(4))
        guard let number = reader.number(4) else { return }
        if let sequence, number != (sequence + 1) & 0xffff_ffff { broken = Set(tracks.map(\.trackID)) }
        sequence = number
    }

    /// The frames of a fragment, from the first one on that can be decoded; nil where they are damaged.
    private mutating func frames(_ piece: [UInt8]) -> [Frame]? {
        defer { arrival = nil }
        var frames: [Frame] = []
        let leading = tracks.first { $0.format.codec.isVideo } ?? tracks.first
        for track in tracks {
            guard let read = MovieFragment.frames(piece, of: track) else { return nil }
            guard let first = read.first else { continue }
            if let arrival, arrival.track == UInt64(track.trackID), track.trackID == leading?.trackID, first.isSync {
                anchor = WallAnchor(first, at: arrival.time)
            }
            for frame in read { place(frame, of: track.trackID).map { frames.append($0) } }
        }
        return frames
    }

    /// A frame with its wall time; nil where it cannot be decoded, or its time is not known yet.
    private mutating func place(_ frame: Frame, of track: UInt32) -> Frame? {
        guard let anchor else { return nil }
        var frame = frame
        if broken.contains(track) {
            guard frame.isSync else { return nil }
            broken.remove(track)
            frame.isDiscontinuous = true
        }
        frame.time = anchor.time(of: frame)
        return frame
    }
}
