import Machines

/// One step of the product, with the words that the properties are written in.
struct CameraSessionsMove {
    let before: CameraSessions
    let event: CameraSessionsWorld.Event
    let effects: [CameraSessionsWorld.Effect]
    let after: CameraSessions

    /// Whose event it is; nil: the camera's, or that of both.
    var id: Int? {
        switch event {
        case .session(let id, _), .commanded(let id), .answered(let id), .leaves(let id), .returns(let id),
            .opens(let id):
            id
        case .camera, .live, .mail, .stop: nil
        }
    }

    /// What the camera orders.
    var ofCamera: [Camera.Effect] { effects.compactMap { if case .camera(let effect) = $0 { effect } else { nil } } }

    /// What a session orders.
    func effects(of id: Int) -> [Session.Effect] {
        effects.compactMap { if case .session(id, let effect) = $0 { effect } else { nil } }
    }

    /// The camera has a clip of its own opened or closed.
    var touchesClips: Bool {
        ofCamera.contains { effect in
            switch effect {
            case .openClip, .closeClip: true
            default: false
            }
        }
    }
}

extension Property where M == CameraSessionsWorld {
    /// Holds for every step.
    static func joint(_ name: String, _ holds: @escaping @Sendable (CameraSessionsMove) -> Bool) -> Property {
        Property(
            name, .steps { holds(CameraSessionsMove(before: $0, event: $1.event, effects: $1.effects, after: $2)) })
    }

    /// Some step satisfies it.
    static func someJoint(_ name: String, _ holds: @escaping @Sendable (CameraSessionsMove) -> Bool) -> Property {
        Property(
            name,
            .sometimesStep { holds(CameraSessionsMove(before: $0, event: $1.event, effects: $1.effects, after: $2)) })
    }

    /// Holds for each session in every state.
    static func eachSession(
        _ name: String, _ holds: @escaping @Sendable (CameraSessions, Int, Session) -> Bool
    ) -> Property {
        Property(name, .always { all in all.sessions.indices.allSatisfy { holds(all, $0, all.sessions[$0].session) } })
    }
}
