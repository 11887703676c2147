internal import Machines

// What counts, what does not, and why, as somebody sees it who was told everything.
extension CameraWatch {
    /// Why no trigger counts, not even silently.
    func forbids(_ view: CameraConfiguration) -> Camera.Suppression? {
        draining ? .draining : hard || soft ? .privacy : view.start.policy.mode == .off ? .off : nil
    }

    private func whySourceDoesNot(_ view: CameraConfiguration) -> Camera.Suppression? {
        forbids(view) ?? (isBlind ? .blind : enabled ? nil : .disabled)
    }

    private var isBlind: Bool { blindOwed || blind > 0 }

    /// Judges what became of the trigger, if one came.
    mutating func triggers(
        _ fact: CameraFact, _ effects: [Camera.Effect], _ before: CameraWatch, _ view: CameraConfiguration,
        _ judgement: inout Judgement
    ) {
        var reasons: [Camera.Suppression] = [], refusals: [Camera.Suppression] = []
        var noted = 0, began = 0, prolonged = 0
        for effect in effects {
            switch effect {
            case .report(.suppressed(_?, let why)): reasons.append(why)
            case .report(.suppressed(nil, let why)): judgement.demand(why == whySourceDoesNot(view), .reason)
            case .report(.refused(let why)): refusals.append(why)
            case .noteDetection: noted += 1
            case .report(.eventBegan): began += 1
            case .report(.eventProlonged): prolonged += 1
            default: break
            }
        }
        switch fact {
        case .detected(let level, let inZone):
            judgement.demand(noted + reasons.count == 1, .suppressed)
            let why = before.reason(level, inZone, view)
            judgement.demand(why.map { reasons.contains($0) } ?? (noted == 1), .reason)
            if why == nil { judgement.demand(began == (before.until == nil ? 1 : 0), .begins) }
            if why == nil, before.mayProlong(view) { judgement.demand(prolonged == 1, .prolongs) }
            if before.isBlind { judgement.demand(noted == 0, .blind) }
            for case .noteSuppressed(_, _, let event) in effects {
                judgement.demand((event != nil) == (before.until != nil || before.isBlind), .entered)
            }
        case .command:
            let why = forbids(view) ?? (enabled ? nil : .disabled)
            judgement.demand(refusals == (why.map { [$0] } ?? []), .reason)
            judgement.demand((until != nil) == (why == nil || before.until != nil), .begins)
        default: judgement.demand(noted == 0 && refusals.isEmpty && reasons.isEmpty, .suppressed)
        }
        ofSilence(fact, began, reasons, before, view, &judgement)
        if source != nil, until == nil { judgement.demand(isSuppressed, .suppressed) }
        // A source that is on begins an event as soon as one may begin.
        if source != nil, forbids(view) == nil, enabled, !isBlind { judgement.demand(until != nil, .source) }
        if forbids(view) != nil || !enabled { judgement.demand(until == nil, .longest) }
    }

    /// A window runs silently from a trigger that does not count because of the toggle alone, or from a source that is on. What
    /// forbids triggers ends it.
    private mutating func ofSilence(
        _ fact: CameraFact, _ began: Int, _ reasons: [Camera.Suppression], _ before: CameraWatch,
        _ view: CameraConfiguration, _ judgement: inout Judgement
    ) {
        switch fact {
        case .detected, .command, .asserted: break
        case .tick: judgement.demand(began == 0 || asked > 0 || source != nil, .silent)
        default: judgement.demand(began == 0 || before.silent > 0 && fact == .enabled(true) || source != nil, .silent)
        }
        if forbids(view) != nil || enabled { silent = 0 }
        let longest = Int(view.start.policy.timeControl.maxMs / CameraConfiguration.ms(1))
        if reasons.contains(.disabled) || source != nil && !enabled && forbids(view) == nil { silent = longest }
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
