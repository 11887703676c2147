internal import Explorer
internal import Machines

// What must hold of a transport in every world.
extension TransportWorld {
    /// What is asked in every world.
    public var properties: [Property<TransportWorld>] {
        safety + facts + windows + blindTime + requests + [Self.blindEnds]
    }
    /// What is asked where nobody asks for anything.
    public var calmProperties: [Property<TransportWorld>] { properties + [Self.windowEnds] }

    func steps(_ name: String, _ holds: @escaping @Sendable (TransportStep) -> Bool) -> Property<TransportWorld> {
        Property(name, .steps { holds(TransportStep(self, $0, $1, $2)) })
    }

    func steps(
        restating name: String, _ holds: @escaping @Sendable (TransportStep) -> Bool
    ) -> Property<TransportWorld> {
        Property(restating: name, .steps { holds(TransportStep(self, $0, $1, $2)) })
    }

    private var safety: [Property<TransportWorld>] {
        [
            steps("S6 after each step it records exactly if it may and its trigger says so") { step in
                !step.missesFirst && (step.after.recording != nil) == step.after.mayRecord
            },
            steps("S3 a recording ends for the cause that came, and motion ends none") { step in
                step.ends.allSatisfy { Self.expected($0, step) }
            },
            steps("S11 what begins has not begun, and what ends has: begins and ends alternate") { step in
                var isOpen = step.before.recording != nil
                for effect in step.effects {
                    switch effect {
                    case .begin:
                        if isOpen { return false }
                        isOpen = true
                    case .end:
                        if !isOpen { return false }
                        isOpen = false
                    case .refused, .ignored, .removed, .stopped: break
                    }
                }
                return isOpen == (step.after.recording != nil)
            },
            steps("S11 a recording ends where what it is for ends, and nowhere else") { step in
                let isContinuous = step.before.trigger == .continuous
                let ends = step.isLast || step.forgets || step.isDue && !isContinuous
                return step.ends.count == (ends && step.before.recording != nil ? 1 : 0)
            },
            steps("S11 what begins has the number after the last one, and what ends the number that began") { step in
                var number = step.before.recordings
                return step.effects.allSatisfy { effect in
                    switch effect {
                    case .begin(let begun, _):
                        number += 1
                        return begun == RecordingNumber(rawValue: number)
                    case .end(let ended, _): return ended == RecordingNumber(rawValue: number)
                    case .refused, .ignored, .removed, .stopped: return true
                    }
                }
            },
            steps("S11 a recording says what began it") { step in
                step.begins.allSatisfy { cause in
                    switch Self.kind(step.after.trigger) {
                    case .continuous: cause == .continuous
                    case .command: cause == .command
                    case .motion: cause == (step.after.window?.commanded == true ? .command : .motion)
                    }
                }
            },
            steps("S8 once over nothing happens") { step in
                step.before.phase != .over
                    || step.after == step.before && step.effects == (step.event == .tick ? [] : [.ignored(.over)])
            },
            Property(
                "S8 what is over holds nothing, owes nothing and records nothing",
                .always {
                    $0.phase != .over
                        || $0.nextDeadline == nil && $0.recording == nil && $0.expiry == nil && !$0.held
                            && $0.block == nil && $0.status == .inactive
                }),
            steps("S8 it is over when it is removed, when its time is over and when it is drained, and never else") {
                $0.before.phase == .over || $0.isLast == ($0.after.phase == .over)
            },
            steps("S8 the last order comes once, when it is over, and nothing follows it") { step in
                let orders = step.effects.indices.filter { step.effects[$0].isLast }
                guard step.isLast else { return orders.isEmpty }
                let last: PushTransport.Effect =
                    step.event == .drain ? .stopped : .removed(step.event == .deallocated ? .deallocated : .expired)
                return orders == [step.effects.count - 1] && step.effects.last == last
            },
        ]
    }

    /// Whether `why` is the cause of an end in this step.
    private static func expected(_ why: PushTransport.Why, _ step: TransportStep) -> Bool {
        switch step.event {
        case .tick:
            if step.runsOut { return why == .expired }
            guard step.isDue, let window = step.before.window else { return false }
            return why == (window.end > window.limit ? .limit : .quiet)
        case .status(.inactive): return why == .inactive
        case .modified: return why == .modified && step.isOfAnotherKind
        case .blocked(.privacy): return why == .privacy
        case .blocked(.disabled): return why == .disabled
        case .blocked(.off): return why == .off
        case .deallocated: return why == .deallocated
        case .drain: return why == .draining
        case .motion, .held, .triggered, .status(.active), .blocked(nil): return false
        }
    }

    // MARK: What must come about

    /// F-time of model/README.md.
    private static var timePasses: Fairness<Action> {
        Fairness(
            .weak, "F-time",
            because: "the shell steps each machine at its next deadline; the watchdog restarts a process that does not"
        ) { $0.event == .tick }
    }

    private static let blindEnds = Property<TransportWorld>(
        "L7 blind time ends",
        .leadsTo({ $0.blindMs != nil }, { $0.blindMs == nil }, fairness: { _ in [timePasses] }))

    private static let windowEnds = Property<TransportWorld>(
        "S4 however much moves, a recording of motion ends",
        .leadsTo({ $0.window != nil }, { $0.window == nil }, fairness: { _ in [timePasses] }))

    /// Each is a case that some property speaks of.
    public var cases: [Property<TransportWorld>] {
        PushTransport.Why.allCases.map { why in
            Property("S3 reached: \(why.rawValue)", happens { $0.ends.contains(why) })
        }
            + PushTransport.Cause.allCases.map { cause in
                Property("S11 reached: begun by \(cause.rawValue)", happens { $0.begins.contains(cause) })
            } + [
                Property("S5 reached: motion in blind time", happens { $0.effects == [.ignored(.blind)] }),
                Property(
                    "S5 reached: a command in blind time",
                    happens { $0.before.blindMs != nil && $0.after.window != nil }),
                Property(
                    "S4 reached: motion that comes too early to prolong", happens { $0.effects == [.ignored(.early)] }),
                Property(
                    "S4 reached: a command that lifts the limit of a recording of motion",
                    happens { step in
                        guard case .triggered = step.event, let before = step.before.window,
                            let after = step.after.window
                        else {
                            return false
                        }
                        return !before.commanded && after.limit > before.limit
                    }),
                Property(
                    "T6 reached: what is held goes on beyond the limit",
                    happens { !$0.ends.isEmpty && !$0.begins.isEmpty }),
                Property("T7 reached: remembered motion", .sometimes { $0.window != nil && $0.status == .inactive }),
            ]
    }

    private func happens(
        _ holds: @escaping @Sendable (TransportStep) -> Bool
    ) -> Property<TransportWorld>.Question {
        .sometimesStep { holds(TransportStep(self, $0, $1, $2)) }
    }
}
