internal import Journal
internal import Machines

/// What the records of the machine's steps name.
extension CameraShell: CameraNames {
    func id(of event: EventNumber) -> String? { events[event].map { "\($0.id)" } }

    func beginning(of event: EventNumber) -> Instant? { events[event]?.began }

    func address(of endpoint: Endpoint) -> String? { settings.addresses[endpoint] ?? "" }

    func name(of source: SourceNumber) -> String? { sources[source]?.name ?? "\(source.rawValue)" }

    func staleMs(of source: SourceNumber) -> Int64? { sources[source]?.staleMs ?? 0 }
}
