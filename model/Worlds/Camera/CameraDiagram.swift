internal import Explorer
internal import Machines

/// The diagrams of the camera: each of its three machines alone.
enum CameraDiagram {
    static let all: [Diagram] = [
        Diagram(name: "camera-link", document: document) {
            try draw(Link.Phase.allCases.map(\.rawValue), [.link, .product]) { arrows, step in
                for case .report(.link(let from, let to, let failure, _)) in step.effects {
                    arrows.add(from.rawValue, to.rawValue, step.cause(failure?.rawValue))
                }
            }
        },
        Diagram(name: "camera-trigger", document: document) {
            try draw(["quiet", "active", "silent", "settling", "blind"], [.triggerFull, .event]) { arrows, step in
                var why: String?
                for case .report(.eventEnded(_, let end)) in step.effects { why = end.rawValue }
                arrows.add(step.before.trigger.word, step.after.trigger.word, step.cause(why))
            }
        },
        Diagram(name: "camera-recorder", document: document) {
            try draw(["idle", "opening", "writing", "cutting"], [.event, .contFull]) { arrows, step in
                var at = step.before.recorder.word
                func go(_ to: String, _ cause: String) {
                    arrows.add(at, to, cause)
                    at = to
                }
                for effect in step.effects {
                    switch effect {
                    case .openClip: go("opening", "wanted")
                    case .report(.clipOpened): go("writing", "opened")
                    case .closeClip(_, .keyframe, let why): go("cutting", why.rawValue)
                    case .report(.clipEnded(_, let why)):
                        go("idle", at == "cutting" ? step.cutCause(why) : why.rawValue)
                    case .report(.clipFailed) where step.fact == .openFailed(.cur): go("idle", "openFailed")
                    case .report(.link(_, to: .synchronizing, _, _)) where step.fact == .keyframeMissing(.cur):
                        go("idle", "keyframeMissing")
                    default: break
                    }
                }
            }
        },
    ]

    private static let document = "docs/design/camera.md"

    private static func draw(
        _ states: [String], _ views: [CameraConfiguration], _ note: (inout Arrows, CameraStep) -> Void
    ) throws -> String {
        var arrows = Arrows()
        for view in views {
            let graph = try Graph(CameraWorld(view))
            for source in graph.states.indices {
                for edge in graph.edges[source] {
                    note(&arrows, CameraStep(view, graph.states[source], edge.action, graph.states[edge.target]))
                }
            }
        }
        return arrows.drawn(states)
    }
}

extension CameraStep {
    /// What caused it, without its details: the fact, or why time did.
    fileprivate func cause(_ why: String?) -> String {
        fact == .tick ? why ?? "time" : String(fact.text.prefix { $0 != "(" })
    }

    /// Why a clip that was to be cut is over: cut, forced, or for another reason.
    fileprivate func cutCause(_ why: ClipEnd) -> String {
        if case .cut = fact { return "cut" }
        if case .cutting(_, why, _) = before.recorder.state { return "grace over" }
        return why.rawValue
    }
}
