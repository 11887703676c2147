internal import Machines
internal import RandomSource

/// What one event about one of many sources came to, and which sources were on before it.
struct SourceCase: Sendable, CustomStringConvertible {
    /// The source's number.
    let source: Int
    /// It comes on; else it goes off.
    let isAsserted: Bool
    /// Which sources were on, as far as what was said tells.
    let on: Set<Int>
    let effects: [Camera.Effect]
    /// How many the machine holds after it.
    let held: Int

    var description: String { "\(isAsserted ? "asserted" : "cleared") \(source), on \(on.sorted()): \(effects)" }
}

/// What docs/design/rules.md promises of many sources at once. The worlds have one.
enum SourceClaims {
    static let walks = PlanWalks<SourceCase>(
        count: 20,
        walk: { random in
            guard var camera = CameraWorld(.trigger).initial.first else { return [] }
            var on: Set<Int> = []
            return (1...60).map { moment in
                let source = Int(random.number(0...11)), isAsserted = !random.once(in: 4), before = on
                let event: Camera.Event =
                    isAsserted
                    ? .asserted(SourceNumber(UInt8(source)), staleMs: .max) : .cleared(SourceNumber(UInt8(source)))
                let effects = camera.step(event, at: Instant(ms: Int64(moment)))
                if !isAsserted { on.remove(source) }
                if isAsserted, on.count < 8 { on.insert(source) }
                return SourceCase(
                    source: source, isAsserted: isAsserted, on: before, effects: effects,
                    held: camera.trigger.sources.count)
            }
        },
        claims: [
            Claim("T6 at most eight sources are on at once") { $0.held <= 8 },
            Claim(
                "T6 a ninth source is turned away as one too many",
                when: { one in one.isAsserted && one.on.count == 8 && !one.on.contains(one.source) }
            ) { $0.effects == [.ignored(.full)] },
            Claim(
                "T6 one of the first eight sources is not turned away",
                when: { one in one.isAsserted && (one.on.count < 8 || one.on.contains(one.source)) }
            ) { !$0.effects.contains(.ignored(.full)) },
        ])
}
