import Machines

/// What an export will contain: decided from the headers and `moof` boxes of the clips alone.
///
/// All clips are laid end to end on the movie's time line, which counts in ticks of the first video track (of the first audio
/// track where there is no video). Inside a clip, audio keeps its place beside the video.
///
///     clip 1             hole    clip 2                  movie
///     |──K────from────|          |──────to──|     ──►    |K──from────|──────to|
///        └ decoded, not shown                             └edit list └ plays
struct ExportPlan {
    private(set) var video: ExportTrack?
    private(set) var audio: ExportTrack?
    private(set) var paths: [String] = []
    private(set) var clips = 0
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
        let video: ExportSource?
        let audio: ExportSource?
        /// Movie time of the clip's own zero.
        var zero: Int64 = 0

        var master: ExportSource? { video ?? audio }
    }

    init(clips: [ExportClip], fromMs: Int64, toMs: Int64) throws(TrackFileError) {
        self.fromMs = fromMs
        self.toMs = toMs
        for clip in clips.sorted(by: { $0.startMs < $1.startMs }) where clip.startMs < toMs {
            var sources: [ExportSource] = []
            for path in clip.tracks {
                let source = try ExportSource(path: path)
                if source.scanned.fragments > 0 { sources.append(source) }
            }
            let placement = Placement(
                startMs: clip.startMs, video: sources.first { $0.scanned.kind == .video },
                audio: sources.first { $0.scanned.kind == .audio })
            try add(placement)
        }
        video?.finish()
        audio?.finish()
    }

    private func clipMs(_ ms: Int64, _ placement: Placement) -> Int64 {
        let (difference, overflow) = ms.subtractingReportingOverflow(placement.startMs)
        let bound = ExportSource.maxSeconds * 1000
        return overflow ? (ms < 0 ? -bound : bound) : min(max(difference, -bound), bound)
    }

    private mutating func add(_ clip: Placement) throws(TrackFileError) {
        guard let master = clip.master else { return }
        let from = master.ticks(clipMs(fromMs, clip))
        let to = master.ticks(clipMs(toMs, clip))
        guard master.start < to, clips > 0 || from < master.end, fromMs < toMs else { return }
        if clips == 0 { timescale = master.timescale }
        var clip = clip
        let first = clips == 0 ? firstFragment(of: master, at: from) : 0
        let firstTime = Int64(clamping: master.scanned.index.entries[first].decodeTime) - master.priming
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
            throw TrackFileError(.read, master.path, .malformed("the clips together are longer than can be counted"))
        }
        end = min(clipEnd, clip.zero + scaled(to, master.timescale))
        cursor = clipEnd
    }

    /// Which fragment of the first clip decoding begins with.
    private func firstFragment(of master: ExportSource, at from: Int64) -> Int {
        let ticks = UInt64(clamping: from + master.priming)
        return master.scanned.index.keyEntry(atOrBefore: ticks) ?? 0
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
        var track = video ?? ExportTrack(kind: .video, timescale: source.timescale)
        let entry = track.entry(for: source.configuration)
        let number = paths.count
        paths.append(source.path)
        let zero = Ticks.rescale(clip.zero, from: timescale, to: track.timescale)
        let out = track.timescale
        try source.walk(from: first) { samples, positions, start throws(TrackFileError) in
            var times: [Int64] = []
            var shown = 0
            var time = start
            for (index, sample) in samples.enumerated() {
                times.append(time)
                if time + Int64(sample.compositionOffsetTicks) < to { shown = index + 1 }
                time += Int64(sample.durationTicks)
            }
            for index in 0..<shown {
                let sample = samples[index]
                let scale = { (ticks: Int64) in Ticks.rescale(ticks, from: source.timescale, to: out) }
                track.add(
                    sample, time: zero + scale(times[index]), duration: scale(Int64(sample.durationTicks)),
                    offset: scale(Int64(sample.compositionOffsetTicks)), source: number, position: positions[index],
                    entry: entry)
            }
            return shown == samples.count
        }
        video = track
        return Ticks.rescale(track.endTime, from: track.timescale, to: timescale)
    }

    /// Adds the audio samples of the range that are heard after `from` (clip time in movie ticks; nil: all) and before the
    /// end; returns where the audio ends and how long its last sample is.
    private mutating func addAudio(
        _ clip: Placement, from: Int64?
    ) throws(TrackFileError) -> (end: Int64, frame: Int64) {
        guard let source = clip.audio else { return (cursor, 0) }
        var track = audio ?? ExportTrack(kind: .audio, timescale: source.timescale)
        let entry = track.entry(for: source.configuration)
        let number = paths.count
        paths.append(source.path)
        let out = track.timescale
        let zero = Ticks.rescale(clip.zero, from: timescale, to: out)
        let to = source.ticks(clipMs(toMs, clip))
        let from = from.map { Ticks.rescale($0, from: timescale, to: source.timescale) }
        let index = source.scanned.index
        let first = from.flatMap { index.keyEntry(atOrBefore: UInt64(clamping: $0 + source.priming)) } ?? 0
        var frame: Int64 = 0
        // The frame before the first is taken too, because decoding needs it; it may lie in the fragment before.
        try source.walk(from: max(0, first - 1)) { samples, positions, start throws(TrackFileError) in
            var time = start
            for (index, sample) in samples.enumerated() {
                let duration = Int64(sample.durationTicks)
                defer { time += duration }
                if time >= to { return false }
                if let from, time + duration * 2 <= from { continue }
                let scale = { (ticks: Int64) in Ticks.rescale(ticks, from: source.timescale, to: out) }
                frame = scale(duration)
                track.add(
                    sample, time: zero + scale(time), duration: frame, offset: 0, source: number,
                    position: positions[index], entry: entry)
            }
            return true
        }
        let isEmpty = track.sizes.isEmpty
        audio = isEmpty ? nil : track
        guard !isEmpty else { return (cursor, 0) }
        let end = Ticks.rescale(track.endTime, from: out, to: timescale)
        return (end, Ticks.rescale(frame, from: out, to: timescale))
    }
}
