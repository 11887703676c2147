public import Machines

/// The camera's machine with somebody who judges each of its steps from outside: what is promised over a stretch of time is asked here.
public struct JudgedCamera: World {
    /// The machine, and what was seen of it.
    public struct State: Hashable, Sendable {
        /// The machine.
        public let camera: Camera
        let watch: CameraWatch
    }

    /// What can happen.
    public typealias Event = CameraFact
    /// What the machine orders.
    public typealias Effect = Camera.Effect
    /// One labelled step.
    public typealias Action = Labelled<CameraFact, Camera.Effect>

    /// The world of the camera.
    public let world: CameraWorld

    /// The world of a view of one policy.
    public init(_ view: CameraConfiguration) { world = CameraWorld(view) }

    /// Nothing was seen yet.
    public var initial: [State] {
        world.initial.map { State(camera: $0, watch: CameraWatch(world.view)) }
    }

    /// Every event of the alphabet.
    public func successors(of state: State) -> [(action: Action, next: State)] {
        world.successors(of: state.camera).map { label, next in
            var watch = state.watch
            _ = watch.see(label.event, label.effects, world.view)
            return (label, State(camera: next, watch: watch))
        }
    }

    /// The state as model/README.md writes it; what was seen follows from the way to it.
    public func text(of state: State) -> String { world.text(of: state.camera) }

    /// The fact as model/README.md writes it.
    public func text(of fact: CameraFact) -> String { fact.text }

    /// The effect as model/README.md writes it.
    public func text(of effect: Camera.Effect) -> String? { effect.text }

    /// What must hold in every step, and that the view has cases of it.
    public static func properties(_ view: CameraConfiguration) -> [Property<JudgedCamera>] {
        CameraWatch.Finding.allCases.filter { isSeen($0, in: view) }.flatMap { finding in
            [
                Property(
                    finding.rawValue,
                    .steps { before, label, _ in
                        var watch = before.watch
                        return !watch.see(label.event, label.effects, view).broken.contains(finding)
                    }),
                Property(
                    "it happens: " + finding.rawValue,
                    .sometimesStep { before, label, _ in
                        var watch = before.watch
                        return watch.see(label.event, label.effects, view).cases.contains(finding)
                    }),
            ]
        }
    }

    /// What a view can show: a link without bounds, a recorder that rests and a camera without detections show less.
    private static func isSeen(_ finding: CameraWatch.Finding, in view: CameraConfiguration) -> Bool {
        let isKeyless = view.kind == .keyframeView
        return switch finding {
        case .label: true
        case .waits: view.kind != .triggerView
        case .keyFrameAnew: isKeyless
        case .dials, .silence, .dialBound, .hangUp, .keyFrame: view.kind == .linkView || isKeyless
        case .opens, .openBound, .length, .grace, .closing:
            view.kind == .recorderView || view.kind == .diskView || isKeyless
        case .graces: view.kind == .recorderView && view.start.policy.mode == .continuous || isKeyless
        case .preRoll, .cutReason:
            view.kind == .diskView || view.kind == .recorderView && view.start.policy.mode == .event
        case .endsAsTold, .longest, .begins, .reason, .suppressed, .entered, .blind, .prolongs:
            view.kind != .linkView && !isKeyless
        case .limitNamed, .source, .chained, .silent: view.kind == .triggerView
        }
    }
}
