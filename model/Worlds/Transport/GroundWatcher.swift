public import Machines

/// Knows what the transport was told, and so when it may not record, when it must, and when it has to say so.
public struct GroundWatcher: TransportBystander {
    private var told: TransportListener

    /// Knows how the transport was made.
    public init(_ world: TransportWorld, _ transport: PushTransport) { told = TransportListener(transport) }

    /// It records only while it is active and the camera may record; a continuous one then always; one of another kind is begun by a
    /// command, or by motion where it looks at motion.
    public mutating func sees(_ event: TransportWorld.Event, _ effects: [PushTransport.Effect]) -> Bool {
        let wasOver = told.isOver
        told.hears(event, effects)
        guard let cause = told.recording else { return !(told.kind == .continuous && told.mayRecord) }
        let fits =
            switch told.kind {
            case .motion: cause != .continuous
            case .command: cause == .command
            case .continuous: cause == .continuous
            }
        return told.mayRecord && fits && !wasOver
    }
}
