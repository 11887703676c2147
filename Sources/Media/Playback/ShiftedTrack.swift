/// A track file whose times are later by a number of ticks, as it is read: so that clips which each count from their own zero
/// follow each other on one time line, which players need that know no other. Only the eight bytes of each fragment's `tfdt`
/// differ, so every other byte, and every place, is that of the file. Blocking, and used from one thread at a time.
public final class ShiftedTrack {
    /// The most ticks: far beyond any time of a track, and far from where a sum would not fit.
    static let ticksMax: UInt64 = 1 << 60
    /// As much of a fragment as is looked at for its time, in bytes.
    private static let headBytes: UInt64 = 512

    private let reader: TrackReader
    private let ticks: UInt64
    /// The fragment whose time was found last, and where that lies.
    private var known: (fragment: Int, place: UInt64)?

    /// A track whose times are later by `ticks`, at most `ticksMax`.
    public init(_ reader: TrackReader, ticks: UInt64) {
        self.reader = reader
        self.ticks = min(ticks, Self.ticksMax)
    }

    /// Fills all of `buffer` with the bytes from `offset` on.
    ///
    /// - Throws: as `TrackReader.fill`; `malformed` where the time of a fragment does not lie where it is written.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TrackFileError) {
        try reader.fill(buffer, at: offset)
        guard ticks > 0 else { return }
        let end = offset + UInt64(buffer.count)
        var fragment = reader.index.fragment(at: offset)
        while fragment < reader.fragments, reader.index.entries[fragment].offset < end {
            let entry = reader.index.entries[fragment]
            if entry.offset + Self.headBytes > offset {
                let place = try place(of: fragment, entry)
                let time = entry.decodeTime &+ ticks
                for byte in 0..<UInt64(8) where (offset..<end).contains(place + byte) {
                    buffer[Int(place + byte - offset)] = UInt8(truncatingIfNeeded: time >> (56 - 8 * byte))
                }
            }
            fragment += 1
        }
    }

    /// Where the time of a fragment lies in the file.
    private func place(of fragment: Int, _ entry: FragmentIndex.Entry) throws(TrackFileError) -> UInt64 {
        if let known, known.fragment == fragment { return known.place }
        let head = try reader.read(entry.offset..<entry.offset + min(Self.headBytes, entry.size))
        guard let found = Self.time(in: head), found.time == entry.decodeTime else {
            throw TrackFileError(
                .read, reader.track.path, .malformed("the time of fragment \(fragment) is not where it is written"))
        }
        known = (fragment, entry.offset + UInt64(found.place))
        return entry.offset + UInt64(found.place)
    }

    /// The place of the eight bytes of `tfdt` in the begin of a fragment, and what they say; nil where there are none.
    static func time(in head: [UInt8]) -> (place: Int, time: UInt64)? {
        var place = 0
        func number(_ count: Int, at place: Int) -> UInt64? {
            guard place >= 0, place + count <= head.count else { return nil }
            return head[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
        }
        // What holds what is looked for is entered, everything else passed over.
        while let size = number(4, at: place), let type = number(4, at: place + 4) {
            switch type {
            case 0x6D6F_6F66, 0x7472_6166: place += 8  // moof, traf
            case 0x7466_6474:  // tfdt
                guard number(1, at: place + 8) == 1, let time = number(8, at: place + 12) else { return nil }
                return (place + 12, time)
            default:
                guard size >= 8, size <= head.count else { return nil }
                place += Int(size)
            }
        }
        return nil
    }
}

extension FragmentIndex {
    /// The fragment that holds a byte of the file, or the first one behind it.
    func fragment(at offset: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].endOffset <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
