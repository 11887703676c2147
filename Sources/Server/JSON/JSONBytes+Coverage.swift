internal import Machines

extension JSONBytes {
    /// A report as its `Encodable` has it, without going through it: a month has thousands of stretches.
    static func of(_ report: CoverageReport) throws -> [UInt8] {
        let output = JSONOutput()
        // What has a stretch of the longest label.
        output.bytes.reserveCapacity(256 + 160 * report.stretches.count)
        output.word("{\"camera\":")
        output.append(quoted: report.camera)
        output.word(",\"from\":")
        output.append(report.from)
        output.word(",\"stretches\":[")
        for (index, stretch) in report.stretches.enumerated() {
            output.word(index > 0 ? ",{\"from\":" : "{\"from\":")
            output.append(stretch.from)
            output.word(",\"label\":")
            output.append(orNull: stretch.label?.rawValue)
            output.word(",\"rule\":")
            output.append(orNull: stretch.rule)
            output.word(",\"to\":")
            output.append(stretch.to)
            output.mark("}")
        }
        output.word("],\"sums\":")
        output.bytes += try of(report.sums)
        output.word(",\"to\":")
        output.append(report.to)
        output.mark("}")
        return output.bytes
    }
}

extension JSONOutput {
    fileprivate func append(orNull text: String?) {
        if let text { append(quoted: text) } else { word("null") }
    }
}
