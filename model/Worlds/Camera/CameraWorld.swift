public import Machines

/// The real camera machine under any event of an alphabet in any reachable state.
public struct CameraWorld: World {
    /// A canonical machine: its present moment is 0.
    public typealias State = Camera
    /// What can happen.
    public typealias Event = CameraFact
    /// What the machine orders.
    public typealias Effect = Camera.Effect
    /// One labelled step.
    public typealias Action = Labelled<CameraFact, Camera.Effect>

    /// The view: alphabet, policies, bounds.
    public let view: CameraConfiguration
    private let names: [Policy: String]

    /// The world of a view.
    public init(_ view: CameraConfiguration) {
        self.view = view
        names = Dictionary(
            CameraPolicy.allCases.map { (view.policy($0), $0.rawValue) }, uniquingKeysWith: { $1 + "?" + $0 })
    }

    /// Everything off, nothing ordered: the first step settles it.
    public var initial: [Camera] {
        let intent = Intent(
            enabled: view.enabled, policy: view.policy(view.start),
            policyUntil: view.start.next.map { Instant(ms: CameraConfiguration.ms($0)) }, connect: view.connect,
            storage: view.storage)
        return [Camera(intent: intent, timing: view.timing).canonical(at: Instant(ms: 0))]
    }

    /// Every event of the alphabet.
    public func successors(of camera: Camera) -> [(action: Action, next: Camera)] {
        view.facts(in: camera).map { step($0, in: camera) }
    }

    /// One step of the machine.
    func step(_ fact: CameraFact, in camera: Camera) -> (action: Action, next: Camera) {
        var next = camera
        let now = Instant(ms: fact == .tick ? CameraConfiguration.ms(1) : 0)
        let effects = next.step(fact.event(in: camera, view), at: now)
        return (Labelled(fact, effects), next.canonical(at: now))
    }

    /// The fact as model/README.md writes it.
    public func text(of fact: CameraFact) -> String { fact.text }

    /// The state as model/README.md writes it.
    public func text(of camera: Camera) -> String {
        camera.line(policy: names[camera.intent.policy] ?? "?")
    }

    /// The effect as model/README.md writes it.
    public func text(of effect: Camera.Effect) -> String? { effect.text }
}
