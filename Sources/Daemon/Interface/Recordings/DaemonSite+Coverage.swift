internal import Catalog
internal import Journal
internal import Machines
internal import Server

extension DaemonSite {
    func coverage(camera: String, from: WallTime, to: WallTime) async throws -> CoverageReport {
        try await check(camera)
        let now = clock.wallMs()
        let line = try await Blocking.run { [catalog, ledger] in
            ledger.flush()
            return try catalog.coverage(camera: camera, fromWallMs: from.ms, toWallMs: to.ms, nowWallMs: now)
        }
        guard line.stretches.count <= CoverageReport.stretchesMax else {
            throw SiteError(
                .invalid, what: "the coverage of \(camera)",
                why: "the answer has \(line.stretches.count) parts, more than \(CoverageReport.stretchesMax)",
                remedy: "ask for a shorter time")
        }
        return CoverageReport(camera: camera, from: from, line: line)
    }
}
