import Machines

// The notation of model/README.md "CameraSessions".
extension CameraSessionsWorld {
    /// The camera, the sessions, and what is between them.
    public func text(of state: CameraSessions) -> String {
        var shell = LineText(head: "shell")
        shell.flag("live", state.camera.intent.privacy.softLive)
        shell.field("watch", Self.bits(state.watches), resting: "00")
        shell.field("cmd", state.commands.map(\.rawValue).joined(separator: "/"), resting: "-/-")
        shell.field("range", Self.bits(state.ranges), resting: "00")
        shell.flag("stop", state.stops)
        shell.field("mail", state.mail.isEmpty ? "-" : state.mail.map(\.rawValue).joined(separator: "+"))
        // The shell's `live` has said so.
        var lone = state.camera
        lone.intent.privacy.softLive = false
        let parts = [camera.text(of: lone)] + state.sessions.map(session.text(of:)) + [shell.text]
        return parts.joined(separator: " & ")
    }

    /// The event's name, behind the number of its session.
    public func text(of event: Event) -> String {
        switch event {
        case .camera(let fact): fact.text
        case .live(let isOn): .call("live", isOn.digit)
        case .session(let id, let event): "\(id + 1):\(session.text(of: event))"
        case .commanded(let id): "\(id + 1):commanded"
        case .answered(let id): "\(id + 1):answered"
        case .leaves(let id): "\(id + 1):leaves"
        case .returns(let id): "\(id + 1):returns"
        case .opens(let id): "\(id + 1):opens"
        case .mail: "mail"
        case .stop: "stop"
        }
    }

    /// The effect's name, behind the number of its session.
    public func text(of effect: Effect) -> String? {
        switch effect {
        case .camera(let effect): camera.text(of: effect)
        case .session(let id, let effect): session.text(of: effect).map { "\(id + 1):\($0)" }
        }
    }

    private static func bits(_ flags: [Bool]) -> String { flags.map(\.digit).joined() }
}
