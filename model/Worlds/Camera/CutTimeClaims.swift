internal import Machines
internal import RandomSource

/// A clip of continuous mode that ended at a frame of which the machine heard later. The worlds hear of each cut at once.
struct CutTimeCase: Sendable, CustomStringConvertible {
    /// The clip ended because the stream changed, and not at the cut that was due.
    let isChange: Bool
    /// When the clip ended, in milliseconds.
    let endMs: Int64
    /// When the machine heard of it, in milliseconds.
    let nowMs: Int64
    /// From when on the next clip is asked for, in milliseconds; nil: none is.
    let nextMs: Int64?

    init(isChange: Bool, after delayMs: Int64, heard lateMs: Int64) {
        let view = CameraConfiguration.cont
        var camera = CameraWorld(view).initial[0]
        func at(_ ms: Int64) -> Instant { Instant(ms: ms) }
        _ = camera.step(.tick, at: at(0))
        let dial = camera.dial(.cur)
        _ = camera.step(.dialed(dial), at: at(0))
        _ = camera.step(.keyframe(dial), at: at(0))
        let clip = camera.clip(.cur)
        _ = camera.step(.opened(clip, start: at(0), shortfall: nil), at: at(0))
        let cutMs = CameraConfiguration.ms(view.clipLength)
        _ = camera.step(.tick, at: at(cutMs))
        self.isChange = isChange
        nowMs = cutMs + delayMs
        endMs = nowMs - lateMs
        let end: Camera.Event =
            isChange ? .streamChanged(clip, at: at(endMs)) : .cut(clip, at: at(endMs))
        let orders = camera.step(end, at: at(nowMs)).compactMap { effect -> Camera.ClipOrder? in
            if case .openClip(let order) = effect { order } else { nil }
        }
        nextMs = orders.first?.trigger.ms
    }

    var description: String { "ended \(endMs), heard \(nowMs), next from \(nextMs.map { "\($0)" } ?? "never")" }
}

/// What docs/design/rules.md promises of the media between two clips.
enum CutTimeClaims {
    static let walks = PlanWalks<CutTimeCase>(
        count: 10,
        walk: { random in
            (1...4).map { _ in
                CutTimeCase(isChange: random.once(in: 2), after: random.number(0...900), heard: random.number(0...900))
            }
        },
        claims: [
            Claim("L3 the next clip is asked for from where the one before it ended") { $0.nextMs == $0.endMs }
        ])
}
