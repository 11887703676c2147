internal import Journal
internal import Machines
internal import Trace

/// What replay learns of the names that only the shell knows, from the steps and the records themselves.
struct LearntNames: CameraNames, Sendable {
    /// The last event that began: the journal tells of no other.
    private var event: EventNumber?
    private var began: Instant?
    private var eventID: String?

    /// Takes note of what a step ordered.
    mutating func note(_ effects: [Camera.Effect], at now: Instant) {
        for case .beginEvent(let number, _, _) in effects { (event, began, eventID) = (number, now, nil) }
    }

    /// Takes note of a record that agrees with what a step reported of the last event.
    mutating func note(_ fields: [String: String], of kind: MessageKind) {
        guard [.eventBegan, .eventProlonged, .eventEnded].contains(kind), eventID == nil else { return }
        eventID = fields[Field.event.rawValue]
    }

    func id(of event: EventNumber) -> String? { event == self.event ? eventID : nil }
    func beginning(of event: EventNumber) -> Instant? { event == self.event ? began : nil }
    func address(of endpoint: Endpoint) -> String? { nil }
    func name(of source: SourceNumber) -> String? { nil }
    func staleMs(of source: SourceNumber) -> Int64? { nil }
}
