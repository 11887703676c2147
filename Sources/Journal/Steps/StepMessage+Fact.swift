public import Machines

extension StepMessage {
    /// A clip is open: as ordered, from `start` on. `clip` and `chainedTo` are ids of the catalog.
    public static func clipOpened(
        _ order: Camera.ClipOrder, start: Instant, shortfall: Shortfall?, clip: String? = nil, chainedTo: String? = nil
    ) -> StepMessage {
        var fields: [(field: Field, value: String?)] = [(.clip, clip), (.cause, order.cause.rawValue)]
        if order.preRollMs > 0 {
            fields.append((.preRollPromisedMs, "\(order.preRollMs)"))
            fields.append((.preRollDeliveredMs, "\(max(0, order.trigger - start))"))
        }
        if let shortfall { fields.append((.shortfall, shortfall.rawValue)) }
        if let chainedTo { fields.append((.chainedTo, chainedTo)) }
        return StepMessage(.clipOpened, fields, optional: [.chainedTo])
    }

    /// A dial failed, or was lost, and the input says why; a detail where it knows more.
    public static func failed(_ kind: MessageKind, _ why: LinkFailure) -> StepMessage {
        StepMessage(kind, [(.why, why.rawValue)], optional: [.detail])
    }

    /// A clip is durable and its row closed. Length and size are known to who wrote it.
    public static func clipClosed(clip: String?, why: ClipEnd?) -> StepMessage {
        StepMessage(
            .clipClosed, [(.clip, clip), (.why, why?.rawValue), (.durationMs, nil), (.bytes, nil)],
            optional: [.damagedFrames])
    }

    /// A clip could not be closed as it should; the cause is known to who wrote it.
    public static func clipIncomplete(clip: String?) -> StepMessage {
        StepMessage(.clipIncomplete, [(.clip, clip), (.detail, nil)])
    }
}
