// Carries out orders to a store, for Tests/s3/run and bench/sigv4.py: one JSON object a line on standard input, its outcome as one
// a line on standard output. Order.swift has the fields.
import Foundation

while let line = readLine() {
    let answer: [String: any Sendable]
    do {
        let order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
        answer = try await Work(order).done()
    } catch {
        answer = Work.told(error)
    }
    let bytes = try JSONSerialization.data(withJSONObject: answer, options: [.sortedKeys, .withoutEscapingSlashes])
    try FileHandle.standardOutput.write(contentsOf: bytes + [0x0a])
}
