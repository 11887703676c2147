// What one step of the camera machine costs: batches of steps through a camera's ordinary life and through hostile input.
// Prints nanoseconds a step: the median, and the slowest tenth of the batches.
import Machines

struct Workload {
    var camera: Camera
    var now = Instant(ms: 1_000_000)
    var turn = 0

    init() {
        camera = Camera(intent: Intent(policy: Policy(mode: .event, timeControl: TimeControl(blindMs: 3_000))))
        _ = camera.step(.tick, at: now)
        _ = camera.step(.dialed(DialNumber(1)), at: now)
        _ = camera.step(.keyframe(DialNumber(1)), at: now)
    }

    /// The next fact of a camera that streams, sees motion, opens, cuts and closes clips, and hears late answers.
    mutating func next() -> Camera.Event {
        now = now + 500
        turn += 1
        let clip = ClipNumber(camera.recorder.clips)
        switch turn % 24 {
        case 0: return .packets(DialNumber(camera.link.dials), last: now)
        case 1, 9: return .detected(level: .low, zones: .anywhere)
        case 2: return .opened(clip, start: now, shortfall: nil)
        case 5, 13: return .detected(level: .high, zones: .anywhere)
        case 20: return .cut(clip, at: now)
        case 21: return .closed(clip, complete: true)
        case 22: return .keyframe(DialNumber(7))
        default: return .tick
        }
    }
}

let clock = ContinuousClock()
let stepsPerBatch = 10_000
var workload = Workload()
var effects = 0
var batches: [Double] = []
for _ in 0..<300 {
    let spent = clock.measure {
        for _ in 0..<stepsPerBatch {
            let event = workload.next()
            effects &+= workload.camera.step(event, at: workload.now).count
        }
    }
    let (seconds, attoseconds) = spent.components
    batches.append((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(stepsPerBatch))
}
batches.sort()
print("machine step: median \(Int(batches[150])) ns, slowest tenth from \(Int(batches[270])) ns (\(effects) effects)")
