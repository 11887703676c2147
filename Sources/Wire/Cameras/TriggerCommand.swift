public import Machines

/// The body of `POST /v1/cameras/{camera}/trigger`: one detection, or a source that is on or off.
///
/// With `source` it is a level: on until it is told off, or until it was not told again for `staleMs`. Without, it is an
/// edge: one detection of `level` in `zones`. With `label` it says what it was: where it counts, its event keeps the label.
public struct TriggerCommand: Hashable, Sendable, Codable {
    /// Until when a source counts without being told again, unless said otherwise: one minute.
    public static let staleMsDefault: Int64 = 60_000
    /// The longest time for which a source may count without being told again: one hour.
    public static let staleMsMax: Int64 = 3_600_000

    /// The least sensitivity that notices the detection: 1, 5 or 10. Absent: 1, so every setting notices it.
    public var level: Int?
    /// The zones it was in, by name; an empty name is the part outside every zone. Absent: anywhere, which every policy's
    /// zones notice.
    public var zones: [String]?
    /// The source's name, 1…64 characters.
    public var source: String?
    /// Whether the source is on; with `source` only.
    public var on: Bool?
    /// How long the source counts without being told again, 1 000…`staleMsMax` milliseconds; with `on` only.
    public var staleMs: Int64?
    /// What was recognised, 1…32 letters, digits, `-` and `_`: `person`, `car`. Not with a source that is off.
    public var label: String?
    /// Where in the picture it was; with `label` only.
    public var box: LabelBox?

    /// A trigger.
    public init(
        level: Int? = nil, zones: [String]? = nil, source: String? = nil, on: Bool? = nil, staleMs: Int64? = nil,
        label: String? = nil, box: LabelBox? = nil
    ) {
        self.level = level
        self.zones = zones
        self.source = source
        self.on = on
        self.staleMs = staleMs
        self.label = label
        self.box = box
    }

    /// What is wrong with it and what would be right; nil if it makes sense.
    public var flaw: (reason: String, remedy: String)? {
        if let level, ![1, 5, 10].contains(level) { return ("level is \(level)", "give 1, 5 or 10, or leave it out") }
        if let source {
            if !(1...64).contains(source.utf8.count) { return ("source has no usable name", "give 1 to 64 characters") }
            if on == nil { return ("source \(source) is neither on nor off", "give \"on\": true or false") }
            if level != nil || zones != nil {
                return ("a source has no level and no zones", "leave them out: a source passes every filter")
            }
        } else if on != nil || staleMs != nil {
            return ("on and staleMs belong to a source", "name it: \"source\": \"gate\"")
        }
        if let staleMs, !(1_000...Self.staleMsMax).contains(staleMs) {
            return ("staleMs is \(staleMs)", "give 1000 to \(Self.staleMsMax) milliseconds, or leave it out")
        }
        if let label {
            if !LabelName.isValid(label) {
                return (
                    "label is no usable name", "give 1 to \(LabelName.bytesMax) letters, digits, \"-\" and \"_\""
                )
            }
            if on == false { return ("a source that is off has no label", "leave it out") }
        }
        if let box {
            if label == nil { return ("box belongs to a label", "say what it shows: \"label\": \"person\"") }
            if !box.isInside {
                return ("box does not lie in the picture", "give x, y, width and height as parts of it, from 0 to 1")
            }
        }
        return nil
    }
}
