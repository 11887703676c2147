/// The boxes of one pushed body, found while it arrives. Holds the box under way at most, and none that is not needed.
struct PushedBody: Sendable {
    /// What is found.
    enum Piece: Sendable {
        /// The header of one or more tracks.
        case header(fileType: [UInt8], movie: [UInt8])
        /// A chunk: samples with what describes them.
        case chunk(Chunk)
    }

    /// A `moof` and its `mdat`.
    struct Chunk: Sendable {
        /// The contents of `moof`.
        let header: [UInt8]
        /// The contents of `mdat`.
        let data: [UInt8]
        /// Where `data` begins, in bytes from the begin of `moof`.
        let dataOffset: Int
        /// When the first sample was taken, and of which track, as `prft` says.
        let clocks: [UInt32: WallClock]
        /// Whether nothing follows in its track (`lmsg`).
        let isLast: Bool
    }

    private enum State {
        /// The head of a box: 8 bytes, or 16.
        case head
        /// Contents that are kept: of how many bytes.
        case kept(FourCC, size: Int)
        /// Contents that are passed over: so many are left.
        case skipped(Int)
    }

    private static let firstTypes: Set<FourCC> = [
        "ftyp", "styp", "moof", "prft", "sidx", "emsg", "free", "skip", "uuid", "mfra",
    ]

    private var state = State.head
    private var bytes: [UInt8] = []
    private var isFirst = true
    private var headBytes = 8
    private var fileType: [UInt8]?
    private var fragment: (header: [UInt8], bytes: Int)?
    private var clocks: [UInt32: WallClock] = [:]
    private var isLast = false

    /// Whether all that came was whole.
    var isWhole: Bool {
        if case .head = state, bytes.isEmpty, fragment == nil { true } else { false }
    }

    /// How many bytes are held.
    var heldBytes: Int { bytes.count + (fragment?.header.count ?? 0) }

    /// Takes of `more` up to the end of the next piece; nil when all is taken and none is whole yet.
    mutating func next(_ more: inout ArraySlice<UInt8>) throws(PushRefusal) -> Piece? {
        while true {
            switch state {
            case .head:
                guard fill(to: 8, &more) else { return nil }
                var reader = ByteReader(bytes[...])
                guard let small = reader.u32(), let code = reader.u32() else { return nil }
                if small == 1 { guard fill(to: 16, &more) else { return nil } }
                let size = try contentBytes(small: small)
                try begin(FourCC(code), size)
            case .kept(let type, let size):
                guard fill(to: size, &more) else { return nil }
                let contents = bytes
                bytes = []
                state = .head
                if let piece = try end(type, contents) { return piece }
            case .skipped(let left):
                let taken = min(left, more.count)
                more = more.dropFirst(taken)
                guard taken == left else {
                    state = .skipped(left - taken)
                    return nil
                }
                state = .head
            }
        }
    }

    /// The body has ended.
    func end() throws(PushRefusal) {
        guard isWhole else { throw .broken("the body ends amid a box, or a moof without its mdat") }
    }

    private mutating func fill(to count: Int, _ more: inout ArraySlice<UInt8>) -> Bool {
        let taken = min(max(0, count - bytes.count), more.count)
        bytes.append(contentsOf: more.prefix(taken))
        more = more.dropFirst(taken)
        return bytes.count >= count
    }

    /// How many bytes of contents the head says.
    private func contentBytes(small: UInt32) throws(PushRefusal) -> Int {
        var size = UInt64(small)
        if small == 1 {
            var reader = ByteReader(bytes.dropFirst(8))
            size = reader.u64() ?? 0
        }
        guard size >= UInt64(bytes.count) else { throw .broken("a box has a size of \(size) bytes") }
        return Int(clamping: size - UInt64(bytes.count))
    }

    private mutating func begin(_ type: FourCC, _ size: Int) throws(PushRefusal) {
        if isFirst, !Self.firstTypes.contains(type) {
            throw .broken("the body begins with \(type), which begins no CMAF header or fragment")
        }
        isFirst = false
        headBytes = bytes.count
        bytes = []
        if fragment != nil, type != "mdat" { throw .broken("a moof is followed by \(type)") }
        switch type {
        case "ftyp", "moov", "styp": try keep(type, size, most: PushLimits.headerBytesMax)
        case "prft": try keep(type, size, most: 64)
        case "moof": try keep(type, size, most: PushLimits.fragmentHeaderBytesMax)
        case "mdat":
            guard fragment != nil else { throw .broken("an mdat has no moof before it") }
            try keep(type, size, most: PushLimits.fragmentBytesMax)
        default:
            guard size <= PushLimits.skippedBytesMax else {
                throw .large("a box \(type)", most: PushLimits.skippedBytesMax)
            }
            state = .skipped(size)
        }
    }

    private mutating func keep(_ type: FourCC, _ size: Int, most: Int) throws(PushRefusal) {
        guard size <= most else { throw .large("a box \(type)", most: most) }
        state = .kept(type, size: size)
    }

    private mutating func end(_ type: FourCC, _ contents: [UInt8]) throws(PushRefusal) -> Piece? {
        switch type {
        case "ftyp": fileType = contents
        case "styp": isLast = isLast || Self.brands(contents).contains("lmsg")
        case "prft": noteClock(contents)
        case "moof": fragment = (contents, headBytes + contents.count)
        case "moov":
            guard let fileType else { throw .broken("a moov has no ftyp before it") }
            return .header(fileType: fileType, movie: contents)
        default:
            guard let (header, size) = fragment else { return nil }
            defer { (fragment, clocks, isLast) = (nil, [:], false) }
            return .chunk(
                Chunk(
                    header: header, data: contents, dataOffset: size + headBytes, clocks: clocks, isLast: isLast))
        }
        return nil
    }

    private static func brands(_ contents: [UInt8]) -> [FourCC] {
        var reader = ByteReader(contents[...])
        var brands: [FourCC] = []
        while let brand = reader.u32() { brands.append(FourCC(brand)) }
        return brands
    }

    private mutating func noteClock(_ contents: [UInt8]) {
        var reader = ByteReader(contents[...])
        guard reader.skip(4), let track = reader.u32(), let ntp = reader.u64(), ntp != 0,
            clocks.count < PushLimits.tracksMax
        else { return }
        clocks[track] = WallClock(ntp: ntp)
    }
}
