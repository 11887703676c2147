public import Machines

extension Narrator {
    /// What an upload was told.
    public func words(_ event: Upload.Event) -> String {
        switch event {
        case .tick: "time passed"
        case .progressed(let number, let bytes): "transfer \(number.rawValue): \(bytes) bytes are there"
        case .caughtUp(let number): "transfer \(number.rawValue): all that the open clip holds is there"
        case .uploaded(let number): "transfer \(number.rawValue): everything is there, verified"
        case .putFailed(let number, let why): "transfer \(number.rawValue) failed: \(Self.words(why))"
        case .acked(let number): "record \(number.rawValue) is durable: the upload counts"
        case .ackFailed(let number): "record \(number.rawValue) could not be made durable"
        case .encodeStarted(let number, _): "encoding \(number.rawValue) has begun"
        case .encodeRefused(let number, let why): "encoding \(number.rawValue) was refused: \(Self.words(why))"
        case .polled(let number, let progress): "poll \(number.rawValue): the encoder is \(progress.rawValue)"
        case .pollFailed(let number): "poll \(number.rawValue) was not answered"
        case .webhook(let number, let outcome): "the encoder tells of encoding \(number.rawValue): \(outcome.rawValue)"
        case .discarded(let number): "removal \(number.rawValue): nothing is left there"
        case .discardFailed(let number, let why): "removal \(number.rawValue) failed: \(Self.words(why))"
        case .sealed(let seal): "the clip is closed: \(seal.bytes) bytes"
        case .sourceGone: "the local clip is gone"
        case .allow(let isAllowed): isAllowed ? "it may send" : "it may not send"
        case .cancel: "somebody gives it up"
        case .purge: "what is in the cloud goes by a rule"
        case .delete: "somebody deletes the clip"
        case .reUpload: "somebody asks to send it again"
        case .reEncode: "somebody asks to encode it again"
        case .drain: "Vigil stops"
        }
    }

    private static func words(_ why: Upload.Failure) -> String {
        switch why {
        case .unreachable: "nobody answered"
        case .busy: "the store asks to wait"
        case .again: "it was refused"
        case .final: "it was refused for good"
        }
    }

    /// One order of an upload.
    func words(_ effect: Upload.Effect) -> String {
        switch effect {
        case .abortPut(let number): "end transfer \(number.rawValue)"
        case .cancelEncode(let number): "end encoding \(number.rawValue)"
        case .save(let record, let notice):
            "keep that it is \(record.phase.rawValue)" + (notice.map { ", and tell stage \($0.number)" } ?? "")
        case .release: "the local clip need not wait any more"
        case .put(let number): "transfer \(number.rawValue): send the clip"
        case .recordAck(let number, _, let notice):
            "record \(number.rawValue): keep that the upload counts, and tell stage \(notice.number)"
        case .encode(let number): "encoding \(number.rawValue): begin"
        case .poll(let number, _): "poll \(number.rawValue): ask the encoder"
        case .discard(let number, let rule): "removal \(number.rawValue) by rule \(rule.rawValue)"
        case .dropEncoded: "remove what the encoder has made of it"
        case .report(let phase): "it is \(phase.rawValue)"
        case .refused(let why): "refused: \(why.rawValue)"
        case .ignored(let why): "ignored: \(why.rawValue)"
        case .stopped: "stopped"
        }
    }

    /// The whole machine in one line.
    public func summary(_ machine: Upload) -> String {
        var parts = [machine.state.phase.rawValue]
        if let seal = machine.seal { parts.append("\(seal.bytes) bytes") }
        if case .put(_, let moved, _) = machine.state { parts.append("\(moved) of them are there") }
        if machine.tries > 0 { parts.append("refusals: \(machine.tries)") }
        if machine.outages > 0 { parts.append("outages in a row: \(machine.outages)") }
        parts.append(machine.allowed ? "it may send" : "it may not send")
        if machine.counted { parts.append("it counts") }
        if let due = machine.nextDeadline { parts.append("waits until \(time(due))") }
        if machine.stopped { parts.append("stopped") }
        return parts.joined(separator: ", ")
    }
}
