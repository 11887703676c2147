import Machines

@testable import Media

/// A session description, and the plans that are made of it.
enum SDPTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        let text = String(decoding: bytes, as: UTF8.self)
        let sdp = SDP(text, mediaMax: 8)
        hold(sdp.media.count <= 8, "no more media than wanted")
        for media in sdp.media {
            guard let plan = try? RTSPTrackPlan.plan(media) else { continue }
            let clock = plan.clock(media)
            hold(clock.timescale > 0, "a clock ticks: \(clock.timescale)")
            guard let parameters = plan.parameters else { continue }
            hold(parameters.timescale > 0 && parameters.channels >= 0, "parameters make sense")
            WrittenTrackCheck.hold(parameters)
        }
    }
}

/// What is offered before the first frame can be written, or is refused with a reason: never ends the process.
enum WrittenTrackCheck {
    static func hold(_ parameters: TrackParameters) {
        guard let coded = try? parameters.coded() else { return }
        ParameterTarget.check(coded)
    }
}
