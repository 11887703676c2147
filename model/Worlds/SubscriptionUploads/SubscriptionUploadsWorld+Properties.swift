internal import Explorer
internal import Machines

// What must hold of a subscription with an upload, written from docs/design/rules.md.
extension SubscriptionUploadsWorld {
    /// One step, with the words that the properties are written in.
    struct Move {
        let before: State
        let event: Event
        let effects: [Effect]
        let after: State

        /// What is stored is purged by the subscription.
        var purges: Bool { effects.contains(.plan(.purgeRemote(.planRetention))) }
        /// Somebody asks to send it again.
        var asks: Bool { event == .job(.reUpload) }
        /// Some order of this kind was given to the cloud.
        func orders(_ kind: (Upload.Effect) -> Bool) -> Bool {
            effects.contains { if case .job(let effect) = $0 { kind(effect) } else { false } }
        }
        /// A transfer was broken off.
        var aborts: Bool { orders { if case .abortPut = $0 { true } else { false } } }
        /// A transfer was ordered.
        var puts: Bool { orders { if case .put = $0 { true } else { false } } }
    }

    private typealias Promise = Property<SubscriptionUploadsWorld>

    private static func moves(_ name: String, _ holds: @escaping @Sendable (Move) -> Bool) -> Promise {
        Promise(name, .steps { holds(Move(before: $0, event: $1.event, effects: $1.effects, after: $2)) })
    }

    private static func some(_ name: String, _ holds: @escaping @Sendable (Move) -> Bool) -> Promise {
        Promise(name, .sometimesStep { holds(Move(before: $0, event: $1.event, effects: $1.effects, after: $2)) })
    }

    /// What is asked in every world.
    public static let properties: [Property<SubscriptionUploadsWorld>] = [
        Promise(
            "S21 a transfer is under way only while a plan is active",
            .always { state in if case .put = state.job.state { state.isActive } else { true } }),
        Promise("S21 the job knows whether a plan is active", .always { $0.job.allowed == $0.isActive }),
        moves("S21 after a purge nothing counts") { !$0.purges || !$0.after.job.counted },
        moves("S21 what comes to count after the retention is purged when the subscription hears of it") { move in
            move.event != .stored || move.before.isCovered || !move.after.job.counted
        },
        Promise(
            "S21 what counts after the retention is known to be purged, or still to be told",
            .always { state in
                !state.job.counted || state.isCovered || state.owesStored
                    || state.plan.load == .next(at: SubscriptionWorld.zero)
            }),
        moves("S20 no renewal and no restart sends again what was purged or deleted") { move in
            let removed: Set<Upload.Phase> = [.removing, .removeFailed, .purged, .deleted]
            let isSent = [.queued, .uploading].contains(move.after.job.state.phase)
            return !removed.contains(move.before.job.state.phase) || !isSent || move.asks
        },
        moves("S20 a removal goes on whatever becomes of the plan") { move in
            move.before.job.state.phase != .removing || move.event == .job(.discarded(.cur))
                || move.after.job.state.phase == .removing
        },
        moves("S20 a purge leaves a job of which nothing was sent") { move in
            !move.purges || move.before.job.sent || move.after.job.state.phase == move.before.job.state.phase
        },
        moves("S15 what counts under a plan stays, whatever loads and time bring") { move in
            guard move.before.job.counted, move.before.isActive, move.after.isActive else { return true }
            return move.after.job.counted || move.event == .job(.delete)
        },
    ]

    /// Each is a case that some property speaks of.
    public static let cases: [Property<SubscriptionUploadsWorld>] = [
        some("S21 reached: the plan ends while a clip is sent") {
            $0.before.isActive && !$0.after.isActive && $0.aborts
        },
        some("S21 reached: the plan ends when another try is due") { move in
            guard move.event == .tick, case .queuedWait(let until) = move.before.job.state else { return false }
            return move.before.isActive && !move.after.isActive && until == UploadWorld.tick
        },
        some("S21 reached: purged when it is done") { $0.purges && $0.before.job.state == .done },
        some("S21 reached: an acknowledgement after the retention") { move in
            !move.before.isCovered && move.event == .job(.acked(.cur))
        },
        some("S21 reached: it is purged when the subscription hears of it") { move in
            move.event == .stored && !move.before.isCovered && move.purges
        },
        some("S21 reached: an acknowledgement after the retention is found by a restart") { move in
            move.event == .restart(kept: true) && !move.before.isCovered && !move.before.job.counted
                && move.after.job.counted
        },
        some("S15 reached: renewed before the purge") {
            $0.before.job.counted && !$0.before.isActive && $0.after.isActive
        },
        some("S20 reached: renewed after the purge") { move in
            move.before.job.state == .purged && !move.before.isActive && move.after.isActive
        },
        some("S20 reached: renewed while it is removed") { move in
            move.before.job.state.phase == .removing && !move.before.isActive && move.after.isActive
        },
        some("S20 reached: sent again after a renewal, because somebody asks") { $0.asks && $0.puts },
        some("S20 reached: asked for without a plan") { $0.asks && $0.after.job.state == .queued },
    ]

    private static let timePasses: @Sendable (SubscriptionUploadsWorld) -> [Fairness<Action>] = { _ in
        [
            Fairness(
                .weak, "F-time",
                because:
                    "the shell steps each machine at its next deadline; the watchdog restarts a process that does not"
            ) { $0.event == .tick },
            Fairness(.weak, "F-mail", because: "each message is a turn of a serial queue") { $0.event == .stored },
        ]
    }

    /// What is asked where the provider does not move the dates of a plan.
    public static let steadyProperties: [Property<SubscriptionUploadsWorld>] = [
        Promise(
            "L10 what counts without a plan is purged in the end",
            .leadsTo({ $0.job.counted && !$0.isActive }, { !$0.job.counted || $0.isActive }, fairness: timePasses))
    ]
}
