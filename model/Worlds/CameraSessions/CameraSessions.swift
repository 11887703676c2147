public import Machines

/// One camera and two of its sessions, with what passes between them as the daemon's shell has it (docs/design/session.md
/// "How the daemon runs it"). Each message takes its time: what the camera tells the sessions waits in `mail`, how many look
/// is told later than they come and go, and an order to record waits for the camera's answer.
public struct CameraSessions: Hashable, Sendable {
    /// What the camera's step tells the sessions.
    enum Message: String, Hashable, Sendable {
        /// Nothing may be recorded any more.
        case unrecorded
        /// Nobody may look: live or hard privacy.
        case privacy
        /// Somebody may look again.
        case shown
        /// The camera goes away.
        case draining
    }

    /// What became of a session's order to record.
    enum Command: String, Hashable, Sendable {
        /// There is none.
        case none = "-"
        /// The camera has not taken it yet.
        case asked
        /// The same, and nobody waits for its answer any more.
        case stale
        /// The camera records; the session has not heard of it.
        case granted
        /// The camera does not; the session has not heard of it.
        case refused
    }

    /// The camera, whose present moment is 0.
    public internal(set) var camera: Camera
    var sessions: [SessionWorld.State]
    /// Messages to the sessions, the oldest first.
    var mail: [Message] = []
    /// Whose session has a viewer on the camera's stream.
    var watches = [false, false]
    var commands = [Command.none, .none]
    /// For whose session what the camera records is protected.
    var ranges = [false, false]
    /// The site stops.
    var stops = false

    /// The machines of the sessions.
    public var machines: [Session] { sessions.map(\.session) }

    /// How many look.
    var looking: Int { watches.count { $0 } }

    /// Live or hard privacy is on.
    var isPrivate: Bool { camera.intent.privacy.hard || camera.intent.privacy.softLive }

    /// Why nobody may look: what the streams follow after each of the camera's steps; nil: somebody may.
    var hidden: Message? {
        camera.intent.draining || camera.stopped ? .draining : isPrivate ? .privacy : nil
    }
}
