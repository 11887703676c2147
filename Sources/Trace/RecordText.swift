internal import Hashing
internal import Machines

/// Makes the lines of a trace file, each chained to the one before.
struct RecordText {
    /// The digest of the last record.
    private(set) var end: SHA256.Value
    /// The number of the last record; 0 before the first.
    private(set) var number: UInt64
    /// The lines that were made.
    private(set) var bytes: [UInt8] = []

    /// Goes on behind the record with this digest and number.
    init(end: SHA256.Value, number: UInt64) {
        self.end = end
        self.number = number
    }

    /// The first record of a file.
    mutating func file(_ file: UInt64, _ day: UTCDay) {
        add(.file, [RecordLine.format, "\(file)", "\(day)", "\(end)"])
    }

    mutating func run(_ run: TraceRun, wallMs: Int64) {
        add(.run, [run.id, run.boot, Self.escaped(run.version), "\(wallMs)"])
    }

    /// Returns false for a step that cannot be written, because it is too long or holds what parts fields or lines.
    mutating func step(_ step: TraceStep, of run: TraceRun) -> Bool {
        let fields = [
            run.mark, Self.escaped(step.kind.rawValue), Self.escaped(step.name), "\(step.seq)", "\(step.at.ms)",
            "\(step.wallMs)", "\(step.digest)", step.input, step.effects, step.state ?? "",
        ]
        let length = fields.reduce(0) { $0 + $1.utf8.count + 1 }
        guard length + 128 <= RecordLine.bytesMax, !fields.contains(where: Self.isParted) else { return false }
        add(.step, fields)
        return true
    }

    mutating func lost(_ count: Int, wallMs: Int64) { add(.lost, ["\(count)", "\(wallMs)"]) }

    mutating func cut(_ bytes: Int64, wallMs: Int64) { add(.cut, ["\(bytes)", "\(wallMs)"]) }

    mutating func end(wallMs: Int64) { add(.end, ["\(wallMs)"]) }

    private mutating func add(_ kind: RecordLine.Kind, _ fields: [String]) {
        number &+= 1
        let body = "\(number)\t\(kind.rawValue)\t\(fields.joined(separator: "\t"))"
        end = RecordLine.digest(Array(body.utf8), behind: end)
        bytes += body.utf8
        bytes.append(UInt8(ascii: "\t"))
        bytes += end.hex
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func isParted(_ field: String) -> Bool {
        field.utf8.contains { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\n") }
    }

    /// A name without what parts fields and lines.
    private static func escaped(_ name: String) -> String {
        let isPlain = { (byte: UInt8) in byte > 0x20 && byte != 0x7f && byte != UInt8(ascii: "%") }
        guard !name.utf8.allSatisfy(isPlain) else { return name }
        return String(
            decoding: name.utf8.flatMap { byte in
                isPlain(byte) ? [byte] : [UInt8(ascii: "%")] + Array(Hex.text([byte]).utf8)
            }, as: UTF8.self)
    }
}
