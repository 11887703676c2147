internal import Explorer
internal import Machines

// What must come about, and the cases without which the rest would be empty.
extension SubscriptionWorld {
    /// F-time of model/README.md.
    private static var timePasses: Fairness<Action> {
        Fairness(
            .weak, "F-time",
            because: "the shell steps each machine at its next deadline; the watchdog restarts a process that does not"
        ) { $0.event == .tick }
    }

    static let keepsLoading = Property<SubscriptionWorld>(
        "L the plan is asked for again and again",
        .leadsTo({ _ in true }, { $0.askMs != nil || $0.isStopped }, fairness: { _ in [timePasses] }))

    static let uncoveredIsGone = Property<SubscriptionWorld>(
        "L10 video without a plan is gone in the end",
        .leadsTo(
            { $0.stored && !$0.hasPlan }, { !$0.stored || $0.hasPlan || $0.isStopped },
            fairness: { _ in [timePasses] }))

    static let planEnds = Property<SubscriptionWorld>(
        "L a plan that is not renewed ends",
        .leadsTo({ $0.hasPlan }, { !$0.hasPlan || $0.isStopped }, fairness: { _ in [timePasses] }))

    /// Each is a case that some property speaks of.
    public static let antecedents: [Property<SubscriptionWorld>] =
        Subscription.Report.allCases.map { report in
            Property("S14 reached: \(report.rawValue)", .sometimes { $0.report == report })
        } + [
            Property("S8 reached: stopped", .sometimes(\.isStopped)),
            Property("S8 reached: a drain with a load outstanding", happens { $0.drains && $0.before.askMs != nil }),
            Property("S9 reached: a late answer", happens { $0.ignored == .late }),
            Property("S12 reached: a purge", happens(\.purges)),
            Property(
                "S12 reached: a late upload is purged at once",
                happens { $0.before.goneMs == 0 && $0.event == .stored(true) && $0.purges }),
            Property(
                "S12 reached: stored without a plan, and no end known",
                happens { $0.before.goneMs == nil && !$0.before.hasPlan && $0.event == .stored(true) }),
            Property(
                "S14 reached: uploads go on though the load failed", .sometimes { $0.failed && $0.uploadsAllowed }),
            Property(
                "S14 reached: renewal brings back what was stored",
                happens { $0.before.report == .expiredData && $0.after.report == .validData }),
            Property("S14 reached: the plan ends while a load is outstanding", happens { $0.ended && $0.missed }),
            Property("L reached: a load goes unanswered", happens(\.missed)),
            Property("L reached: the next load is due", happens { $0.reaches($0.before.nextMs) }),
            Property("L reached: a plan, and nothing of it left", happens(\.ended)),
            Property("L reached: video without a plan", .sometimes { $0.stored && !$0.hasPlan }),
        ]

    private static func happens(
        _ holds: @escaping @Sendable (SubscriptionStep) -> Bool
    ) -> Property<SubscriptionWorld>.Question {
        .sometimesStep { holds(SubscriptionStep($0, $1, $2)) }
    }
}
