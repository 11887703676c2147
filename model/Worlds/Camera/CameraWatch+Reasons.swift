internal import Machines

// What counts, what does not, and why, as somebody sees it who was told everything.
extension CameraWatch {
    /// Why no trigger counts, not even silently.
    private func forbids(_ view: CameraConfiguration) -> Camera.Suppression? {
        draining ? .draining : hard || soft ? .privacy : view.start.policy.mode == .off ? .off : nil
    }

    private var isBlind: Bool { blindOwed || blind > 0 }

    /// Judges what became of the trigger, if one came.
    func triggers(
        _ fact: CameraFact, _ effects: [Camera.Effect], _ before: CameraWatch, _ view: CameraConfiguration,
        _ judgement: inout Judgement
    ) {
        var reasons: [Camera.Suppression] = [], refusals: [Camera.Suppression] = []
        var noted = 0, began = 0, prolonged = 0
        for effect in effects {
            switch effect {
            case .report(.suppressed(_, let why)): reasons.append(why)
            case .report(.refused(let why)): refusals.append(why)
            case .noteDetection: noted += 1
            case .report(.eventBegan): began += 1
            case .report(.eventProlonged): prolonged += 1
            default: break
            }
        }
        switch fact {
        case .detected(let level, let inZone):
            // A source that is on while recording is disabled has a say of its own.
            let own = before.source != nil && !enabled ? reasons.filter { $0 != .disabled } : reasons
            judgement.demand(noted + own.count == 1 || own.isEmpty && noted == 0 && !reasons.isEmpty, .suppressed)
            let why = before.reason(level, inZone, view)
            judgement.demand(why.map { reasons.contains($0) } ?? (noted == 1), .reason)
            if why == nil { judgement.demand(began == (before.until == nil ? 1 : 0), .begins) }
            if why == nil, before.mayProlong(view) { judgement.demand(prolonged == 1, .prolongs) }
            if before.isBlind { judgement.demand(noted == 0, .blind) }
        case .command:
            let why = forbids(view) ?? (enabled ? nil : .disabled)
            judgement.demand(refusals == (why.map { [$0] } ?? []), .reason)
            judgement.demand((until != nil) == (why == nil || before.until != nil), .begins)
        case .asserted:
            if let why = forbids(view) {
                judgement.demand(reasons == (before.source == nil ? [why] : []), .suppressed)
            }
        default:
            judgement.demand(noted == 0 && refusals.isEmpty && (reasons.isEmpty || source != nil), .suppressed)
        }
        // A source that is on begins an event as soon as one may begin.
        if source != nil, forbids(view) == nil, enabled, !isBlind { judgement.demand(until != nil, .source) }
        if forbids(view) != nil || !enabled { judgement.demand(until == nil, .longest) }
        if fact == .tick, before.blindOwed || before.blind > 0, blind == 0, !blindOwed {
            judgement.demand(until == nil || began == 1, .blind)
        }
    }

    private func reason(_ level: Sensitivity, _ inZone: Bool, _ view: CameraConfiguration) -> Camera.Suppression? {
        if let why = forbids(view) { return why }
        if !inZone { return .zone }
        if level > view.start.policy.sensitivity { return .sensitivity }
        if isBlind { return .blind }
        return enabled ? nil : .disabled
    }

    /// It must: an event that no command took part in, all of which was told, whose window has passed once, and that has room.
    private func mayProlong(_ view: CameraConfiguration) -> Bool {
        guard let until, !commanded, !isRest, windowBefore ?? 0 == 0 else { return false }
        return until < limit && view.start.policy.timeControl.augmentationMs > 0
    }

    /// The label, by the list of the rules. Media is written, or it is not, and that has a cause.
    func seen(_ view: CameraConfiguration) -> Coverage {
        if writing != nil || cutting != nil { return .recorded }
        if draining { return .recorderDown }
        if !enabled { return .disabled }
        if hard || soft { return .privacy }
        if view.start.policy.mode == .off { return .offByPolicy }
        if storage == .lost { return .storage }
        if connected == nil || !hasKey { return .linkLost }
        if view.start.policy.mode == .continuous || until != nil { return opening == nil ? .storage : .recorded }
        return isBlind ? .blind : .idle
    }
}
