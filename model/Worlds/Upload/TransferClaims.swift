internal import Machines
internal import RandomSource

/// One fact about a transfer of real size, and what came of it.
struct TransferCase: Sendable, CustomStringConvertible {
    /// What the transfer said it had moved; nil: something else came.
    let bytes: Int64?
    /// What it had moved before, as far as that was taken.
    let before: Int64
    /// The size of the clip; nil while it is open.
    let sizeBytes: Int64?
    /// How often this transfer has made progress.
    let progresses: Int64
    /// The outages in a row, this one included; nil: none came.
    let outage: Int?
    /// How long the job waits after it.
    let waitMs: Int64?
    let effects: [Upload.Effect]
    /// What was answered to numbers that were never given.
    let strange: [[Upload.Effect]]
    let timing: Upload.Timing

    var isTaken: Bool { bytes != nil && effects.isEmpty }

    /// The wait that so many outages call for, without what jitter adds.
    var leastMs: Int64 {
        var wait = timing.backoffMs
        for _ in 1..<max(outage ?? 1, 1) where wait < timing.backoffMaxMs { wait *= 2 }
        return min(wait, timing.backoffMaxMs)
    }

    var description: String {
        "moved \(bytes.map { "\($0)" } ?? "-") after \(before) of \(sizeBytes.map { "\($0)" } ?? "-"), outage \(outage ?? 0), waits \(waitMs ?? 0): \(effects)"
    }
}

/// What docs/design/rules.md promises of transfers, with real sizes and waits. The world moves a clip in one step, and waits without jitter.
enum TransferClaims {
    static let walks = PlanWalks<TransferCase>(
        count: 60,
        walk: { random in
            var walker = TransferWalker(&random)
            return (1...40).map { _ in walker.next(&random) }
        },
        claims: [
            Claim("S9 what a transfer moved before is no progress", when: { ($0.bytes ?? .max) <= $0.before }) {
                $0.effects == [.ignored(.noProgress)]
            },
            Claim(
                "S9 more than there is, is no progress",
                when: { one in one.sizeBytes.map { (one.bytes ?? 0) > $0 } ?? false }
            ) { $0.effects == [.ignored(.noProgress)] },
            Claim(
                "L8 a transfer that has moved all there is has made progress",
                when: { $0.bytes == $0.sizeBytes && ($0.bytes ?? 0) > $0.before }
            ) {
                $0.isTaken
            },
            Claim(
                "L8 enough more is progress",
                when: { one in
                    guard let bytes = one.bytes, bytes - one.before >= one.timing.stepBytes else { return false }
                    return bytes <= one.sizeBytes ?? .max
                }
            ) { $0.isTaken },
            Claim("L8 a transfer makes progress a bounded number of times", when: { $0.isTaken && $0.sizeBytes != nil })
            { one in
                one.progresses <= (one.sizeBytes ?? 0) / one.timing.stepBytes + 1
            },
            Claim(
                "S16 an outage is waited for as long as it has lasted calls for, and at most a fifth longer",
                when: { $0.outage != nil }
            ) { one in
                one.waitMs.map { $0 >= one.leastMs && $0 <= one.leastMs + one.leastMs / 5 } ?? false
            },
            Claim("S9 what has a number that was never given is ignored", when: { !$0.strange.isEmpty }) {
                $0.strange.allSatisfy { $0 == [.ignored(.unknown)] }
            },
        ])
}

/// Moves a clip, which is closed on the way or was before, through outages.
private struct TransferWalker {
    private let timing: Upload.Timing
    private let size: Int64
    private var job: Upload
    private var nowMs: Int64 = 0
    private var put: Upload.OrderNumber?
    private var moved: Int64 = 0
    private var progresses: Int64 = 0
    private var outages = 0

    init(_ random: inout SeededGenerator) {
        timing = Upload.Timing(
            stepBytes: random.number(1...5_000), backoffMs: random.number(1...40) * 1_000,
            backoffMaxMs: random.number(20...900) * 1_000, seed: UInt64(random.number(0...1_000)))
        size = random.number(0...20_000)
        let isClosed = random.once(in: 2)
        job = Upload(encode: false, seal: isClosed ? Upload.Seal(digest: "d", bytes: size) : nil, timing: timing)
        note(job.step(.allow(true), at: Instant(ms: 0)))
    }

    mutating func next(_ random: inout SeededGenerator) -> TransferCase {
        // A wait that is over begins another transfer.
        while put == nil, let due = job.nextDeadline {
            nowMs = max(nowMs, due.ms)
            note(job.step(.tick, at: Instant(ms: nowMs)))
        }
        guard let put else { return seen([]) }
        switch random.number(0...9) {
        case 0, 1, 2:
            outages += 1
            let effects = take(.putFailed(put, random.once(in: 2) ? .unreachable : .busy))
            return seen(effects, outage: outages, waitMs: job.nextDeadline.map { $0.ms - nowMs })
        case 3:
            return seen(take(.sealed(Upload.Seal(digest: "d", bytes: size))))
        case 4:
            let beyond = Upload.OrderNumber(job.orders + 1)
            let strange = [Upload.OrderNumber(rawValue: 0), beyond].map {
                job.step(.uploaded($0), at: Instant(ms: nowMs))
            }
            return seen([], strange: strange)
        case 5:
            return progress(put, size)
        default:
            return progress(put, moved + random.number(-2_000...12_000))
        }
    }

    private mutating func progress(_ put: Upload.OrderNumber, _ bytes: Int64) -> TransferCase {
        let before = moved
        let size = job.seal?.bytes
        let effects = take(.progressed(put, bytes: bytes))
        if effects.isEmpty { (moved, progresses, outages) = (bytes, progresses + 1, 0) }
        return TransferCase(
            bytes: bytes, before: before, sizeBytes: size, progresses: progresses, outage: nil, waitMs: nil,
            effects: effects, strange: [], timing: timing)
    }

    private func seen(
        _ effects: [Upload.Effect], outage: Int? = nil, waitMs: Int64? = nil,
        strange: [[Upload.Effect]] = []
    ) -> TransferCase {
        TransferCase(
            bytes: nil, before: moved, sizeBytes: job.seal?.bytes, progresses: progresses, outage: outage,
            waitMs: waitMs, effects: effects, strange: strange, timing: timing)
    }

    private mutating func take(_ event: Upload.Event) -> [Upload.Effect] {
        let effects = job.step(event, at: Instant(ms: nowMs))
        if case .putFailed = event { put = nil }
        note(effects)
        return effects
    }

    private mutating func note(_ effects: [Upload.Effect]) {
        for case .put(let number) in effects { (put, moved, progresses) = (number, 0, 0) }
    }
}
