// What the trace costs: the steps of sixteen busy cameras, encoded and chained and written, in bytes and in CPU time.
// bench/trace.py runs it beside a journald and compares the bytes. Prints one JSON object.
//   bench-trace FOLDER MINUTES [--journal]
import Foundation
import Journal
import Machines
import Trace

/// A camera in whose picture something moves all the time: two detections a second, an event each 35 s, clips of a minute.
struct BusyCamera {
    let name: String
    var machine = Camera(intent: Intent(policy: Policy(mode: .event, timeControl: TimeControl(blindMs: 3_000))))
    var seq: UInt64 = 0
    var waiting: [Camera.Event] = [.tick]

    /// Tells the machine what happens until `now`; gives each step to `body`.
    mutating func live(until now: Instant, _ body: (UInt64, Camera.Event, Camera, [Camera.Effect]) throws -> Void)
        rethrows
    {
        waiting.append(.detected(level: now.ms % 3_000 == 0 ? .high : .low, zones: Zones(inside: 5, outside: true)))
        while !waiting.isEmpty {
            let event = waiting.removeFirst()
            let effects = machine.step(event, at: now)
            seq += 1
            try body(seq, event, machine, effects)
            for effect in effects { answer(effect, now) }
        }
    }

    private mutating func answer(_ effect: Camera.Effect, _ now: Instant) {
        switch effect {
        case .dial(let number, _): waiting += [.dialed(number), .keyframe(number)]
        case .openClip(let order): waiting.append(.opened(order.number, start: now, shortfall: nil))
        case .closeClip(let number, .now, _): waiting.append(.closed(number, complete: true))
        case .closeClip(let number, _, _): waiting += [.cut(number, at: now), .closed(number, complete: true)]
        case .hangUp(let number): waiting.append(.hungUp(number))
        case .keepMedia, .beginEvent, .endEvent, .noteDetection, .noteSuppressed, .label, .report, .ignored, .stopped:
            break
        }
    }
}

/// The CPU time of this process, in seconds.
func cpu() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let words = CommandLine.arguments.dropFirst()
let folder = words.first ?? NSTemporaryDirectory()
let minutes = words.dropFirst().first.flatMap(Int64.init) ?? 60
let journal = words.contains("--journal") ? Journal(JournalOptions(version: "bench", output: .journald)) : nil
let run = TraceRun(id: RandomID().value, boot: RandomID().value, version: "bench")
let log = TraceLog(root: folder, run: run, bounds: TraceLog.Bounds(keepMs: 86_400_000, maxBytes: 64 << 30))
_ = try log.open()
var cameras = (1...16).map { BusyCamera(name: "camera\($0)") }
var (steps, encoded, written, synced) = (0, 0.0, 0.0, 0.0)
let wallMs = MachineClock().wallMs()
for halfSecond in 1...(minutes * 120) {
    let now = Instant(ms: halfSecond * 500)
    for index in cameras.indices {
        let name = cameras[index].name
        try cameras[index].live(until: now) { seq, event, machine, effects in
            let begin = cpu()
            var step = try TraceStep(
                name: name, seq: seq, at: now, wallMs: wallMs, input: event, state: machine, effects: effects,
                clean: Redaction.clean)
            let made = cpu()
            journal?.trace(step, visible: false)
            if !step.isWhole { step.state = nil }
            let begun = cpu()
            _ = try log.append([.step(step)], wallMs: wallMs)
            written += cpu() - begun
            encoded += made - begin
            steps += 1
        }
    }
    if halfSecond % 10 == 0 {
        let begin = cpu()
        try log.sync()
        synced += cpu() - begin
    }
}
try log.close(wallMs: wallMs)
journal?.close(timeoutMs: 600_000)
let verifying = cpu()
let verification = try TraceVerification(TraceFolder(root: folder))
let verified = cpu() - verifying
let reading = cpu()
var reader = TraceReader(try FolderRecords(TraceFolder(root: folder)))
var read = 0
while try reader.next() != nil { read += 1 }
let answer: [String: Double] = [
    "seconds": Double(minutes * 60), "steps": Double(steps), "bytes": Double(verification.bytes),
    "findings": Double(verification.findings.count), "read": Double(read), "encodeCpuS": encoded, "writeCpuS": written,
    "syncCpuS": synced, "verifyCpuS": verified, "readCpuS": cpu() - reading,
    "lost": Double(journal?.lostRecords ?? 0),
]
print(String(decoding: try JSONSerialization.data(withJSONObject: answer, options: .sortedKeys), as: UTF8.self))
