import Foundation
import Machines
import RandomSource
import Testing

@testable import Worlds

@Suite("The world of the camera")
struct CameraWorldTests {
    static let views =
        CameraConfiguration.everyday + CameraConfiguration.large + [CameraConfiguration.everything]

    @Test("Each view has the constants of its configuration of the model", arguments: views)
    func constants(view: CameraConfiguration) throws {
        let folder = Golden.root.appending(path: "model/cfg")
        let file = "Camera-\(view.name).cfg"
        let text =
            try (try? String(contentsOf: folder.appending(path: file), encoding: .utf8))
            ?? String(contentsOf: folder.appending(path: "large/\(file)"), encoding: .utf8)
        var constants: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let sides = line.components(separatedBy: " = ")
            guard sides.count == 2 else { continue }
            constants[sides[0].trimmingCharacters(in: .whitespaces)] = sides[1].trimmingCharacters(in: .whitespaces)
        }
        let numbers = [
            "Dial": view.dial, "Silence": view.silence, "HangBound": view.hangBound, "KeyWarn": view.keyWarn,
            "KeyLong": view.keyLong, "KeyShift": view.keyShift, "Steady": view.steady, "WaitCap": view.waitCap,
            "FailMax": view.failMax,
            "Unauthorized": view.unauthorized, "Stale": view.stale, "OpenBound": view.openBound,
            "CloseBound": view.closeBound, "Grace": view.grace, "MoreGraces": view.moreGraces, "Rest": view.rest,
            "ClipLength": view.clipLength,
            "RetryCap": view.retryCap, "CommandI": view.commandI, "CommandM": view.commandM,
        ]
        for (name, number) in numbers { #expect(constants[name] == "\(number)", "\(name)") }
        #expect(constants["Connect"] == "\"\(view.connect.rawValue)\"")
        #expect(constants["Kind"] == "\"\(view.kind.rawValue)\"")
        #expect(constants["StartPolicy"] == "\"\(view.start.rawValue)\"")
        #expect(constants["StartStorage"] == "\"\(view.storage.rawValue)\"")
        #expect(constants["StartEnabled"] == (view.enabled ? "TRUE" : "FALSE"))
        let policies = Set((constants["Polices"] ?? "").split { "{}\", ".contains($0) }.map(String.init))
        #expect(policies == Set(view.policies.map(\.rawValue)))
    }

    /// What the canonical form leaves out must make no difference: the machine itself walks along, and its canonical form is
    /// the same as that of the walk over canonical forms.
    @Test("States modulo time and numbers go the same ways as the machine itself", arguments: views)
    func canonical(view: CameraConfiguration) throws {
        let world = CameraWorld(view)
        var random = SeededGenerator(seed: view.name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        for _ in 0..<20 {
            let first = try #require(world.initial.first)
            var now = Instant(ms: 1_000_000), form = first
            var intent = first.intent
            intent.policyUntil = intent.policyUntil.map { now + $0.ms }
            var machine = Camera(intent: intent, timing: first.timing)
            for _ in 0..<60 where !machine.stopped {
                let facts = view.facts(in: form).filter { fact in
                    // Dial and clip 1 are over in a canonical state; before the first one nothing is.
                    !fact.text.contains("(late") && (fact != .drain || Int.random(in: 0..<30, using: &random) == 0)
                }
                let fact = try #require(facts.randomElement(using: &random))
                let (label, next) = world.step(fact, in: form)
                if fact == .tick { now = now + CameraConfiguration.ms(1) }
                let effects = machine.step(Self.real(fact, machine, view, at: now), at: now)
                #expect(effects.map(\.text) == label.effects.map(\.text))
                #expect(machine.canonical(at: now) == next)
                form = next
            }
        }
    }

    /// The same fact about the machine itself: its own numbers, its own time.
    private static func real(_ fact: CameraFact, _ machine: Camera, _ view: CameraConfiguration, at now: Instant)
        -> Camera.Event
    {
        switch fact.event(in: machine, view) {
        case .packets(let number, let last): .packets(number, last: now + last.ms)
        case .opened(let number, let start, let shortfall):
            .opened(number, start: now + start.ms, shortfall: shortfall)
        case .cut(let number, let end): .cut(number, at: now + end.ms)
        case .streamChanged(let number, let end): .streamChanged(number, at: now + end.ms)
        case .policy(let policy, let until): .policy(policy, until: until.map { now + $0.ms })
        case let event: event
        }
    }
}
