internal import Catalog
internal import Explain
internal import Foundation
internal import Journal
internal import Machines
internal import Policies
internal import Server

extension DaemonSite {
    func why(camera: String, at moment: WallTime) async throws -> WhyAnswer {
        try await check(camera)
        let now = clock.wallMs()
        guard moment.ms <= now else {
            throw SiteError(
                .invalid, what: "the explanation of \(moment.rfc3339)", why: "that moment has not come yet",
                remedy: "ask about a moment in the past")
        }
        return try await explain { [catalog, ledger] explanations in
            ledger.flush()
            let entry = try Self.entry(camera, moment, now, catalog)
            var answer = try explanations.why(camera, at: moment, ledger: entry)
            answer.remarks += try Self.settings(camera, moment, catalog)
            return answer
        }
    }

    func simulate(_ command: SimulateRequest, in scope: CameraScope) async throws -> [SimulateAnswer] {
        try await check(command.camera)
        let time = try past(command.from, command.to)
        let policy = try document(command)
        let site = configuration.loaded.configuration
        return try await explain { [catalog] explanations in
            try explanations.simulate(policy, in: scope, time) { name in
                site.camera(name).map { $0.zones.map(\.name) }
            } rate: {
                try Self.byteRate(of: $0, time, catalog)
            }
        }
    }

    func ladder(camera: String, from: WallTime, to: WallTime, asEvents: Bool) async throws -> LadderAnswer {
        try await check(camera)
        let time = try past(from, to)
        return try await explain { [catalog] explanations in
            try explanations.ladder(camera, time, asEvents: asEvents) { try Self.byteRate(of: $0, time, catalog) }
        }
    }

    /// Answers by `work`, on a thread apart and within the bounds.
    private func explain<Answer: Sendable>(
        _ work: @escaping @Sendable (Explanations) throws -> Answer
    ) async throws -> Answer {
        let zone = TimeZone(identifier: configuration.current.timeZone) ?? .current
        return try await Blocking.explanations.run { [trace] in
            // The time counts from here on: what waits for a thread has cost nothing.
            let meter = ReadingMeter(
                recordsMax: ExplanationBounds.recordsMax, durationMsMax: ExplanationBounds.durationMsMax)
            do { return try work(Explanations(zone: zone, meter: meter, trace: trace)) } catch let error as JournalError
            {
                throw SiteError(
                    .failed, what: "the explanation", why: "the trace cannot be read: \(error)",
                    remedy: "see whether `journalctl -u vigil` reads it")
            }
        }
    }

    /// What has come yet of a time.
    private func past(_ from: WallTime, _ to: WallTime) throws -> Range<Int64> {
        let end = min(to.ms, clock.wallMs())
        guard from.ms < end else {
            throw SiteError(
                .invalid, what: "the explanation", why: "that time has not come yet",
                remedy: "ask about a time in the past")
        }
        return from.ms..<end
    }

    private func document(_ command: SimulateRequest) throws -> PolicyDocument {
        guard let text = command.text else { return try known(policy: command.policy ?? "") }
        do {
            return try ConfigurationLoader.policy(text: text, file: "policy.yaml").policy
        } catch {
            let first = error.diagnostics.first { $0.severity == .error }
            throw SiteError(
                .invalid, what: "the policy", why: first.map { "line \($0.line): \($0.reason)" } ?? "it is not valid",
                remedy: first?.remedy ?? "`vigil policy check` says why")
        }
    }

    // MARK: Blocking

    /// What was set for the camera at a moment over what its policy says of recording, in sentences.
    private static func settings(_ camera: String, _ moment: WallTime, _ catalog: Catalog) throws -> [String] {
        let keys = [CameraSettings.Key.mode, .sensitivity, .maxEventLength].map(\.rawValue)
        return try catalog.settings(of: camera, atWallMs: moment.ms).filter { keys.contains($0.key) }.compactMap {
            setting in
            setting.value.map {
                "\(setting.key) \($0) was set for this camera by \(setting.by) on "
                    + "\(WallTime(ms: setting.sinceWallMs).rfc3339), over its policy; `vigil camera get \(camera)`"
            }
        }
    }

    /// What the catalog knows of a moment that has come.
    private static func entry(
        _ camera: String, _ moment: WallTime, _ now: Int64, _ catalog: Catalog
    ) throws -> LedgerEntry? {
        let from = WallTime(ms: moment.ms - LedgerEntry.aroundMs)
        let line = try catalog.coverage(
            camera: camera, fromWallMs: from.ms, toWallMs: moment.ms + LedgerEntry.aroundMs, nowWallMs: now)
        let report = CoverageReport(camera: camera, from: from, line: line)
        let holding = report.stretches.first { $0.from <= moment && moment < $0.to }
        // The present is the end of the last one.
        guard let stretch = holding ?? report.stretches.last else { return nil }
        let clips = ClipQuery(
            camera: camera, fromWallMs: moment.ms, toWallMs: moment.ms + 1, limit: ClipQuery.limitMax,
            includingOpen: true)
        let events = EventQuery(camera: camera, fromWallMs: moment.ms, toWallMs: moment.ms + 1)
        let clip = try stretch.label == .recorded ? catalog.clips(clips).last?.id.rawValue : nil
        return LedgerEntry(
            stretch: stretch, isWhole: stretch.from > report.from && stretch.to < report.to, clip: clip,
            event: try catalog.events(events).last?.id.rawValue)
    }

    /// Bytes for each millisecond of a camera's clips in a time; nil where there is none.
    private static func byteRate(of camera: String, _ time: Range<Int64>, _ catalog: Catalog) throws -> Double? {
        var query = ClipQuery(
            camera: camera, fromWallMs: time.lowerBound, toWallMs: time.upperBound, limit: ListFilter.pageMax)
        var (bytes, ms): (Int64, Int64) = (0, 0)
        while true {
            let clips = try catalog.clips(query)
            for clip in clips {
                guard let end = clip.end, end.wallMs > clip.start.wallMs else { continue }
                bytes &+= clip.bytes
                ms &+= end.wallMs - clip.start.wallMs
            }
            guard clips.count == query.limit, let last = clips.last else { break }
            query.after = ClipQuery.Key(startWallMs: last.start.wallMs, id: last.id)
        }
        return ms > 0 ? Double(bytes) / Double(ms) : nil
    }
}
