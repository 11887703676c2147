// Runs seeds of the simulation and prints what came of them. `make simulate ARGS="--seeds 100 --hours 2 --cameras 4"`;
// one seed again, with its story: ARGS="--seed 4711".
import Foundation
import SiteSimulation
import Synchronization

struct Arguments {
    var first: UInt64 = 1
    var seeds: UInt64 = 100
    var hours: Int64 = 4
    var cameras = 3
    /// For how many hours the store is away at the end of each seed.
    var outage: Int64 = 0
    /// How many seconds all key frames are apart; nil: as each seed draws it.
    var group: Int64?
    /// Seeds that this divides have a store.
    var storeEach: UInt64 = 2
    var story = Simulation.storyLines
    var breaks: Set<ShellBreak> = []
    /// From so many camera-hours on each class of fault must have struck.
    static let faultHours = 1_000.0
    var threads = ProcessInfo.processInfo.activeProcessorCount

    init(_ words: [String]) throws {
        var words = words[...]
        while let word = words.popFirst() {
            guard let value = words.popFirst() else { throw Wrong(word: word) }
            if word == "--break", let shellBreak = ShellBreak(rawValue: value) {
                breaks.insert(shellBreak)
                continue
            }
            guard let number = UInt64(value), number > 0 else { throw Wrong(word: word) }
            switch word {
            case "--seed": (first, seeds) = (number, 1)
            case "--first": first = number
            case "--seeds": seeds = number
            case "--hours": hours = Int64(clamping: number)
            case "--cameras": cameras = Int(clamping: number)
            case "--group": group = Int64(clamping: number)
            case "--outage": outage = Int64(clamping: number)
            case "--store-each": storeEach = number
            case "--story": story = Int(clamping: number)
            case "--threads": threads = Int(clamping: number)
            default: throw Wrong(word: word)
            }
        }
    }

    /// The words by which a seed is run again.
    func again(_ seed: UInt64) -> String {
        var words = ["--seed \(seed)", "--hours \(hours)", "--cameras \(cameras)"]
        if outage > 0 { words.append("--outage \(outage)") }
        if let group { words.append("--group \(group)") }
        if storeEach != 2 { words.append("--store-each \(storeEach)") }
        words += breaks.map { "--break \($0.rawValue)" }.sorted()
        return words.joined(separator: " ")
    }

    struct Wrong: Error { let word: String }
}

/// What all threads have done together.
struct Total {
    var next: UInt64
    var cameraMs: Int64 = 0
    var runs = 0
    var failed: [UInt64] = []
    var counts: [String: Int] = [:]
    var faults: [Fault: Int] = [:]
}

let arguments: Arguments
do { arguments = try Arguments(Array(CommandLine.arguments.dropFirst())) } catch {
    print(
        "usage: simulate [--seed N | --first N --seeds N] [--hours N] [--cameras N] [--outage HOURS] [--store-each N]")
    print(
        "       [--group SECONDS] [--threads N] [--story LINES] [--break \(ShellBreak.allCases.map(\.rawValue).joined(separator: "|"))]"
    )
    exit(2)
}

let began = ContinuousClock.now
let total = Mutex(Total(next: arguments.first))

@Sendable func work() {
    while true {
        let seed: UInt64? = total.withLock { total in
            guard total.next < arguments.first + arguments.seeds else { return nil }
            defer { total.next += 1 }
            return total.next
        }
        guard let seed else { return }
        var plan = Simulation.Plan(seed: seed, hours: arguments.hours, cameras: arguments.cameras)
        plan.breaks = arguments.breaks
        plan.outageHours = arguments.outage
        plan.storeEach = arguments.storeEach
        plan.groupMs = arguments.group.map { $0 * 1_000 }
        let outcome = Simulation.run(plan, storyLines: arguments.story)
        total.withLock { total in
            total.cameraMs += outcome.cameraMs
            total.runs += 1
            for (name, count) in outcome.counts {
                let before = total.counts[name] ?? 0
                total.counts[name] = name.hasPrefix("most ") ? max(before, count) : before + count
            }
            total.faults.merge(outcome.faults, uniquingKeysWith: +)
            guard !outcome.violations.isEmpty else { return }
            total.failed.append(seed)
            print("seed \(seed): a rule does not hold")
            for line in outcome.story { print("  \(line)") }
            for violation in outcome.violations { print("  VIOLATED \(violation)") }
            print("  again: make simulate ARGS=\"\(arguments.again(seed))\"")
            fflush(nil)
        }
        if arguments.seeds == 1 {
            print("seed \(seed): digest \(String(outcome.digest, radix: 16)), \(outcome.ms / 1_000) s of virtual time")
        }
    }
}

let threads = (0..<max(1, arguments.threads)).map { _ in
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        work()
        done.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    return done
}
for done in threads { done.wait() }

let seconds = Double((ContinuousClock.now - began).components.seconds) + 0.001
let all = total.withLock { $0 }
for name in all.counts.keys.sorted() { print("\(name): \(all.counts[name] ?? 0)") }
for fault in Fault.allCases { print("fault \(fault.rawValue): \(all.faults[fault] ?? 0)") }
let hours = Double(all.cameraMs) / 3_600_000
print(
    String(
        format: "%d seeds, %.0f camera-hours in %.0f s, %.0f a second", all.runs, hours, seconds, hours / seconds))
if !all.failed.isEmpty {
    print("seeds that failed: \(all.failed.sorted().map(String.init).joined(separator: " "))")
    exit(1)
}
// A class of fault that never struck was not tried: the run says nothing of it.
let missing = Fault.allCases.filter { all.faults[$0] ?? 0 == 0 }
if hours >= Arguments.faultHours, !missing.isEmpty {
    print("faults that never struck: \(missing.map(\.rawValue).joined(separator: " "))")
    exit(1)
}
