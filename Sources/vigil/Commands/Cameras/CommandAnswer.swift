internal import Machines
internal import Wire

/// What a command that changed a camera says.
enum CommandAnswer {
    /// The state that follows: `front: recorded, event 12 by command`.
    static func tell(_ state: CameraState, json: Bool) throws {
        if json { return try Output.json(state) }
        try Output.line("\(state.camera): \(state.coverage.rawValue), \(state.why)")
    }
}
