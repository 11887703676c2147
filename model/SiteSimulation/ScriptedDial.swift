internal import Daemon
internal import Machines
internal import Media

/// One dial of a scripted camera, as its behaviour has it.
///
/// `@unchecked Sendable`: confined to the simulation's thread.
final class ScriptedDial: Dial, @unchecked Sendable {
    let camera: ScriptedCamera
    let number: Int
    private let daemonRun: DaemonRun
    private let virtualTime: VirtualTime
    private var sink: (any InputSink)?
    private let behaviour: ScriptedCamera.Behaviour
    private var builder: FrameBuilder
    private var configurations: [TrackConfiguration]
    private var nextKey: Int64 = 0
    private var startedAt: Int64 = 0
    private(set) var isDialed = false
    private(set) var hasEnded = false
    private(set) var stoppedAt: Int64?
    private var pausedUntil: Int64 = 0
    private var isMute = false
    /// Until when the network delivers nothing, by virtual time, and how many frames it holds back.
    private var stalledUntil: Int64 = 0
    private var heldBack = 0
    private var ordinal: Int

    init(camera: ScriptedCamera, daemonRun: DaemonRun, sink: any InputSink) {
        self.camera = camera
        self.daemonRun = daemonRun
        self.sink = sink
        virtualTime = daemonRun.virtualTime
        behaviour = camera.behaviour
        camera.dials += 1
        ordinal = 0
        number = camera.dials
        builder = FrameBuilder(pool: daemonRun.slabs)
        configurations = [Streams.video(0), Streams.video(1), Streams.sound]
    }

    /// Whether it is a try whether the camera can be reached.
    var isTry: Bool { sink is ReachabilityTry }

    func start() {
        // Whoever is told of the end of a process that is gone begins nothing any more.
        guard daemonRun.isAlive else { return }
        if !camera.openDials.isEmpty { camera.isDialedBeside() }
        camera.openDials.append(self)
        startedAt = virtualTime.now
        switch behaviour {
        case .good, .flaky, .silent, .restless, .deaf, .flooding, .stalling:
            answer(after: virtualTime.random.number(20...900))
        case .refusing:
            let failure = virtualTime.random.one(of: LinkFailure.allCases)
            after(virtualTime.random.number(1...8_000)) { self.end(.failed(failure, detail: "scripted")) }
        case .sluggish:
            if virtualTime.random.chance(60) { answer(after: virtualTime.random.number(8_000...20_000)) }
        case .keyless: answer(after: virtualTime.random.number(20...2_000))
        }
    }

    func stop() {
        guard stoppedAt == nil else { return }
        stoppedAt = virtualTime.now
        let isDeaf = behaviour == .deaf || behaviour == .sluggish && virtualTime.random.chance(40)
        let most: Int64 = isDeaf ? 40_000 : virtualTime.random.chance(5) ? 4_500 : 300
        after(virtualTime.random.number(0...most)) { self.end(.stopped) }
    }

    /// The process is gone; what holds the daemon together is let go.
    func die() {
        guard !hasEnded else { return }
        hasEnded = true
        camera.openDials.removeAll { $0 === self }
        sink?.ended(.stopped, counts: InputCounts())
        sink = nil
    }

    private func after(_ ms: Int64, _ work: @escaping () -> Void) {
        virtualTime.after(ms) { if self.daemonRun.isAlive, !self.hasEnded { work() } }
    }

    private func answer(after ms: Int64) {
        after(ms) {
            // What was stopped may still answer, until it has ended.
            self.isDialed = true
            let kinds: [StreamDescription] = [
                StreamDescription(
                    ordinal: 0, kind: .video, sourceCodec: "H264", parameters: nil, ignored: nil),
                StreamDescription(
                    ordinal: 1, kind: .audio, sourceCodec: "OPUS", parameters: nil,
                    ignored: self.camera.hasSound ? nil : "no sound wanted"),
            ]
            self.sink?.dialed(kinds)
            self.plan()
            self.nextKey = self.virtualTime.now + (self.behaviour == .keyless ? self.keylessMs() : 0)
            self.tick()
        }
    }

    private func keylessMs() -> Int64 {
        virtualTime.random.chance(50) ? .max / 4 : virtualTime.random.number(5_000...100_000)
    }

    /// What will go wrong with this dial.
    private func plan() {
        switch behaviour {
        case .flaky:
            after(virtualTime.random.number(100...90_000)) { self.end(.failed(.closed, detail: "scripted")) }
        case .silent: after(virtualTime.random.number(1_000...120_000)) { self.isMute = true }
        case .restless:
            after(virtualTime.random.number(1_000...60_000)) {
                if self.virtualTime.random.chance(50) {
                    self.pausedUntil = self.virtualTime.now + self.virtualTime.random.number(500...9_000)
                } else {
                    self.camera.stream = 1 - self.camera.stream
                    self.nextKey = self.virtualTime.now
                }
                self.plan()
            }
        case .good, .refusing, .sluggish, .keyless, .deaf, .flooding, .stalling: break
        }
    }

    private func tick() {
        // A camera that has become good again sends key frames, and goes silent no more than any other.
        if camera.behaviour == .good, nextKey > virtualTime.now + camera.groupMs { nextKey = virtualTime.now }
        if !isMute, stoppedAt == nil || behaviour == .deaf, virtualTime.now >= pausedUntil, !holdsBack() {
            // What was held back comes at once.
            let due = self.due()
            pausedUntil = 0
            // What arrives now is handed over a moment later now and then.
            let arrived = (0..<due).map { _ in arrival() }
            let ms = daemonRun.conditions.handoverDelay()
            if ms == 0 {
                for frame in arrived { handOver(frame) }
            } else {
                camera.handsOverLate(ms)
                after(ms) { for frame in arrived { self.handOver(frame) } }
            }
        }
        let ms = camera.frameMs + virtualTime.random.number(-20...20)
        after(ms) { self.tick() }
    }

    /// How many frames arrive at once.
    private func due() -> Int {
        let held = heldBack
        heldBack = 0
        if held > 0 {
            daemonRun.conditions.strikes(.netstall)
            return held + 1
        }
        if camera.behaviour == .flooding {
            daemonRun.conditions.strikes(.flood)
            return 16
        }
        return pausedUntil > 0 && virtualTime.random.chance(50) ? Int(virtualTime.random.number(2...6)) : 1
    }

    /// Whether the network holds a frame back.
    private func holdsBack() -> Bool {
        if stalledUntil == 0, camera.behaviour == .stalling, virtualTime.random.chance(10) {
            stalledUntil = virtualTime.now + virtualTime.random.number(1_000...6_000)
        }
        guard virtualTime.now < stalledUntil else {
            stalledUntil = 0
            return false
        }
        heldBack += 1
        return true
    }

    /// A frame that has arrived.
    private struct Arrival {
        let at: Int64
        let isKey: Bool
        let stream: Int
        /// Whether recording was allowed then.
        let wasAllowed: Bool
        /// Whether somebody might look then.
        let wasShown: Bool
    }

    private func arrival() -> Arrival {
        let isKey = virtualTime.now >= nextKey
        if isKey { nextKey = virtualTime.now + camera.groupMs - camera.frameMs / 2 }
        return Arrival(
            at: virtualTime.now, isKey: isKey, stream: camera.stream, wasAllowed: camera.isAllowed(),
            wasShown: camera.isShown())
    }

    private func handOver(_ frame: Arrival) {
        guard let sink, !hasEnded else { return }
        let index = camera.send(
            at: frame.at, dial: number, ordinal: ordinal, isKey: frame.isKey, isTaken: stoppedAt == nil,
            wasAllowed: frame.wasAllowed, wasShown: frame.wasShown)
        ordinal += 1
        give(index, frame, isVideo: true, to: sink)
        if camera.hasSound { give(index, frame, isVideo: false, to: sink) }
        camera.handedOver(index)
    }

    private var lastDts: [Int64] = [-1, -1]

    private func give(_ index: Int, _ arrival: Arrival, isVideo: Bool, to sink: any InputSink) {
        let ticks: Int64 = isVideo ? 90 : 48
        let dts = max((arrival.at - startedAt) * ticks, lastDts[isVideo ? 0 : 1] + 1)
        lastDts[isVideo ? 0 : 1] = dts
        let mark = FrameMark.encode(camera: camera.number, number: index, isVideo: isVideo)
        let frame = mark.withUnsafeBytes { bytes in
            builder.frame(
                track: isVideo ? 0 : 1, kind: isVideo ? .video : .audio, dts: dts, isKey: arrival.isKey || !isVideo,
                arrival: Instant(ms: arrival.at - daemonRun.bootedAt),
                configuration: isVideo ? configurations[arrival.stream] : configurations[2], bytes: bytes)
        }
        if let frame { sink.frame(frame) }
    }

    private func end(_ end: InputEnd) {
        guard !hasEnded else { return }
        hasEnded = true
        let sink = sink
        self.sink = nil
        daemonRun.dials.removeAll { $0 === self }
        camera.openDials.removeAll { $0 === self }
        sink?.ended(stoppedAt == nil ? end : .stopped, counts: InputCounts())
    }
}

/// The streams that scripted cameras send.
enum Streams {
    /// One of two videos, of 320 by 180 and of 160 by 120 pixels.
    static func video(_ number: Int) -> TrackConfiguration {
        let sequence: [UInt8] =
            number == 0
            ? [
                0x67, 0x42, 0xC0, 0x0C, 0xDA, 0x05, 0x06, 0x7E, 0x7C, 0x04, 0x40, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00,
                0x00, 0x0C, 0x83, 0xC5, 0x0A, 0xA8,
            ]
            : [
                0x67, 0x42, 0xC0, 0x0B, 0xDA, 0x0A, 0x11, 0xF9, 0x70, 0x11, 0x00, 0x00, 0x03, 0x00, 0x01, 0x00, 0x00,
                0x03, 0x00, 0x32, 0x0F, 0x14, 0x2A, 0xA0,
            ]
        return TrackConfiguration(
            id: UInt32(number),
            parameters: TrackParameters(
                kind: .video, codec: .h264, parameterSets: [sequence, [0x68, 0xCE, 0x0F, 0xC8]], timescale: 90_000))
    }

    /// Two channels of sound.
    static var sound: TrackConfiguration {
        TrackConfiguration(
            id: 0,
            parameters: TrackParameters(
                kind: .audio, codec: .opus,
                codecConfiguration: Array("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0, 0, 0],
                sampleRate: 48_000, channels: 2, timescale: 48_000))
    }
}
