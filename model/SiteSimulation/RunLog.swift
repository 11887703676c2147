internal import Journal
internal import Machines

/// The last things that were said and done, and a digest over all of them.
struct RunLog {
    private enum Line {
        case record(MessageKind, String?, [(Field, String)])
        case step(String, Camera.Event)
        case note(String)
    }

    private static let kept = 4_000
    private var lines: [(at: Int64, line: Line)] = []
    private var first = 0
    /// FNV-1a over all that can be compared between two processes.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// Over machine states and effects; comparable only within one process.
    private(set) var stateHash = 0
    private(set) var records = 0
    private(set) var machineSteps = 0

    private mutating func keep(_ line: Line, at now: Int64) {
        if lines.count < Self.kept {
            lines.append((now, line))
        } else {
            lines[first] = (now, line)
            first = (first + 1) % Self.kept
        }
    }

    private mutating func mix(_ text: String) {
        for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    private mutating func mix(_ number: Int64) {
        digest = (digest ^ UInt64(bitPattern: number)) &* 0x100_0000_01B3
    }

    mutating func record(_ kind: MessageKind, _ camera: String?, _ fields: [(Field, String)], at now: Int64) {
        records += 1
        mix(now)
        mix(kind.rawValue)
        mix(camera ?? "")
        // The root's path differs from run to run.
        for (field, value) in fields where field != .path && field != .detail { mix(value) }
        keep(.record(kind, camera, fields), at: now)
    }

    mutating func step(
        _ camera: String, _ event: Camera.Event, _ state: Camera, _ effects: [Camera.Effect], at now: Int64
    ) {
        machineSteps += 1
        mix(now)
        mix(camera)
        mix(state.nextDeadline?.ms ?? -1)
        mix(Int64(effects.count))
        var hasher = Hasher()
        hasher.combine(stateHash)
        hasher.combine(event)
        hasher.combine(state)
        hasher.combine(effects)
        stateHash = hasher.finalize()
        keep(.step(camera, event), at: now)
    }

    mutating func note(_ text: String, at now: Int64) {
        mix(now)
        mix(text)
        keep(.note(text), at: now)
    }

    /// The last lines, in words; of `camera` and of the site alone, if it is given.
    func tail(_ count: Int, of camera: String?) -> [String] {
        let ordered = lines[first...] + lines[..<first]
        return ordered.filter { entry in
            switch entry.line {
            case .record(_, let name, _): camera == nil || name == nil || name == camera
            case .step(let name, _): camera == nil || name == camera
            case .note: true
            }
        }.suffix(count).map { entry in
            let at = Self.clock(entry.at)
            switch entry.line {
            case .record(let kind, let camera, let fields):
                let words = fields.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
                return "\(at) \(camera ?? "site") says \(kind) \(words)"
            case .step(let camera, let event): return "\(at) \(camera) takes \(event)"
            case .note(let text): return "\(at) --- \(text)"
            }
        }
    }

    /// A virtual time as hours, minutes, seconds and milliseconds.
    static func clock(_ ms: Int64) -> String {
        func pad(_ number: Int64, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(pad(ms / 3_600_000, 2)):\(pad(ms / 60_000 % 60, 2)):\(pad(ms / 1_000 % 60, 2)).\(pad(ms % 1_000, 3))"
    }
}
