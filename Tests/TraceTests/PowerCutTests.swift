import Foundation
import Testing

@testable import Trace

@Suite("A trace after a power cut (H5)")
struct PowerCutTests {
    @Test(
        "Blocks that the disk never kept at the begin of a file are torn, not altered, with a bound of their time",
        arguments: 1...6)
    func begin(_ blocks: Int) throws {
        let site = try Site()
        try site.write(steps: 60)
        let good = try site.bytes()
        let lost = blocks * 512
        try #require(good.count > lost + 1_024)
        try site.replace([UInt8](repeating: 0, count: lost) + good[lost...])
        let found = try site.verify()
        #expect(found.findings.map(\.kind) == [.torn], "\(found.findings)")
        let finding = try #require(found.findings.first)
        // The first record behind it that fits is not the one that the hole ends in, nor the one whose predecessor's digest is gone.
        let next = try #require(found.numbers).lowerBound
        #expect(finding.record == next - 1 || finding.record == next - 2)
        #expect(finding.wallMs == Site.noonMs && finding.words.contains("\(lost) bytes"), "\(finding)")
        #expect(found.records > 20)
    }

    @Test("So is the begin of a later file, and the records that are gone there are not called missing as well")
    func later() throws {
        let site = try Site()
        for day in Int64(0)..<2 {
            let log = site.log()
            _ = try log.open()
            let wallMs = Site.noonMs + day * Site.dayMs
            for _ in 0..<10 { try log.write(.step(try site.step(wallMs: wallMs)), wallMs: wallMs) }
            try log.close(wallMs: wallMs)
        }
        let good = try site.bytes(1)
        try site.replace([UInt8](repeating: 0, count: 512) + good[512...], file: 1)
        let found = try site.verify()
        #expect(found.findings.map(\.kind) == [.torn], "\(found.findings)")
        #expect(found.findings.first?.wallMs == Site.noonMs)
    }

    @Test("A file of which nothing was kept is torn, with the time of the first record behind it")
    func nothing() throws {
        let site = try Site()
        try site.write()
        try site.replace([UInt8](repeating: 0, count: 700))
        let log = site.log()
        _ = try log.open()
        try log.write(.step(try site.step(state: true)))
        try log.close(wallMs: Site.noonMs)
        let found = try site.verify()
        #expect(found.findings.map(\.kind) == [.torn], "\(found.findings)")
        #expect(found.findings.first?.wallMs == Site.noonMs)
    }

    @Test("Zeros that are no whole blocks are an alteration")
    func zeroed() throws {
        let site = try Site()
        try site.write(steps: 30)
        let good = try site.bytes()
        for count in [1, 8, 511, 513] {
            try site.replace([UInt8](repeating: 0, count: count) + good[count...])
            let found = try site.verify()
            #expect(!found.isWhole && found.findings.allSatisfy { $0.kind == .altered }, "\(count): \(found.findings)")
            #expect(found.findings.allSatisfy { $0.wallMs == Site.noonMs })
        }
    }
}
