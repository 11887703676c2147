public import Machines

/// The camera and its sessions, under any event of an alphabet in any reachable state.
public struct CameraSessionsWorld: World {
    /// The whole product.
    public typealias State = CameraSessions
    /// One labelled step.
    public typealias Action = Labelled<Event, Effect>

    /// What comes in. A session is named by its place, 0 or 1.
    public enum Event: Hashable, Sendable {
        /// Something happens to the camera; a tick passes for all.
        case camera(CameraFact)
        /// The switch softLive.
        case live(Bool)
        /// A viewer's request, or an answer that the shell gives to a session.
        case session(Int, SessionWorld.Event)
        /// The camera takes the session's order to record.
        case commanded(Int)
        /// The session takes the camera's answer to it.
        case answered(Int)
        /// Whoever has taken the session's picture leaves.
        case leaves(Int)
        /// Somebody takes it again.
        case returns(Int)
        /// Another session takes the place of one that ended.
        case opens(Int)
        /// The sessions take a message of the camera.
        case mail
        /// The site stops.
        case stop
    }

    /// What one of the machines orders.
    public enum Effect: Hashable, Sendable {
        case camera(Camera.Effect)
        case session(Int, Session.Effect)
    }

    /// The alphabet and the bounds.
    public let view: CameraSessionsView
    let camera: CameraWorld
    let session: SessionWorld

    /// The world of a view.
    public init(_ view: CameraSessionsView) {
        self.view = view
        camera = CameraWorld(view.camera)
        session = SessionWorld(.all)
    }

    /// The camera has taken its first step.
    public var initial: [CameraSessions] {
        camera.initial.map { first in
            var all = CameraSessions(camera: camera.step(.tick, in: first).next, sessions: [])
            all.sessions = (0..<2).map { opened($0, all) }
            return all
        }
    }

    /// Every event of the alphabet.
    public func successors(of state: CameraSessions) -> [(action: Action, next: CameraSessions)] {
        view.events(in: state, self).map { event in
            var next = state
            let effects = take(event, &next)
            return (Labelled(event, effects), next)
        }
    }

    /// One step of the product.
    private func take(_ event: Event, _ all: inout CameraSessions) -> [Effect] {
        switch event {
        case .camera(.tick): return tick(&all)
        case .camera(let fact): return step(fact, &all)
        case .live(let isOn): return step(.softLive(isOn), &all)
        case .session(let id, let event): return step(event, of: id, &all)
        case .commanded(let id): return takeCommand(of: id, &all)
        case .answered(let id): return takeAnswer(of: id, &all)
        case .leaves(let id): all.watches[id] = false
        case .returns(let id): all.watches[id] = true
        case .opens(let id):
            all.sessions[id] = opened(id, all)
            all.commands[id] = .none
        case .mail: return takeMail(&all)
        case .stop: return stop(&all)
        }
        return []
    }
}
