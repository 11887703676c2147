public import Machines

// The notation of model/README.md "Lines".
extension UploadWorld {
    /// The state: the phase, then fields.
    public func text(of state: State) -> String {
        let job = state.job, shape = UploadShape(job)
        func ticks(_ ms: Int64?) -> String { ms.map { "\($0 / Self.tickMs)" } ?? "-" }
        var line = LineText(head: shape.phase.rawValue)
        line.field("step", shape.step)
        line.field("left", ticks(shape.leftMs))
        line.field("total", ticks(shape.totalMs))
        line.flag("moved", shape.moved)
        line.field("tries", "\(job.tries)", resting: "0")
        line.field("outages", "\(job.outages)", resting: "0")
        line.flag("allowed", job.allowed)
        line.flag("encode", job.encode)
        line.flag("sealed", job.seal != nil)
        line.flag("sent", job.sent)
        line.flag("counted", job.counted)
        line.field("aim", shape.aim?.rawValue ?? "-")
        line.field("stage", job.stage.rawValue, resting: shape.phase.rawValue)
        line.flag("stopped", job.stopped)
        return line.text
    }

    /// The event.
    public func text(of event: Event) -> String {
        switch event {
        case .tick: "tick"
        case .sealed: "sealed"
        case .cancel: "cancel"
        case .sourceGone: "sourceGone"
        case .purge: "purge"
        case .delete: "delete"
        case .reUpload: "reUpload"
        case .reEncode: "reEncode"
        case .drain: "drain"
        case .allow(let allowed): .call("allow", allowed ? "1" : "0")
        case .restart(let kept): .call("restart", kept ? "kept" : "lost")
        case .progressed(let number): .call("progressed", number.rawValue)
        case .caughtUp(let number): .call("caughtUp", number.rawValue)
        case .uploaded(let number): .call("uploaded", number.rawValue)
        case .putFailed(let number, let failure): .call("putFailed", number.rawValue, failure.rawValue)
        case .acked(let number): .call("acked", number.rawValue)
        case .ackFailed(let number): .call("ackFailed", number.rawValue)
        case .encodeStarted(let number): .call("encodeStarted", number.rawValue)
        case .encodeRefused(let number, let failure): .call("encodeRefused", number.rawValue, failure.rawValue)
        case .polled(let number, let progress): .call("polled", number.rawValue, progress.rawValue)
        case .pollFailed(let number): .call("pollFailed", number.rawValue)
        case .webhook(let number, let outcome): .call("webhook", number.rawValue, outcome.rawValue)
        case .discarded(let number): .call("discarded", number.rawValue)
        case .discardFailed(let number, let failure): .call("discardFailed", number.rawValue, failure.rawValue)
        }
    }

    /// The effect, without its number.
    public func text(of effect: Upload.Effect) -> String? {
        switch effect {
        case .abortPut: "abortPut"
        case .cancelEncode: "cancelEncode"
        case .save(_, let notice): notice.map { .call("save", $0.stage.rawValue) } ?? "save"
        case .release: "release"
        case .put: "put"
        case .recordAck(_, _, let notice): .call("recordAck", notice.stage.rawValue)
        case .encode: "encode"
        case .poll: "poll"
        case .discard(_, let rule): .call("discard", rule.rawValue)
        case .dropEncoded: "dropEncoded"
        case .report(let phase): .call("report", phase.rawValue)
        case .refused(let why): .call("refused", why.rawValue)
        case .ignored(let why): .call("ignored", why.rawValue)
        case .stopped: "stopped"
        }
    }
}
