internal import Explorer

/// A fact that comes late, asked of each state of a world: what was due before it is applied in the same step, at its own instant.
///
/// The machine is stepped with each fact of the alphabet one, two and three ticks after the state, without a tick before it, and once
/// more tick by tick. Both must give the same effects in the same order and end in the same state. So deadlines that fall together, a
/// fact at the very deadline, and several ticks at once are among the cases; that some of these have several instants due is asked too.
struct LateFacts<M: LateWorld> {
    let world: M
    let graph: Graph<M>
    /// Two deadlines can fall together in this world.
    let haveTies: Bool

    private static var delays: ClosedRange<Int64> { 1...3 }

    static func promises(haveTies: Bool) -> [String] {
        [applied, nothingIsDue, severalAreDue, atTheInstant, afterIt, together] + (haveTies ? [tied] : [])
    }
    private static var applied: String { "Step a fact that comes late finds what the ticks before it would have left" }
    private static var nothingIsDue: String { "Step nothing is due when a tick is over" }
    private static var severalAreDue: String { "Step deadlines of several instants are due before one fact" }
    private static var atTheInstant: String { "Step a fact comes at the very instant of a deadline" }
    private static var afterIt: String { "Step a fact comes after a deadline that nothing came at" }
    private static var together: String { "Step two ticks come as one" }
    private static var tied: String { "Step deadlines of one instant are due before one fact" }

    /// The complaints by promise, and how many steps were compared.
    func check() -> (complaints: [String: String], compared: Int) {
        var complaints: [String: String] = [:]
        var compared = 0
        var met: Set<String> = []
        for (node, state) in graph.states.enumerated() {
            let machine = world.machine(in: state)
            for ticks in Self.delays {
                var punctual = machine
                var told: [M.Answer] = []
                var instants: [Int64] = []
                for tick in 1...ticks {
                    if world.isDue(punctual, in: state, after: tick) { instants.append(tick) }
                    if world.deadlines(of: punctual, in: state).count(where: { $0 == tick }) > 1 {
                        met.insert(Self.tied)
                    }
                    told += world.step(&punctual, nil, in: state, after: tick)
                }
                let facts = world.facts(in: state)
                met.formUnion(Self.cases(instants, facts.map(world.text(of:)), ticks))
                if world.isDue(punctual, in: state, after: ticks), complaints[Self.nothingIsDue] == nil {
                    complaints[Self.nothingIsDue] = story(Self.nothingIsDue, node, nil, ticks, "\(told)")
                }
                for fact in facts {
                    compared += 1
                    var late = machine
                    let answers = world.step(&late, fact, in: state, after: ticks)
                    var expected = punctual
                    let answered = told + world.step(&expected, fact, in: state, after: ticks)
                    if answers != answered || late != expected, complaints[Self.applied] == nil {
                        complaints[Self.applied] = story(
                            Self.applied, node, fact, ticks, "\(answers)\nwhere ticks first give\n\(answered)")
                    }
                }
            }
        }
        for name in Self.promises(haveTies: haveTies).dropFirst(2) where !met.contains(name) {
            complaints[name] = "\(name): never happens"
        }
        return (complaints, compared)
    }

    /// What the facts of a state are cases of, so many ticks after it, where something was due at these instants.
    private static func cases(_ instants: [Int64], _ facts: [String], _ ticks: Int64) -> Set<String> {
        var cases: Set<String> = []
        let areFacts = facts.contains { $0 != "tick" }
        if instants.count > 1, areFacts { cases.insert(severalAreDue) }
        if instants == [ticks], areFacts { cases.insert(atTheInstant) }
        if instants.contains(where: { $0 < ticks }), areFacts { cases.insert(afterIt) }
        if ticks > 1, facts.contains("tick"), !instants.isEmpty { cases.insert(together) }
        return cases
    }

    private func story(_ promise: String, _ node: Int, _ fact: M.Event?, _ ticks: Int64, _ rest: String) -> String {
        let fact = fact.map(world.text(of:)) ?? "tick"
        return "\(promise): fails \(ticks) ticks after\n\(world.text(of: graph.states[node]))\nwith \(fact):\n\(rest)"
    }
}

extension Subject {
    /// A world in which facts come late.
    init<M: LateWorld>(
        late name: String, _ world: @escaping @autoclosure @Sendable () -> M, size: Size = .everyday,
        haveTies: Bool = true
    ) {
        let promises = LateFacts<M>.promises(haveTies: haveTies)
        self.init(
            name: "\(name).late", size: size, promises: promises,
            check: {
                let world = world()
                let graph = try Graph(world)
                let (complaints, compared) = LateFacts(world: world, graph: graph, haveTies: haveTies).check()
                return Finding(
                    states: graph.states.count, edges: compared, depth: graph.depth.max() ?? 0,
                    verdicts: promises.map { ($0, complaints[$0]) })
            },
            lines: { [] })
    }

    /// Each machine with facts that come late.
    public static func late() -> [Subject] {
        [CameraConfiguration.link, .linkFirst, .trigger, .event, .cont, .eventSchedule, .slow, .slowCont].map {
            Subject(late: "Camera-\($0.name)", CameraWorld($0))
        }
            + [
                CameraConfiguration.linkFull, .triggerFull, .product, .schedule, .timetable, .mixed, .slowFull, .small,
            ].map { Subject(late: "Camera-\($0.name)", CameraWorld($0), size: .large) }
            + [
                Subject(late: "Session", SessionWorld(.all), size: .large),
                Subject(late: "Session-preview", SessionWorld(.preview)),
                Subject(late: "Session-playback", SessionWorld(.playback)),
                Subject(late: "Subscription", SubscriptionWorld()),
                Subject(late: "Subscription.ending", SubscriptionWorld.ending),
                Subject(late: "Transport", TransportWorld()),
                Subject(late: "Transport.options", TransportWorld.options),
                Subject(late: "Upload", UploadWorld(), size: .large, haveTies: false),
                Subject(late: "Upload-story", UploadWorld(retries: 1, .story), haveTies: false),
            ]
    }
}
