public import Machines

/// A camera after any history, in a world that has become calm for good: what must come sooner or later is asked here.
public struct CalmCamera: World {
    /// How the world has become calm.
    public enum Calm: String, Hashable, Sendable, CaseIterable {
        /// Nobody answers anything.
        case dead
        /// Everything succeeds before the next tick, and a stream is fed.
        case benign
        /// As benign, but no key frame ever comes where a cut waits for one.
        case nokey
        /// First every obstacle is taken away; then benign.
        case help
    }

    /// A fact, or the moment at which the world becomes calm.
    public enum Event: Hashable, Sendable {
        case fact(CameraFact)
        case calm(Calm)
    }

    /// The camera, and whether the world is calm.
    public struct State: Hashable, Sendable {
        /// The machine.
        public let camera: Camera
        /// nil in the history.
        public let calm: Calm?
    }

    /// What the machine orders.
    public typealias Effect = Camera.Effect
    /// One labelled step.
    public typealias Action = Labelled<Event, Camera.Effect>

    /// The world of the history.
    public let world: CameraWorld

    /// After any history in the world of this view.
    public init(_ view: CameraConfiguration) { world = CameraWorld(view) }

    /// The machine before its first step.
    public var initial: [State] { world.initial.map { State(camera: $0, calm: nil) } }

    /// Any fact, or calm; then what is left.
    public func successors(of state: State) -> [(action: Action, next: State)] {
        let camera = state.camera
        let facts = state.calm.map { calmFacts(in: camera, $0) } ?? world.view.facts(in: camera)
        var steps = facts.map { fact in
            let (label, next) = world.step(fact, in: camera)
            return (action: Labelled(Event.fact(fact), label.effects), next: State(camera: next, calm: state.calm))
        }
        guard state.calm == nil else { return steps }
        for calm in Calm.allCases {
            steps.append((action: Labelled(Event.calm(calm), []), next: State(camera: camera, calm: calm)))
        }
        return steps
    }

    /// What happens in a calm world: time passes only where nothing is owed.
    private func calmFacts(in camera: Camera, _ calm: Calm) -> [CameraFact] {
        if calm == .dead { return [.tick] }
        if calm == .help, !camera.intent.draining, let help = help(camera) { return [help] }
        let answers = answers(camera, keyframes: calm != .nokey)
        return answers.isEmpty ? [.tick] : answers
    }

    /// Takes the next obstacle away.
    private func help(_ camera: Camera) -> CameraFact? {
        let intent = camera.intent
        if !intent.enabled { return .enabled(true) }
        if intent.privacy.hard { return .hard(false) }
        if intent.privacy.softRecording { return .soft(false) }
        if intent.storage != .ok { return .storage(.ok) }
        return intent.policy == world.view.policy(.cont) ? nil : .policy(.cont)
    }

    /// Answers everything that is owed, well.
    private func answers(_ camera: Camera, keyframes: Bool) -> [CameraFact] {
        var facts: [CameraFact] = []
        switch camera.link.state {
        case .off, .waiting: break
        case .dialing: facts.append(.dialed(.cur))
        case .synchronizing: facts.append(.keyframe(.cur))
        case .streaming(_, _, let silence, _):
            if silence.ms <= CameraConfiguration.ms(1) { facts.append(.packets(.cur, ago: 0)) }
        }
        if camera.link.hangingUp != nil { facts.append(.hungUp(.hung)) }
        switch camera.recorder.state {
        case .idle, .writing: break
        case .opening: facts.append(.opened(.cur, back: 0))
        case .cutting: if keyframes { facts.append(.cut(.cur)) }
        }
        if !camera.recorder.closing.isEmpty { facts.append(.closed(.c1, complete: true)) }
        return facts
    }

    /// The state as model/README.md writes it, and the world.
    public func text(of state: State) -> String {
        world.text(of: state.camera) + (state.calm.map { " calm=\($0.rawValue)" } ?? "")
    }

    /// The fact, or the beginning of calm.
    public func text(of event: Event) -> String {
        switch event {
        case .fact(let fact): fact.text
        case .calm(let calm): .call("calm", calm.rawValue)
        }
    }

    /// The effect as model/README.md writes it.
    public func text(of effect: Camera.Effect) -> String? { effect.text }
}
