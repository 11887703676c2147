internal import Explorer
internal import Machines

// The cases without which the properties would be empty.
extension UploadWorld {
    /// Each is a case that some property speaks of.
    public static let antecedents: [Property<UploadWorld>] =
        Upload.Phase.allCases.map { phase in
            Property("S11 reached: \(phase.rawValue)", .sometimes { $0.job.state.phase == phase })
        }
        + ["wait", "put", "ack", "ackWait", "start", "run", "poll", "discard"].map { step in
            Property("S8 reached: a drain in \(step)", happens { $0.drains && $0.from.step == step })
        } + [
            Property("S8 reached: stopped", .sometimes(\.job.stopped)),
            Property("S9 reached: a late answer", happens { $0.stale == .late }),
            Property("S10 reached: a transfer is given up", happens { $0.effects.contains(.abortPut(outstanding)) }),
            Property(
                "S10 reached: the encoder is called off", happens { $0.effects.contains(.cancelEncode(outstanding)) }),
            Property(
                "S10 reached: what was encoded of a clip that stays goes",
                happens { $0.effects.contains(.dropEncoded) }),
            Property(
                "S12 reached: cancelled while it is sent",
                happens { $0.event == .cancel && $0.effects.contains(discard(.cancelled)) }),
            Property(
                "S12 reached: the clip is deleted before anything was sent",
                happens { $0.event == .sourceGone && $0.asked != nil && !$0.before.sent }),
            Property("S12 reached: purged when it is done", happens { $0.event == .purge && $0.from.phase == .done }),
            Property("S17 reached: asked for again, a stage comes again", happens { $0.isToldAgain }),
            Property(
                "S17 reached: a deletion overtakes an acknowledgement",
                happens { $0.event == .delete && $0.from.acknowledges && !$0.before.stopped }),
            Property(
                "S17 reached: an acknowledgement is found whose answer was lost",
                happens { $0.restarts(kept: true, in: "ackWait") }),
            Property("S18 reached: all of an open clip is sent", .sometimes { $0.job.isWaitingForClip }),
            Property(
                "S18 reached: the clip is closed while it is sent",
                happens { $0.before.isWaitingForClip && $0.seals }),
            Property(
                "S18 reached: a restart while an open clip is sent",
                happens { $0.restarts && $0.from.step == "put" && $0.before.seal == nil }),
            Property(
                "S18 reached: nothing is left of an open clip of which something was sent",
                happens { $0.event == .sourceGone && $0.before.sent && $0.before.seal == nil && $0.asked != nil }),
            Property("S19 reached: an outage as long as waits grow", .sometimes { $0.job.outages == 2 }),
            Property("S19 reached: a transfer without progress", happens { $0.isDue && $0.from.moved }),
            Property(
                "S19 reached: progress ends an outage",
                happens { $0.event == .progressed(.cur) && $0.before.outages > 0 && $0.after.outages == 0 }),
            Property(
                "S19 reached: the bound of the encoder's run passes in an outage",
                happens { $0.event == .pollFailed(.cur) && $0.runIsOver }),
            Property(
                "S20 reached: a removal goes on after a restart", happens { $0.restarts(kept: false, in: "discard") }),
            Property(
                "S20 reached: purged, and sent again because somebody asks",
                happens { $0.from.phase == .purged && $0.to.step == "put" }),
            Property(
                "S20 reached: a removal that failed begins anew",
                happens { $0.from.phase == .removeFailed && $0.to.step == "discard" }),
            Property(
                "D9 reached: a person deletes what is being purged",
                happens { $0.event == .delete && $0.from.aim == .purged && $0.to.aim == .deleted }),
            Property(
                "D9 reached: a person deletes what is being sent",
                happens { $0.event == .delete && $0.from.step == "put" }),
            Property("S15 reached: done without encoding", .sometimes { $0.job.state == .done && !$0.job.encode }),
            Property("S15 reached: cancelled but counted", .sometimes { $0.job.state == .cancelled && $0.job.counted }),
            Property("S15 reached: an acknowledgement is lost", happens { $0.restarts(kept: false, in: "ack") }),
            Property("S15 reached: one that is not", happens { $0.restarts(kept: true, in: "ack") }),
            Property(
                "S15 reached: uploads are no longer allowed during one",
                happens { $0.event == .allow(false) && $0.from.step == "put" }),
            Property("L8 reached: the last try fails", happens { $0.refused == .again && !$0.triesAgain }),
            Property(
                "L8 reached: a failure for good at the first try",
                happens { $0.refused == .final && $0.before.tries == 0 }),
            Property("L8 reached: uploaded again", happens { $0.event == .reUpload && $0.to.step == "put" }),
            Property("L8 reached: encoded again", happens { $0.event == .reEncode && $0.to.step == "start" }),
            Property(
                "L8 reached: the encoder still runs after its bound",
                happens { $0.event == .polled(.cur, .running) && $0.runIsOver }),
            Property("L8 reached: done by a poll", happens { $0.event == .polled(.cur, .finished) }),
            Property(
                "L8 reached: done by a webhook before the encoder said that it began",
                happens { $0.from.step == "start" && $0.finishes }),
            Property("L8 reached: an encoder's job is found again", happens { $0.restarts(kept: false, in: "poll") }),
        ]

    private static func discard(_ rule: Upload.Rule) -> Upload.Effect {
        .discard(Upload.OrderNumber(outstanding.rawValue + 1), rule)
    }

    private static func happens(
        _ holds: @escaping @Sendable (UploadStep) -> Bool
    ) -> Property<UploadWorld>.Question {
        .sometimesStep { holds(UploadStep($0, $1, $2)) }
    }
}

extension Upload {
    /// All that the open clip holds has been sent.
    fileprivate var isWaitingForClip: Bool { if case .put(_, _, until: nil) = state { true } else { false } }
}

extension UploadStep {
    /// A stage that the job had left is told anew.
    fileprivate var isToldAgain: Bool {
        event == .reUpload && after.stage == .uploading && before.stage == .uploadFailed
    }

    fileprivate func restarts(kept: Bool, in step: String) -> Bool {
        event == .restart(kept: kept) && from.step == step
    }
}
