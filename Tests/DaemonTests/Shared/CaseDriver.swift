import Foundation

/// What a case may do, and how far what it did was off its plan. Used by the case's thread only.
final class CaseDriver {
    let camera: String
    let scene: Scene
    let daemon: RunningDaemon
    private let poller: StatePoller
    /// Events before this performance.
    private let before: Int
    /// Detections by command: when they are planned, from the first, and between which moments the daemon took them; in
    /// milliseconds, since boot.
    private var given: [(plan: Int, sent: Int, answered: Int)] = []
    /// By how much at most something else came too late, in milliseconds.
    private var lateMs = 0

    init(_ camera: String, _ daemon: RunningDaemon, _ rig: Rig, _ poller: StatePoller) throws {
        self.camera = camera
        self.daemon = daemon
        self.poller = poller
        scene = rig.scene(camera)
        before = try poller.wait("\(camera) is quiet") { view in
            view.triggers[camera] == "quiet" ? view.events[camera]?.count ?? 0 : nil
        }
    }

    // MARK: What happens

    /// Detections by command at these seconds from the first.
    func detect(_ seconds: [Double]) throws {
        for second in seconds {
            let plan = Int(second * 1_000)
            // A command takes some 80 ms from here to the daemon.
            if let first = given.first { Self.sleep(until: first.answered + plan - 50) }
            let sent = Rig.now()
            try run(["trigger", camera])
            given.append((plan, sent, Rig.now()))
        }
    }

    /// A command at a second from the first detection by command.
    func then(_ words: [String], at second: Double) throws {
        guard let first = given.first else { return }
        let plan = first.answered + Int(second * 1_000)
        Self.sleep(until: plan - 50)
        try run(words)
        lateMs = max(lateMs, Rig.now() - plan)
    }

    /// A burst at a moment, in milliseconds since boot.
    func burst(at moment: Int) throws {
        Self.sleep(until: moment)
        let count = scene.rig.happened("switch", at: camera).count
        try scene.burst()
        lateMs = max(lateMs, abs(try scene.rig.switched(camera, after: count) - moment))
    }

    /// A burst as soon as the event of this number has ended.
    func burst(onEndOf number: Int) throws {
        try endedJustNow(number)
        try burst(at: Rig.now())
    }

    /// Lets the scene move on for a time after the end of the event of this number, in milliseconds, and rest then.
    func rest(_ ms: Int, afterEndOf number: Int) throws {
        try endedJustNow(number)
        let moment = Rig.now() + ms
        Self.sleep(until: moment)
        let count = scene.rig.happened("switch", at: camera).count
        try scene.rest()
        lateMs = max(lateMs, try scene.rig.switched(camera, after: count) - moment)
    }

    /// A command that must be obeyed.
    func run(_ words: [String]) throws {
        let answer = try daemon.vigil(words)
        guard answer.status == 0 else { throw StatePoller.DidNotCome(what: "\(words)", log: answer.errors) }
    }

    /// A case is a plan of moments, which are what it tests: nothing comes that could be waited for instead. What was late is
    /// measured (`offMs`), and judges whether the case counts.
    static func sleep(until moment: Int) {
        let left = moment - Rig.now()
        if left > 0 { Thread.sleep(forTimeInterval: Double(left) / 1_000) }
    }

    // MARK: What came of it

    /// By how much at most a stimulus came too early or too late, in milliseconds.
    func offMs() throws -> Int {
        guard given.count > 1 else { return lateMs }
        let begun = try begun(1)
        return given.dropFirst().reduce(lateMs) { off, one in
            max(off, one.plan - (one.sent - begun), one.answered - begun - one.plan)
        }
    }

    /// The events of this performance.
    var events: [ReportedEvent] {
        get throws { try poller.wait("events") { Array(($0.events[camera] ?? []).dropFirst(before)) } }
    }

    /// When the event of this number (1 or more) began, in milliseconds since boot.
    func begun(_ number: Int) throws -> Int {
        try poller.wait("event \(number) of \(camera)") { view in
            let events = (view.events[camera] ?? []).dropFirst(before)
            return events.dropFirst(number - 1).first?.startedMonotonicMs
        }
    }

    /// Waits for the end of the event of this number.
    func ended(_ number: Int) throws {
        _ = try poller.wait("the end of event \(number) of \(camera)") { view in
            (view.events[camera] ?? []).dropFirst(before).dropFirst(number - 1).first?.ended
        }
    }

    /// How long after its end an event's end is known, in milliseconds: what asks for it is a process of its own.
    private static let toldMs = 600

    /// Waits for the end of the event of this number, after which something is to follow soon.
    private func endedJustNow(_ number: Int) throws {
        try ended(number)
        guard let event = try events.dropFirst(number - 1).first else { return }
        let end = event.startedMonotonicMs + (try lengthMs(event.start, event.end))
        lateMs = max(lateMs, Rig.now() - end - Self.toldMs)
    }

    /// Waits until every clip is whole.
    func closed() throws {
        _ = try poller.wait("the clips of \(camera)") { $0.recorders[camera] == "idle" ? true : nil }
    }

    /// Waits until nothing is active and no blind time runs.
    func quiet() throws {
        _ = try poller.wait("\(camera) is quiet") { $0.triggers[camera] == "quiet" ? true : nil }
    }
}
