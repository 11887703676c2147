public import Machines

/// What only the shell of a camera knows of what its machine has numbers for. Nil says that it is not known.
public protocol CameraNames {
    /// The id of an event.
    func id(of event: EventNumber) -> String?
    /// When an event began.
    func beginning(of event: EventNumber) -> Instant?
    /// The address of an endpoint, without secrets.
    func address(of endpoint: Endpoint) -> String?
    /// The name of a level source.
    func name(of source: SourceNumber) -> String?
    /// For how long a level source last said that it holds, in milliseconds.
    func staleMs(of source: SourceNumber) -> Int64?
}
