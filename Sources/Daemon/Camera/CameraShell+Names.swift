internal import Journal
internal import Machines

/// What the records of the machine's steps name.
extension CameraShell: CameraNames {
    func id(of event: EventNumber) -> String? { events[event].map { "\($0.id)" } }

    func beginning(of event: EventNumber) -> Instant? { events[event]?.began }

    func address(of endpoint: Endpoint) -> String? { settings.addresses[endpoint] ?? "" }

    func name(of source: SourceNumber) -> String? { sources[source]?.name ?? "\(source.rawValue)" }

    /// The priority of what is told of an effect, where it is not its kind's. A source that never says "off", such as a doorbell that
    /// calls an address, ends by its time alone: nothing is wrong then.
    func priority(of effect: Camera.Effect) -> Priority? {
        guard case .report(.sourceExpired(let number)) = effect, sources[number]?.saysOff != true else { return nil }
        return .info
    }

    func staleMs(of source: SourceNumber) -> Int64? { sources[source]?.staleMs ?? 0 }
}
