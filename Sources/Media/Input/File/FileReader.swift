import CLibav
import Glibc
import Machines

/// Reads a media file as if a camera sent it: in real time (or as fast as it can be used, with the arrivals of real time),
/// over and over when it is looped.
package final class FileReader: InputReader {
    private enum Track {
        case video(FileVideo)
        case audio(AudioTrack, isADTS: Bool)
    }

    private static let probeBytes: Int64 = 2 << 20
    private static let probeUs: Int64 = 3_000_000
    /// How long is waited before a file that has nothing at the moment is asked again, in milliseconds.
    private static let againMs: Int64 = 20

    private let path: String
    private let looped: Bool
    private let isPaced: Bool
    private let sink: any InputSink
    private let pool: SlabPool
    private let limits: InputLimits
    private let interrupt: Interrupt
    /// Nil where the file is read as fast as it can be.
    private let bounds: LoopBounds?
    private var context: DialContext?
    private var tracks: [Int32: Track] = [:]
    private var format: UnsafeMutablePointer<AVFormatContext>?
    private var file: OpenedFile?
    private let packet = av_packet_alloc()
    /// What the loops before this one lasted, in microseconds, at most `FileClock.usMax`.
    private var loopUs: Int64 = 0
    /// The shortest that a loop lasts, in microseconds: a file of one picture is no reason to open it a thousand times a second.
    private static let loopUsMin: Int64 = 40_000
    /// The earliest begin and the latest end of what this loop shows, in microseconds.
    private var shownUs: (begin: Int64, end: Int64)?
    /// The next time of each stream whose packets have none, in its own ticks.
    private var made: [Int32: Int64] = [:]
    /// The first decoding time of this loop, in microseconds.
    private var beginUs: Int64?
    private var startMs: Int64 = 0

    var counts: InputCounts { context?.counts ?? InputCounts() }

    package init(
        path: String, looped: Bool, isPaced: Bool = true, sink: any InputSink, pool: SlabPool, limits: InputLimits,
        stop: StopSignal
    ) {
        self.path = path
        self.looped = looped
        self.isPaced = isPaced
        self.sink = sink
        self.pool = pool
        self.limits = limits
        interrupt = Interrupt(stop: stop)
        bounds = isPaced ? LoopBounds(stop: stop, limits: limits) : nil
    }

    deinit {
        var packet = packet
        av_packet_free(&packet)
        avformat_close_input(&format)
    }

    package func run() throws(InputFault) -> Never {
        try open()
        try describe()
        startMs = BootClock.nowMs()
        while true {
            let framesBefore = counts.frames
            try readThrough()
            guard looped else { throw .failed(.ended, "the file has ended") }
            guard counts.frames > framesBefore || beginUs != nil else {
                throw .failed(.unsupported, "the file holds no packet that can be used")
            }
            let shown = max(FileReader.loopUsMin, shownUs.map { $0.end - $0.begin } ?? 0)
            loopUs = min(FileClock.usMax, loopUs + shown)
            beginUs = nil
            shownUs = nil
            made = [:]
            avformat_close_input(&format)
            try open()
        }
    }

    package func finish() {
        let now = BootClock.now()
        for track in tracks.values {
            switch track {
            case .video(let video): video.flush()
            case .audio(let audio, _): audio.flush(at: now)
            }
        }
        context?.tellRepairs(at: now, isEnd: true)
        tracks = [:]
    }

    private func open() throws(InputFault) {
        interrupt.deadline = BootClock.nowMs() + limits.dialMs
        let file = try OpenedFile(path, interrupt: interrupt)
        // What was read before is closed by now.
        self.file = file
        format = avformat_alloc_context()
        guard let context = format, packet != nil else { throw .failed(.resources, "no memory") }
        file.hand(to: context)
        context.pointee.interrupt_callback = interrupt.callback
        context.pointee.probesize = FileReader.probeBytes
        context.pointee.max_analyze_duration = FileReader.probeUs
        context.pointee.max_streams = Int32(clamping: InputLimits.fileTracksMax)
        // Nobody asks how long it is, and looking for that reads up to 16 MB at the end of the file.
        context.pointee.skip_estimate_duration_from_pts = 1
        interrupt.allow(bytes: limits.fileHeadBytesMax)
        // The name is only looked at, for its ending.
        var code = avformat_open_input(&format, "file:" + path, nil, nil)
        if interrupt.isSpent {
            throw tooLong(
                limits.fileHeadBytesMax, "for the file's head (bytes of the head)",
                "split it, or make it a Matroska file")
        }
        interrupt.allow(bytes: limits.fileFrameBytesMax)
        if code >= 0, tracks.isEmpty { code = avformat_find_stream_info(format, nil) }
        if interrupt.stop.isRaised { throw .stopped }
        if interrupt.isSpent { throw endless }
        guard code < 0 else { return }
        if interrupt.isLate { throw .failed(.timeout, "the file could not be opened in time") }
        // libav gives up a file of more tracks than it may look at as if there were no memory.
        if code == vigil_averror(ENOMEM) {
            throw .failed(
                .budget,
                "the file has more than \(InputLimits.fileTracksMax) tracks, or one of more than \(LibavProcess.framesMax) frames"
                    + " (tracks of a file); keep a picture and a sound of it with ffmpeg -c copy")
        }
        throw LibavFault.fault(code, "cannot open the file", otherwise: .garbage)
    }

    /// A frame that does not end, or none at all, as far as is read.
    private var endless: InputFault {
        tooLong(limits.fileFrameBytesMax, "for one frame of the file (bytes of a frame)", "make it anew")
    }

    private func tooLong(_ bytes: Int, _ what: String, _ remedy: String) -> InputFault {
        .failed(.budget, "more than \(bytes >> 20) MiB were read \(what); \(remedy) with ffmpeg -c copy")
    }

    private func describe() throws(InputFault) {
        guard let format else { throw .failed(.resources, "no memory") }
        var streams: [StreamDescription] = []
        var clocks: [Timeline.Clock] = []
        var plans: [(index: Int32, plan: FilePlan)] = []
        for index in 0..<min(Int(format.pointee.nb_streams), InputLimits.fileTracksMax) {
            guard let stream = format.pointee.streams[index], let parameters = stream.pointee.codecpar,
                let kind = FilePlan.kind(parameters.pointee.codec_type)
            else { continue }
            let isFirst = !plans.contains { $0.plan.kind == kind }
            let plan = isFirst ? FilePlan(parameters.pointee) : nil
            let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
            // Where an index would be larger than libav may take, there is none, and no frame.
            if plan != nil, stream.pointee.nb_frames > LibavProcess.framesMax {
                throw .failed(
                    .budget,
                    "the file says that it has \(stream.pointee.nb_frames) frames of \(name), more than \(LibavProcess.framesMax)"
                        + " (frames of a track); split it with ffmpeg -c copy")
            }
            if let plan { plans.append((Int32(clamping: index), plan)) }
            clocks.append(plan?.clock ?? Timeline.Clock(kind: kind, timescale: 90_000, bits: 64))
            let why = isFirst ? "the codec is not one that is recorded" : "the file has more than one such track"
            streams.append(
                StreamDescription(
                    ordinal: streams.count, kind: kind, sourceCodec: name, parameters: plan?.parameters,
                    ignored: plan == nil ? why : nil))
        }
        guard !plans.isEmpty else { throw .failed(.unsupported, "the file holds nothing that can be recorded") }
        let context = DialContext(sink: sink, pool: pool, limits: limits, clocks: clocks)
        self.context = context
        let used = streams.filter { $0.ignored == nil }.map(\.ordinal)
        for (ordinal, entry) in zip(used, plans) {
            context.timeline.setZero(0, track: ordinal)
            tracks[entry.index] = track(entry.plan, ordinal: ordinal, context)
        }
        for (ordinal, entry) in zip(used, plans) {
            guard case .transcoded(let transcoder) = entry.plan else { continue }
            let described = transcoder.described(
                ordinal: ordinal, madeOrdinal: context.madeOrdinal, sourceCodec: streams[ordinal].sourceCodec)
            streams.replaceSubrange(ordinal...ordinal, with: described.prefix(1))
            streams += described.dropFirst()
        }
        sink.dialed(streams)
    }

    private func track(_ plan: FilePlan, ordinal: Int, _ context: DialContext) -> Track {
        switch plan {
        case .video(let codec, let sets, let lengthBytes):
            .video(FileVideo(ordinal: ordinal, codec: codec, sets: sets, lengthBytes: lengthBytes, context: context))
        case .copied(let parameters, let isADTS):
            .audio(AudioTrack(ordinal: ordinal, parameters: parameters, context: context), isADTS: isADTS)
        case .transcoded(let transcoder):
            .audio(AudioTrack(ordinal: ordinal, transcoder: transcoder, context: context), isADTS: false)
        }
    }

    /// Reads to the end of the file.
    private func readThrough() throws(InputFault) {
        guard let packet else { throw .failed(.resources, "no memory") }
        interrupt.deadline = BootClock.nowMs() + limits.silenceMs
        interrupt.allow(bytes: limits.fileFrameBytesMax)
        while true {
            try bounds?.turn()
            let code = av_read_frame(format, packet)
            // What has been read of a frame that is too long comes as one.
            defer { av_packet_unref(packet) }
            if interrupt.stop.isRaised { throw .stopped }
            if interrupt.isSpent { throw endless }
            if code == vigil_averror_eof { return }
            if code == vigil_averror(EAGAIN), !interrupt.isLate {
                if interrupt.stop.wait(ms: FileReader.againMs) { throw .stopped }
                continue
            }
            guard code >= 0 else {
                if interrupt.isLate { throw .failed(.silence, "the file gave nothing for \(limits.silenceMs) ms") }
                throw LibavFault.fault(code, "cannot read the file", otherwise: .garbage)
            }
            try take(packet.pointee)
            interrupt.deadline = BootClock.nowMs() + limits.silenceMs
            interrupt.allow(bytes: limits.fileFrameBytesMax)
            try context?.checkBudget()
        }
    }

    private func take(_ packet: AVPacket) throws(InputFault) {
        guard let track = tracks[packet.stream_index], let data = packet.data, packet.size > 0,
            let stream = format?.pointee.streams[Int(packet.stream_index)],
            let clock = FileClock(stream.pointee.time_base)
        else { return }
        var stamp = clock.believed(packet.pts) ?? clock.believed(packet.dts)
        var order = clock.believed(packet.dts) ?? clock.believed(packet.pts)
        if order == nil {
            // A bare stream has no times: packets follow each other at their claimed distance, or 25 a second.
            let step = max(clock.believed(packet.duration) ?? 0, 0)
            let made = made[packet.stream_index] ?? 0
            (stamp, order) = (made, made)
            self.made[packet.stream_index] = clock.believed(made &+ (step > 0 ? step : clock.ticks(us: 40_000))) ?? 0
        }
        var arrivalMs = isPaced ? nil : startMs
        if let us = order.flatMap(clock.us) {
            let first = beginUs ?? us
            beginUs = first
            note(shown: stamp.flatMap(clock.us) ?? us, duration: clock.durationUs(packet.duration))
            let dueMs = startMs + (loopUs + max(0, us - first)) / 1000
            // Nonsense in a file must not make the reader sleep for ever.
            if isPaced {
                if interrupt.stop.wait(ms: min(dueMs - BootClock.nowMs(), limits.silenceMs)) { throw .stopped }
            } else {
                arrivalMs = dueMs
            }
        }
        let bytes = UnsafeRawBufferPointer(start: data, count: Int(packet.size))
        let now = arrivalMs.map { Instant(ms: $0) } ?? BootClock.now()
        switch track {
        case .video(let video):
            let ticks = stamp.flatMap { clock.time($0, movedByUs: loopUs, scale: VideoTrack.timescale) }
            let duration = clock.duration(packet.duration, scale: VideoTrack.timescale)
            video.accept(bytes, PacketContext(stamp: ticks, arrival: now), durationTicks: duration)
        case .audio(let audio, let isADTS):
            let scale = audio.timescale
            let ticks = stamp.flatMap { clock.time($0, movedByUs: loopUs, scale: scale) }
            let duration = audio.durationTicks(bytes) ?? clock.duration(packet.duration, scale: scale)
            let head = isADTS ? AACConfiguration.adts(bytes)?.headerBytes ?? 0 : 0
            audio.accept(
                bytes.part(from: head), PacketContext(stamp: ticks, arrival: now),
                durationTicks: duration)
        }
    }

    /// A picture or sound is shown from `us` on for `duration` microseconds.
    private func note(shown us: Int64, duration: Int64) {
        let before = shownUs ?? (us, us)
        shownUs = (min(before.begin, us), max(before.end, us + duration))
    }
}
