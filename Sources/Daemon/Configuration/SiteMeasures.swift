internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import Policies

/// What the running site knows of its disk and its cameras, for the examination of policies.
struct SiteMeasures {
    /// How far back recordings are looked at, in milliseconds: a week, since weekdays differ.
    static let spanMs: Int64 = 7 * 86_400_000
    /// Less media than this, in milliseconds, tells no bit rate.
    static let mediaMs: Int64 = 10_000
    /// After less than this, in milliseconds, nothing is said of events a day.
    static let dayMs: Int64 = 86_400_000

    let catalog: Catalog
    let root: String

    /// What is known at present; nil where disk or catalog cannot be asked. Blocking.
    func facts(nowMs: Int64 = MachineClock().wallMs()) -> SiteFacts? {
        var info = statvfs()
        guard statvfs(root, &info) == 0, let usage = try? catalog.usage(),
            let timelines = try? catalog.timelines(fromWallMs: nowMs - Self.spanMs, toWallMs: nowMs)
        else { return nil }
        // A file system can say anything.
        let bytes = { (blocks: UInt) in
            let (bytes, overflow) = Int64(clamping: blocks).multipliedReportingOverflow(
                by: Int64(clamping: info.f_frsize))
            return overflow ? Int64.max / 2 : min(bytes, .max / 2)
        }
        let capacity = bytes(info.f_blocks)
        // What only root may use counts as used by others.
        let taken = capacity - bytes(info.f_bavail)
        return SiteFacts(
            capacityBytes: capacity,
            otherBytes: max(0, taken - usage.reduce(0) { $0 + $1.bytes }), ringBytes: Int64(SiteBuilder.ringBytes),
            cameras: timelines.mapValues { Self.measured($0, nowMs) })
    }

    private static func measured(_ spans: [ClipSpan], _ nowMs: Int64) -> SiteFacts.Measured {
        var (mediaMs, bytes, eventBytes) = (Int64(0), Int64(0), Int64(0))
        for span in spans {
            guard let end = span.endWallMs, end > span.startWallMs else { continue }
            // Each is bounded by the catalog; a week of the shortest clips is not so many that their sum is not.
            mediaMs &+= end - span.startWallMs
            bytes &+= span.bytes
            if span.mediaClass == .event { eventBytes &+= span.bytes }
        }
        let lookedAtMs = min(spanMs, nowMs - (spans.map(\.startWallMs).min() ?? nowMs))
        return SiteFacts.Measured(
            bytesPerSecond: mediaMs >= self.mediaMs ? Double(bytes) * 1_000 / Double(mediaMs) : nil,
            eventBytesPerDay: lookedAtMs >= dayMs ? Double(eventBytes) * Double(dayMs) / Double(lookedAtMs) : nil)
    }
}
