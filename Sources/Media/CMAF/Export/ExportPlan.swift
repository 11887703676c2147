import Machines

/// What an export will contain: decided from the headers, indexes and `moof` boxes of the clips alone. Clips are added in the
/// order of their starts; blocking, since their `moof`s are read.
///
/// All clips are laid end to end on the movie's time line, which counts in ticks of the first video track (of the first audio
/// track where there is no video). Inside a clip, audio keeps its place beside the video.
///
///     clip 1             hole    clip 2                  movie
///     |──K────from────|          |──────to──|     ──►    |K──from────|──────to|
///        └ decoded, not shown                             └edit list └ plays
public struct ExportPlan {
    /// The most memory that the tables of a plan may take, in bytes. A sample takes 4 to 24: with 25 pictures and 47 frames of
    /// sound a second this is three days, or one where the camera's durations all differ.
    static let tableBytesMax = 64 << 20

    private(set) var video: ExportTrack?
    private(set) var audio: ExportTrack?
    /// Where the media is copied from.
    private(set) var files: [(place: any TrackPlace, path: String)] = []
    /// How many clips take part.
    public private(set) var clips = 0
    /// Ticks per second of the movie's time line.
    private(set) var timescale: UInt32 = 0
    /// Where playing begins on the movie's time line.
    private(set) var start: Int64 = 0
    /// Where playing ends.
    private(set) var end: Int64 = 0
    /// Where the next clip goes.
    private var cursor: Int64 = 0

    private let fromMs: Int64
    private let toMs: Int64

    /// The tracks of one clip that take part, and how its time line lies on the movie's.
    private struct Placement {
        let startMs: Int64
        /// The end of what is taken of it.
        let toMs: Int64
        let place: any TrackPlace
        let video: ExportSource?
        let audio: ExportSource?
        /// Movie time of the clip's own zero.
        var zero: Int64 = 0

        var master: ExportSource? { video ?? audio }
    }

    /// A plan for the time from `fromMs` to `toMs` on the time line of the clips' starts.
    public init(fromMs: Int64, toMs: Int64) {
        self.fromMs = fromMs
        self.toMs = toMs
    }

    /// Adds what a clip holds of the range. The clip's own zero lies at `startMs`, not before that of the clip added before.
    /// `endMs`: when it ended, on the same line; nil while it grows. A range that holds this moment holds the clip's last sample: where
    /// the first pictures came late, the media is longer than the time in which it came.
    ///
    /// - Throws: `TrackFileError` when a file cannot be read, is damaged, or the plan becomes larger than `tableBytesMax`
    ///   (`tooLong`). The plan is then as it was before, so that the other clips can be exported without this one.
    public mutating func add(_ files: ClipFiles, startMs: Int64, endMs: Int64? = nil) throws(TrackFileError) {
        guard startMs < toMs else { return }
        let before = Mark(
            video: video?.mark, audio: audio?.mark, files: self.files.count, clips: clips, timescale: timescale,
            start: start, end: end, cursor: cursor)
        do throws(TrackFileError) {
            let reader = try ClipReader(files)
            try add(
                Placement(
                    startMs: startMs, toMs: endMs.map { $0 <= toMs } == true ? .max : toMs, place: files.place,
                    video: try reader.video.map(ExportSource.init), audio: try reader.audio.map(ExportSource.init)))
        } catch {
            restore(before)
            throw error
        }
    }

    /// What the plan was before a clip was added.
    private struct Mark {
        let video: ExportTrack.Mark?
        let audio: ExportTrack.Mark?
        let files: Int
        let clips: Int
        let timescale: UInt32
        let start: Int64
        let end: Int64
        let cursor: Int64
    }

    private mutating func restore(_ mark: Mark) {
        if let video = mark.video { self.video?.restore(video) } else { video = nil }
        if let audio = mark.audio { self.audio?.restore(audio) } else { audio = nil }
        files.removeLast(files.count - mark.files)
        (clips, timescale, start, end, cursor) = (mark.clips, mark.timescale, mark.start, mark.end, mark.cursor)
    }

    private func clipMs(_ ms: Int64, _ placement: Placement) -> Int64 {
        let (difference, overflow) = ms.subtractingReportingOverflow(placement.startMs)
        let bound = Int64(FragmentIndex.maxSeconds) * 1000
        return overflow ? (ms < 0 ? -bound : bound) : min(max(difference, -bound), bound)
    }

    private mutating func add(_ clip: Placement) throws(TrackFileError) {
        guard let master = clip.master else { return }
        let from = master.ticks(clipMs(fromMs, clip))
        let to = master.ticks(clipMs(clip.toMs, clip))
        guard master.start < to, clips > 0 || from < master.end, fromMs < toMs else { return }
        if let video, let source = clip.video, source.rotation != video.rotation {
            throw TrackFileError(.read, source.path, .turned)
        }
        if clips == 0 { timescale = master.timescale }
        var clip = clip
        let first = clips == 0 ? firstFragment(of: master, at: from) : 0
        let firstTime = master.time(of: first)
        let origin = origin(of: clip, firstTime: firstTime)
        clip.zero = cursor - origin
        if clips == 0 {
            start = clip.zero + scaled(max(from, master.start), master.timescale)
        }
        clips += 1
        var clipEnd = cursor
        if clip.video != nil {
            clipEnd = max(clipEnd, try addVideo(clip, from: first, to: to))
        }
        if clip.audio != nil {
            let keyTime = clip.video == nil ? from : firstTime
            let audioEnd = try addAudio(clip, from: clips == 1 ? scaled(keyTime, master.timescale) : nil)
            // Less than a frame of audio over the end of the video is no reason to hold the picture.
            if clip.video == nil || audioEnd.end - audioEnd.frame > clipEnd { clipEnd = max(clipEnd, audioEnd.end) }
        }
        guard clipEnd < 1 << 60 else {
            throw TrackFileError(.read, master.path, .tooLong)
        }
        end = min(clipEnd, clip.zero + scaled(to, master.timescale))
        cursor = clipEnd
    }

    /// Which fragment of the first clip decoding begins with.
    private func firstFragment(of master: ExportSource, at from: Int64) -> Int {
        master.reader.keyFragment(atOrBefore: from) ?? 0
    }

    /// The clip time that goes to the cursor, in movie ticks: where the video begins, or the audio if it begins more than
    /// 200 ms (the longest audio frame, and some) earlier.
    private func origin(of clip: Placement, firstTime: Int64) -> Int64 {
        guard let video = clip.video else { return scaled(firstTime, clip.master?.timescale ?? 1) }
        let videoStart = scaled(firstTime, video.timescale)
        guard clips > 0, let audio = clip.audio else { return videoStart }
        let audioStart = scaled(audio.start, audio.timescale)
        return audioStart < videoStart - Int64(timescale) / 5 ? audioStart : videoStart
    }

    private func scaled(_ ticks: Int64, _ from: UInt32) -> Int64 { Ticks.rescale(ticks, from: from, to: timescale) }

    /// Adds the video samples from fragment `first` to the last that is shown before `to`; returns where the video ends.
    private mutating func addVideo(_ clip: Placement, from first: Int, to: Int64) throws(TrackFileError) -> Int64 {
        guard let source = clip.video else { return cursor }
        // Taken out of the plan meanwhile, so that its tables are not copied with each clip.
        var track = video.take() ?? ExportTrack(kind: .video, timescale: source.timescale, rotation: source.rotation)
        defer { video = track }
        let entry = track.entry(for: source.configuration)
        let number = add(source, at: clip.place)
        let zero = Ticks.rescale(clip.zero, from: timescale, to: track.timescale)
        let out = track.timescale
        let scale = { (ticks: Int64) in Ticks.rescale(ticks, from: source.timescale, to: out) }
        try source.walk(from: first) { samples throws(TrackFileError) in
            let shown = (samples.lastIndex { $0.presentationTicks < to } ?? -1) + 1
            for sample in samples[..<shown] {
                track.add(
                    sample, time: zero + scale(sample.decodeTicks),
                    duration: scale(Int64(sample.metadata.durationTicks)),
                    offset: scale(Int64(sample.metadata.compositionOffsetTicks)), source: number, entry: entry)
            }
            try Self.check([track, audio], source)
            return shown == samples.count
        }
        return Ticks.rescale(track.endTime, from: track.timescale, to: timescale)
    }

    /// Adds the audio samples of the range that are heard after `from` (clip time in movie ticks; nil: all) and before the
    /// end; returns where the audio ends and how long its last sample is.
    private mutating func addAudio(
        _ clip: Placement, from: Int64?
    ) throws(TrackFileError) -> (end: Int64, frame: Int64) {
        guard let source = clip.audio else { return (cursor, 0) }
        var track = audio.take() ?? ExportTrack(kind: .audio, timescale: source.timescale)
        defer { audio = track.sizes.isEmpty ? nil : track }
        let entry = track.entry(for: source.configuration)
        let number = add(source, at: clip.place)
        let out = track.timescale
        let zero = Ticks.rescale(clip.zero, from: timescale, to: out)
        let to = source.ticks(clipMs(clip.toMs, clip))
        let from = from.map { Ticks.rescale($0, from: timescale, to: source.timescale) }
        let first = from.flatMap { source.reader.keyFragment(atOrBefore: $0) } ?? 0
        let scale = { (ticks: Int64) in Ticks.rescale(ticks, from: source.timescale, to: out) }
        var frame: Int64 = 0
        // The frame before the first is taken too, because decoding needs it; it may lie in the fragment before.
        try source.walk(from: max(0, first - 1)) { samples throws(TrackFileError) in
            for sample in samples {
                let (time, duration) = (sample.decodeTicks, Int64(sample.metadata.durationTicks))
                if time >= to { return false }
                if let from, time + duration * 2 <= from { continue }
                frame = scale(duration)
                track.add(
                    sample, time: zero + scale(time), duration: frame, offset: 0, source: number, entry: entry)
            }
            try Self.check([track, video], source)
            return true
        }
        guard !track.sizes.isEmpty else { return (cursor, 0) }
        let end = Ticks.rescale(track.endTime, from: out, to: timescale)
        return (end, Ticks.rescale(frame, from: out, to: timescale))
    }

    private mutating func add(_ source: ExportSource, at place: any TrackPlace) -> Int {
        files.append((place, source.reader.track.path))
        return files.count - 1
    }

    private static func check(_ tracks: [ExportTrack?], _ source: ExportSource) throws(TrackFileError) {
        guard tracks.reduce(0, { $0 + ($1?.tableBytes ?? 0) }) <= tableBytesMax else {
            throw TrackFileError(.read, source.path, .tooLong)
        }
    }
}
