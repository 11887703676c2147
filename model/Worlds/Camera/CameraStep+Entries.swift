internal import Machines

/// What is entered in rows: events, detections and labels, each by an order of its own.
extension CameraStep {
    /// An event is entered before its clips and its detections, and its end once.
    var entriesAreInOrder: Bool {
        var open = before.trigger.active?.number
        for effect in effects {
            switch effect {
            case .beginEvent(let number, _, _):
                if open != nil { return false }
                open = number
            case .endEvent(let number, _):
                if open != number { return false }
                open = nil
            case .noteDetection(let number, _): if number != open { return false }
            case .openClip(let order): if let event = order.event, event != open { return false }
            default: break
            }
        }
        return (open != nil) == after.isActive
    }

    /// The report of what was entered follows at once, with the same values; nothing else is told of these.
    var entriesAreTold: Bool {
        let next = effects.dropFirst().map(Optional.some) + [nil]
        let follows = zip(effects, next).allSatisfy { order, report in
            !order.isEntry || order == report?.entryTold(order)
        }
        return follows && effects.count(where: \.isEntry) == effects.count(where: \.tellsOfEntry)
    }

    /// What was noted of a detection.
    var notes: [Camera.Effect] {
        effects.filter { effect in
            switch effect {
            case .noteDetection, .noteSuppressed: true
            default: false
            }
        }
    }

    /// What had to be: the detection counts for the event that is active then, unless it was told that it does not.
    var notesByRule: [Camera.Effect] {
        guard case .detected(let level, let inZone) = fact, !before.stopped else { return [] }
        for case .report(.suppressed(_, let why)) in effects {
            return [.noteSuppressed(level, why, during: before.trigger.entered)]
        }
        var event = before.trigger.active?.number
        for case .beginEvent(let number, _, _) in effects { event = number }
        let zones = inZone ? CameraPolicy.zone : CameraPolicy.otherZone
        return event.map { [.noteDetection($0, zones)] } ?? []
    }
}

extension Trigger {
    /// The event that is active, or after which it is blind.
    fileprivate var entered: EventNumber? { word == "quiet" || word == "silent" ? nil : EventNumber(events) }
}

extension Camera.Effect {
    fileprivate var isEntry: Bool {
        switch self {
        case .beginEvent, .endEvent, .noteSuppressed, .label: true
        default: false
        }
    }

    /// The order that this report tells of; under which event a detection is noted it does not say, so that is taken from `order`.
    fileprivate func entryTold(_ order: Camera.Effect) -> Camera.Effect? {
        switch (self, order) {
        case (.report(.eventBegan(let number, let cause, let level, _)), _): .beginEvent(number, cause, level: level)
        case (.report(.eventEnded(let number, let why)), _): .endEvent(number, why)
        case (.report(.suppressed(let level?, let why)), .noteSuppressed(_, _, let event)):
            .noteSuppressed(level, why, during: event)
        case (.report(.coverage(_, let label)), _): .label(label)
        default: nil
        }
    }

    fileprivate var tellsOfEntry: Bool {
        switch self {
        case .report(.eventBegan), .report(.eventEnded), .report(.suppressed(_?, _)), .report(.coverage): true
        default: false
        }
    }
}
