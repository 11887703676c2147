public import Machines

/// What anybody knows of a transport who hears what comes in and what is answered, and sees nothing of the machine: what it was
/// told, and whether it records.
struct TransportListener: Hashable, Sendable {
    private(set) var status: PushTransport.Status
    private(set) var block: PushTransport.Block?
    private(set) var held = false
    private(set) var kind: TransportWorld.Kind
    private(set) var isOver = false
    /// What the recording that runs was begun by; nil: none runs.
    private(set) var recording: PushTransport.Cause?

    /// Knows how the transport was made.
    init(_ transport: PushTransport) {
        status = transport.status
        kind = TransportWorld.kind(transport.trigger)
    }

    /// The transport is active, and the camera may record.
    var mayRecord: Bool { status == .active && block == nil && !isOver }

    mutating func hears(_ event: TransportWorld.Event, _ effects: [PushTransport.Effect]) {
        for effect in effects {
            switch effect {
            case .begin(_, let cause): recording = cause
            case .end: recording = nil
            case .removed, .stopped: isOver = true
            case .ignored, .refused: break
            }
        }
        if effects.contains(where: \.isAnswer) { return }
        switch event {
        case .status(let told): status = told
        case .blocked(let told): block = told
        case .held(let told): held = told
        case .modified(let told, _): kind = told
        case .tick, .motion, .triggered, .deallocated, .drain: break
        }
    }
}

/// Somebody who watches a transport for one thing, from outside.
public protocol TransportBystander: Hashable, Sendable {
    /// Knows how the transport was made, and what motion and a command ask for.
    init(_ world: TransportWorld, _ transport: PushTransport)

    /// Sees one step; false if it broke what is watched for.
    mutating func sees(_ event: TransportWorld.Event, _ effects: [PushTransport.Effect]) -> Bool
}
