internal import Machines
internal import WebRTC

/// Decides by what a viewer tells of its network whether the main stream or the sub-stream is shown. It reads no clock and does
/// nothing by itself.
///
/// A network that cannot carry the main stream shows in several of a few seconds; one that seems to be better shows in none of
/// many, and only after a wait, which is doubled each time that the way back was too early. A sub-stream of which nothing comes is
/// left without a wait.
struct NetworkJudge {
    /// So many bad ones of the last seconds take it to the sub-stream.
    static let bad = (of: 6, most: 4)
    /// A second is bad where this part of its packets was lost, or asked for again: what is less is repaired.
    static let lostMax = 0.1
    /// It is bad, too, where the viewer estimates that it can get only this part of what is sent. Receivers estimate carefully:
    /// in a good network often four fifths.
    static let estimateMin = 0.5
    /// After each begin a group of pictures comes at once, which says nothing: so many milliseconds are passed over.
    static let beginMs: Int64 = 2_000
    /// How long the first way back waits, and any at most, in milliseconds.
    static let waitMs = (first: Int64(30_000), most: Int64(600_000))
    /// Before a way back so many seconds in a row must have been good.
    static let goodMin = 10
    /// A way back is too early where it leads to the sub-stream again within so many milliseconds.
    static let trialMs: Int64 = 60_000
    /// The sub-stream is left when nothing was sent of it in so many seconds in a row.
    static let idleMax = 5

    /// The stream that is shown.
    private(set) var shown = StreamName.main
    private(set) var waitMs = Self.waitMs.first
    private var since: Instant
    /// Whether it has come back from the sub-stream.
    private var isBack = false
    /// Whether each of the last seconds was bad, the newest last.
    private var seconds: [Bool] = []
    /// In how many of the last seconds, in a row, nothing was sent.
    private var idle = 0
    /// A way that could not be gone is tried again after the same wait.
    private var notBefore: Instant?

    /// Begins with the main stream.
    init(at now: Instant) { since = now }

    /// Takes a report of about a second; the stream to which it leads, and why. nil: it stays.
    mutating func take(_ report: NetworkReport, at now: Instant) -> (to: StreamName, why: String)? {
        guard now - since >= Self.beginMs else { return nil }
        guard report.packets > 0 else { return rested() }
        idle = 0
        seconds.append(Self.isBad(report))
        if seconds.count > max(Self.bad.of, Self.goodMin) { seconds.removeFirst() }
        if let notBefore, now < notBefore { return nil }
        switch shown {
        case .main:
            guard seconds.suffix(Self.bad.of).count(where: { $0 }) >= Self.bad.most else { return nil }
            return (.sub, Self.words(report))
        case .sub:
            guard now - since >= waitMs, seconds.count >= Self.goodMin,
                !seconds.suffix(Self.goodMin).contains(true)
            else { return nil }
            let most = Int(Self.lostMax * 100)
            return (.main, "in each of \(Self.goodMin) s less than \(most) % was lost or asked for again")
        }
    }

    /// A second in which nothing was sent, which says nothing of the network.
    private mutating func rested() -> (to: StreamName, why: String)? {
        idle += 1
        guard shown == .sub, idle >= Self.idleMax else { return nil }
        return (.main, "nothing came of the sub-stream for \(Self.idleMax) s")
    }

    /// It was moved.
    mutating func moved(to stream: StreamName, at now: Instant) {
        if stream == .sub {
            let isEarly = isBack && now - since < Self.trialMs
            waitMs = isEarly ? min(2 * waitMs, Self.waitMs.most) : Self.waitMs.first
        } else {
            isBack = true
        }
        (shown, since, seconds, idle, notBefore) = (stream, now, [], 0, nil)
    }

    /// It could not be moved: the other stream does not come.
    mutating func stayed(at now: Instant) { (notBefore, seconds, idle) = (now + waitMs, [], 0) }

    private static func isBad(_ report: NetworkReport) -> Bool {
        report.lost >= lostMax || report.asks >= lostMax
            || report.estimate.map { Double($0) < Double(report.bitsPerSecond) * estimateMin } ?? false
    }

    private static func words(_ report: NetworkReport) -> String {
        let estimate = report.estimate.map { ", \($0 / 1_000) kbit/s estimated" } ?? ""
        return "\(percent(report.lost)) of \(report.bitsPerSecond / 1_000) kbit/s lost, "
            + "\(percent(report.asks)) asked for again\(estimate)"
    }

    private static func percent(_ part: Double) -> String { "\(Int((min(part, 9.99) * 100).rounded())) %" }
}

extension NetworkReport {
    /// The part of the packets that was asked for again.
    fileprivate var asks: Double { packets > 0 ? Double(asked) / Double(packets) : 0 }
}
