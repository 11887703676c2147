public import Machines

/// Counts how often the link has failed, and watches how soon the camera is dialled after that (S16).
public struct DialWatcher: Bystander {
    /// What must be waited after the first, second … failure in a row, in ticks.
    private let waits: [Int]
    /// How many ticks of streaming make the failures forgotten.
    private let steady: Int
    /// Failures since then.
    private var failures = 0
    /// Ticks since the last one, until the camera is dialled again.
    private var since: Int?
    /// Ticks of streaming since the key frame.
    private var streamed: Int?

    /// Nothing has failed yet.
    public init(_ view: CameraConfiguration) {
        waits = (0..<view.failMax).map { min(1 << $0, view.waitCap) }
        steady = view.steady
    }

    /// A dial must come no sooner than the failures before it allow.
    public mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool {
        if fact == .tick { since = since.map { min($0 + 1, waits.count + 1) } }
        if fact == .connect {
            failures = 0
            since = nil
        }
        var isGood = true
        for effect in effects {
            switch effect {
            case .report(.link(_, to: .streaming, _, _)): if steady == 0 { failures = 0 } else { streamed = 0 }
            case .report(.link(_, to: .waiting, failure: _, _)):
                failures = min(failures + 1, waits.count)
                since = 0
                streamed = nil
            case .report(.link(from: .streaming, _, _, _)): streamed = nil
            case .dial:
                if let since, failures > 0, since < waits[failures - 1] { isGood = false }
                since = nil
            default: break
            }
        }
        if fact == .tick, let ticks = streamed {
            streamed = ticks + 1 < steady ? ticks + 1 : nil
            if streamed == nil { failures = 0 }
        }
        return isGood
    }
}

extension CameraProperties {
    /// What who counts the dials watches for.
    public static let dials = [
        WatchedCamera<DialWatcher>.promise("S16 a camera that breaks off again and again is dialled ever more rarely")
    ]
}
