/// Makes packets for a camera's loudspeaker of what a talker sends, one after the other without a hole: what comes too late is
/// dropped, and where nothing comes there is silence. Reads no clock: whoever takes the packets gives the pace. Used by one thread.
final class Playout {
    /// How much is gathered beyond the first packet before it is played, so that what is late by less does not break it, in
    /// milliseconds.
    static let startMs = 40
    /// More than this does not wait beyond a packet: it would only be heard late. It is cut down to what is played at the start.
    static let waitingMsMax = 220
    /// Packets that are missing are replaced by silence up to this many milliseconds; a longer hole is a pause.
    private static let fillMs = 120

    private let format: BackChannelFormat
    private let speech: Speech
    private let encoder: LibavCodec?
    private var jitter = JitterBuffer()
    /// What is to be played, in samples of one channel.
    private var waiting: [Int16] = []
    private var isPlaying = false
    /// The stamp that follows on what was decoded last.
    private var expected: UInt32?
    private var encodedFrames: Int64 = 0
    /// Packets that were decoded.
    private(set) var played: UInt64 = 0
    /// Packets that cannot be decoded.
    private(set) var refused: UInt64 = 0
    /// Milliseconds of sound that were too much.
    private(set) var cutMs: UInt64 = 0
    /// Packets that came too late, or twice.
    var dropped: UInt64 { jitter.dropped }

    /// Samples that wait.
    var waitingSamples: Int { waiting.count }

    /// For a loudspeaker; nil where libav has no encoder for it.
    init?(_ format: BackChannelFormat) {
        self.format = format
        speech = Speech(sampleRate: format.sampleRate)
        encoder =
            format.coding == .aac ? LibavCodec(aacSampleRate: format.sampleRate, channels: format.channels) : nil
        guard encoder != nil || format.coding != .aac else { return nil }
    }

    /// Takes a packet of the talker.
    func take(_ packet: SpokenPacket) { jitter.put(packet) }

    /// The payload of the next packet: always of the same length in time. nil while the encoder has none yet.
    func next() -> [UInt8]? {
        decode()
        var samples: [Int16] = []
        if !isPlaying, waiting.count >= startSamples { isPlaying = true }
        if isPlaying {
            samples = Array(waiting.prefix(format.packetSamples))
            waiting.removeFirst(samples.count)
            if samples.count < format.packetSamples { isPlaying = false }
        }
        samples += repeatElement(0, count: format.packetSamples - samples.count)
        return encode(samples)
    }

    private var startSamples: Int { format.packetSamples + samples(ofMs: Self.startMs) }

    private func samples(ofMs ms: Int) -> Int { format.sampleRate * ms / 1_000 }

    private func decode() {
        while true {
            // Two packets of 20 ms ahead: what is missing is waited for until then.
            let isNeeded = isPlaying && waiting.count < format.packetSamples + samples(ofMs: 20)
            guard let (packet, hasGap) = jitter.take(isNeeded: isNeeded) else { break }
            if hasGap, isPlaying, let expected {
                fill(Int64(Int32(bitPattern: packet.stamp &- expected)), packet.coding)
            }
            guard let ticks = speech.decode(packet, into: &waiting) else {
                refused &+= 1
                continue
            }
            played &+= 1
            expected = packet.stamp &+ UInt32(truncatingIfNeeded: ticks)
        }
        // Once for all that came: cut packet by packet, the last of a burst would still wait for as long as may be.
        let most = format.packetSamples + samples(ofMs: Self.waitingMsMax)
        guard waiting.count > most else { return }
        let excess = waiting.count - startSamples
        waiting.removeFirst(excess)
        cutMs &+= UInt64(excess * 1_000 / max(1, format.sampleRate))
    }

    /// Silence in place of what is missing.
    private func fill(_ ticks: Int64, _ coding: SpokenPacket.Coding) {
        let clock = Int64(coding.clockRate)
        guard ticks > 0, ticks <= clock * Int64(Self.fillMs) / 1_000 else { return }
        waiting += repeatElement(0, count: Int(ticks * Int64(format.sampleRate) / clock))
    }

    private func encode(_ samples: [Int16]) -> [UInt8]? {
        switch format.coding {
        case .pcmu: return samples.map { G711.encode($0, .mu) }
        case .pcma: return samples.map { G711.encode($0, .a) }
        case .aac:
            let all = format.channels == 1 ? samples : samples.flatMap { [$0, $0] }
            encoder?.encode(all[...], channels: format.channels, pts: encodedFrames * Int64(samples.count))
            encodedFrames &+= 1
            var payload: [UInt8]?
            encoder?.receive { bytes, _ in payload = payload ?? Self.accessUnit(bytes) }
            return payload
        }
    }

    /// One access unit behind the table of its size (RFC 3640, 3.2: 16 bits of AU-headers-length, 13 of size, 3 of index); nil for
    /// one that is too long for it.
    private static func accessUnit(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.count < 1 << 13 else { return nil }
        let size = UInt16(truncatingIfNeeded: bytes.count << 3)
        return [0, 16, UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size)] + bytes
    }
}
