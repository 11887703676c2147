internal import Explorer
internal import Machines

// The cases without which the properties would be empty.
extension UploadWorld {
    /// Each is a case that some property speaks of.
    public static let antecedents: [Property<UploadWorld>] =
        Upload.Phase.allCases.map { phase in
            Property("S11 reached: \(phase.rawValue)", .sometimes { $0.job.state.phase == phase })
        }
        + ["wait", "put", "ack", "start", "run", "poll"].map { step in
            Property("S8 reached: a drain in \(step)", happens { $0.drains && $0.from.step == step })
        } + [
            Property("S8 reached: stopped", .sometimes(\.job.stopped)),
            Property("S9 reached: a late answer", happens { $0.stale == .late }),
            Property("S10 reached: a transfer is given up", happens { $0.effects.contains(.abortPut(outstanding)) }),
            Property(
                "S10 reached: the encoder is called off", happens { $0.effects.contains(.cancelEncode(outstanding)) }),
            Property(
                "S12 reached: an object that nobody counts",
                happens { $0.cancels && $0.before.sent && !$0.before.counted }),
            Property(
                "S12 reached: the clip is deleted before it was sent", happens { $0.event == .sourceGone && $0.cancels }
            ),
            Property("S15 reached: done without encoding", .sometimes { $0.job.state == .done && !$0.job.encode }),
            Property("S15 reached: cancelled but counted", .sometimes { $0.job.state == .cancelled && $0.job.counted }),
            Property("S15 reached: an acknowledgement is lost", happens { $0.restarts(kept: false, in: "ack") }),
            Property("S15 reached: one that is not", happens { $0.restarts(kept: true, in: "ack") }),
            Property(
                "S15 reached: uploads are no longer allowed during one",
                happens { $0.event == .allow(false) && $0.from.step == "put" }),
            Property("L8 reached: the last try fails", happens { $0.failure == .again && !$0.triesAgain }),
            Property(
                "L8 reached: a failure for good at the first try",
                happens { $0.failure == .final && $0.before.tries == 0 }),
            Property("L8 reached: uploaded again", happens { $0.event == .reUpload && $0.to.step == "put" }),
            Property("L8 reached: encoded again", happens { $0.event == .reEncode && $0.to.step == "start" }),
            Property("L8 reached: the encoder's run is over its bound", happens { $0.runIsOver }),
            Property(
                "L8 reached: that bound and the step's fall together",
                happens { $0.runIsOver && $0.from.leftMs == $0.from.totalMs }),
            Property("L8 reached: done by a poll", happens { $0.event == .polled(.cur, .finished) }),
            Property(
                "L8 reached: done by a webhook before the encoder said that it began",
                happens { $0.from.step == "start" && $0.finishes }),
            Property("L8 reached: an encoder's job is found again", happens { $0.restarts(kept: false, in: "poll") }),
        ]

    private static func happens(
        _ holds: @escaping @Sendable (UploadStep) -> Bool
    ) -> Property<UploadWorld>.Question {
        .sometimesStep { holds(UploadStep($0, $1, $2)) }
    }
}

extension UploadStep {
    fileprivate func restarts(kept: Bool, in step: String) -> Bool {
        event == .restart(kept: kept) && from.step == step
    }
}
