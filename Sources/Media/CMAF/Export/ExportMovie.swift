import Machines

/// The boxes of an exported movie, made from a plan: `ftyp`, `moov` in front, and the order in which the chunks of both tracks
/// follow in `mdat`.
struct ExportMovie {
    /// A chunk in the order of the file.
    struct Piece {
        let source: Int
        let offset: UInt64
        let bytes: UInt64
        /// Where it begins in the payload of `mdat`.
        let place: UInt64
    }

    let plan: ExportPlan
    let tracks: [ExportTrack]
    /// What `mdat` consists of.
    let pieces: [Piece]
    /// For each track, where its chunks begin inside the payload of `mdat`.
    private let places: [[UInt64]]
    let mediaBytes: UInt64

    init(plan: ExportPlan) {
        self.plan = plan
        let tracks = [plan.video, plan.audio].compactMap { $0 }.filter { !$0.sizes.isEmpty }.map { track in
            var track = track
            track.finish()
            return track
        }
        self.tracks = tracks
        var pieces: [Piece] = []
        var places: [[UInt64]] = Array(repeating: [], count: tracks.count)
        var next = Array(repeating: 0, count: tracks.count)
        var position: UInt64 = 0
        // Chunks follow in the order of their time, so that a player reads the file forward.
        while let track = tracks.indices.filter({ next[$0] < tracks[$0].chunks.count }).min(by: { one, other in
            Self.time(tracks[one], next[one]) < Self.time(tracks[other], next[other])
        }) {
            let chunk = tracks[track].chunks[next[track]]
            pieces.append(
                Piece(source: chunk.source, offset: chunk.offset, bytes: chunk.bytes, place: position))
            places[track].append(position)
            position += chunk.bytes
            next[track] += 1
        }
        self.pieces = pieces
        self.places = places
        mediaBytes = position
    }

    /// Everything before the media. Offsets have 64 bits when `wide` or when the file needs it.
    func header(wide: Bool = false) -> [UInt8] {
        // Its length does not depend on where the media begins.
        let count = UInt64(encoded(mediaStart: 0, wide: wide).count)
        if !wide, count + mediaBytes > UInt64(UInt32.max) { return header(wide: true) }
        return encoded(mediaStart: count, wide: wide)
    }

    /// Playing time in ticks of the movie.
    var duration: UInt64 { UInt64(clamping: plan.end - plan.start) }

    private static func time(_ track: ExportTrack, _ chunk: Int) -> Double {
        Double(track.chunks[chunk].time) / Double(track.timescale)
    }

    private func encoded(mediaStart: UInt64, wide: Bool) -> [UInt8] {
        var writer = BoxWriter()
        writer.box("ftyp") { writer in
            writer.text("isom")
            writer.u32(0x200)
            writer.text("isomiso2mp41")
        }
        writer.box("moov") { writer in
            MovieBoxes.movieHeader(
                &writer, timescale: plan.timescale, duration: duration, nextTrack: UInt32(clamping: tracks.count) + 1)
            for (index, track) in tracks.enumerated() {
                writer.box("trak") { encode(track, number: index, mediaStart: mediaStart, wide: wide, &$0) }
            }
        }
        if wide {
            writer.u32(1)
            writer.text("mdat")
            writer.u64(mediaBytes + 16)
        } else {
            writer.u32(UInt32(truncatingIfNeeded: mediaBytes + 8))
            writer.text("mdat")
        }
        return writer.bytes
    }

    private func encode(
        _ track: ExportTrack, number: Int, mediaStart: UInt64, wide: Bool, _ writer: inout BoxWriter
    ) {
        guard let configuration = track.configurations.first else { return }
        let edits = edits(of: track)
        let shown = edits.reduce(0) { $0 + $1.duration }
        MovieBoxes.trackHeader(
            &writer, id: UInt32(clamping: number) + 1, duration: shown, configuration: configuration,
            rotation: track.rotation)
        writer.box("edts") { MovieBoxes.editList(&$0, edits) }
        writer.box("mdia") { writer in
            MovieBoxes.mediaHeader(&writer, timescale: track.timescale, duration: track.duration)
            MovieBoxes.handler(&writer, track.kind)
            writer.box("minf") { writer in
                MovieBoxes.mediaInformation(&writer, track.kind)
                writer.box("stbl") { writer in
                    sampleTables(track, &writer)
                    chunkTables(track, places[number].map { $0 + mediaStart }, wide: wide, &writer)
                }
            }
        }
    }

    /// Playing begins at the plan's start exactly: an edit skips what is before it, or an empty one waits for a track that
    /// begins later; it ends with the plan or with the track.
    private func edits(of track: ExportTrack) -> [MovieBoxes.Edit] {
        let own = { (ticks: Int64) in Ticks.rescale(ticks, from: plan.timescale, to: track.timescale) }
        let movie = { (ticks: Int64) in Ticks.rescale(ticks, from: track.timescale, to: plan.timescale) }
        let firstTime = track.firstTime ?? 0
        let media = own(plan.start) - firstTime
        let end = min(plan.end, max(plan.start, movie(track.endTime)))
        let wait = media < 0 ? min(movie(-media), end - plan.start) : 0
        var edits: [MovieBoxes.Edit] = []
        if wait > 0 { edits.append(MovieBoxes.Edit(duration: UInt64(clamping: wait), mediaTime: -1)) }
        let rest = UInt64(clamping: end - plan.start - wait)
        edits.append(MovieBoxes.Edit(duration: rest, mediaTime: max(0, media) + track.offsetShift))
        return edits
    }

    private func sampleTables(_ track: ExportTrack, _ writer: inout BoxWriter) {
        writer.fullBox("stsd") { writer in
            writer.u32(UInt32(clamping: track.configurations.count))
            for configuration in track.configurations { writer.raw(configuration.sampleEntry()) }
        }
        writer.fullBox("stts") { writer in
            writer.u32(UInt32(truncatingIfNeeded: track.durations.count))
            for run in track.durations {
                writer.u32(run.count)
                writer.u32(run.value)
            }
        }
        if track.offsets.contains(where: { $0.value != 0 }) {
            let shift = track.offsetShift
            writer.fullBox("ctts") { writer in
                writer.u32(UInt32(truncatingIfNeeded: track.offsets.count))
                for run in track.offsets {
                    writer.u32(run.count)
                    writer.u32(UInt32(clamping: Int64(run.value) + shift))
                }
            }
        }
        if track.syncs.count < track.sizes.count {
            writer.fullBox("stss") { writer in
                writer.u32(UInt32(truncatingIfNeeded: track.syncs.count))
                for number in track.syncs { writer.u32(number) }
            }
        }
        writer.fullBox("stsz") { writer in
            writer.u32(0)
            writer.u32(UInt32(truncatingIfNeeded: track.sizes.count))
            for size in track.sizes { writer.u32(size) }
        }
    }

    private func chunkTables(_ track: ExportTrack, _ places: [UInt64], wide: Bool, _ writer: inout BoxWriter) {
        var groups: [(first: Int, samples: UInt32, entry: Int)] = []
        for (index, chunk) in track.chunks.enumerated()
        where groups.last?.samples != chunk.samples || groups.last?.entry != chunk.entry + 1 {
            groups.append((index + 1, chunk.samples, chunk.entry + 1))
        }
        writer.fullBox("stsc") { writer in
            writer.u32(UInt32(truncatingIfNeeded: groups.count))
            for group in groups {
                writer.u32(UInt32(truncatingIfNeeded: group.first))
                writer.u32(group.samples)
                writer.u32(UInt32(truncatingIfNeeded: group.entry))
            }
        }
        writer.fullBox(wide ? "co64" : "stco") { writer in
            writer.u32(UInt32(truncatingIfNeeded: places.count))
            for place in places {
                if wide { writer.u64(place) } else { writer.u32(UInt32(truncatingIfNeeded: place)) }
            }
        }
    }
}
