import Machines

@testable import Media

/// RTCP as it comes between RTP heads of any numbers and times, and the receiver reports that answer it.
enum RTCPTarget {
    private static let description = "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"

    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let media = SDP(description, mediaMax: 1).media.first, let plan = try? RTSPTrackPlan.plan(media) else {
            return hold(false, "the description of this target is right")
        }
        let context = DialContext(
            sink: FrameChecker(), pool: RTPTarget.pool, limits: InputLimits(), clocks: [plan.clock(media)])
        let track = RTSPTrack(ordinal: 0, plan: plan, payloadType: 96, context: context)
        var feed = Feed(bytes)
        var now = Instant(ms: 1_000_000)
        while !feed.isAtEnd {
            let control = feed.byte()
            now = Instant(ms: now.ms &+ Int64(feed.number(UInt16.self)))
            if control & 1 != 0 { receive(&feed, track, now) }
            track.receiveControl(feed.take(Int(control >> 1)), at: now)
            guard let report = track.report(at: now) else { continue }
            hold(report.count % 4 == 0 && report.first.map { $0 >> 6 } == 2, "a report is whole words of version 2")
            report.withUnsafeBytes { track.receiveControl($0, at: now) }
        }
        track.flush(at: now)
    }

    /// A packet with the head that the input says, and one byte.
    private static func receive(_ feed: inout Feed, _ track: RTSPTrack, _ now: Instant) {
        let packet: [UInt8] = [0x80, 96] + feed.take(10) + [0x41, 0x80]
        packet.withUnsafeBytes { _ = track.receive($0, at: now, isOrdered: true) }
    }
}
