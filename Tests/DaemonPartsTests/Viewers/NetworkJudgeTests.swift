import Machines
import Testing
import WebRTC

@testable import Daemon

/// A viewer whose network carries a stream or not, second by second.
private struct JudgedViewer {
    var judge = NetworkJudge(at: Instant(ms: 0))
    private(set) var now: Int64 = 0
    /// When it was moved, in seconds, and where to.
    private(set) var moves: [(second: Int64, to: StreamName)] = []

    /// What its network carries, in kbit/s, for so many seconds; the main stream has 4,000 of them, the sub-stream 400.
    mutating func pass(_ seconds: Int, carries: Int, reportsEstimate: Bool = false, comes: Bool = true) {
        for _ in 0..<seconds {
            now += 1_000
            let rate = judge.shown == .main ? 4_000 : 400
            let lost = max(0, 1 - Double(carries) / Double(rate))
            var report = NetworkReport(lost: lost, packets: rate / 10, bitsPerSecond: rate * 1_000)
            if reportsEstimate {
                report = NetworkReport(packets: rate / 10, bitsPerSecond: rate * 1_000, estimate: carries * 850)
            }
            take(report, comes)
        }
    }

    /// Nothing is sent for so many seconds.
    mutating func rest(_ seconds: Int, comes: Bool = true) {
        for _ in 0..<seconds {
            now += 1_000
            take(NetworkReport(packets: 0, bitsPerSecond: 0), comes)
        }
    }

    mutating func take(_ report: NetworkReport, _ comes: Bool = true) {
        guard let (stream, why) = judge.take(report, at: Instant(ms: now)) else { return }
        #expect(!why.isEmpty)
        if comes { judge.moved(to: stream, at: Instant(ms: now)) } else { judge.stayed(at: Instant(ms: now)) }
        moves.append((now / 1_000, stream))
    }

    var words: [String] { moves.map { "\($0.to) \($0.second)" } }
}

@Suite("Which stream a network carries")
struct NetworkJudgeTests {
    @Test("a network that carries the main stream keeps it, also where some packets are lost, or all for a moment")
    func carried() {
        var viewer = JudgedViewer()
        viewer.pass(600, carries: 3_700)
        for _ in 0..<50 {
            viewer.pass(3, carries: 0)
            viewer.pass(4, carries: 4_000)
        }
        #expect(viewer.words == [])
    }

    @Test("one that does not is moved to the sub-stream within seconds, and back when it carries it again")
    func moved() {
        var viewer = JudgedViewer()
        viewer.pass(20, carries: 4_000)
        viewer.pass(10, carries: 1_000)
        #expect(viewer.words == ["sub 24"])
        viewer.pass(600, carries: 10_000)
        #expect(viewer.words == ["sub 24", "main 54"])
    }

    @Test("each way back that was too early doubles the wait, up to ten minutes; one that lasts begins anew")
    func backOff() {
        var viewer = JudgedViewer()
        viewer.pass(4_000, carries: 1_000)
        let ways = viewer.moves.filter { $0.to == .main }.map(\.second)
        let waits = zip(viewer.moves, viewer.moves.dropFirst()).filter { $0.0.to == .sub }.map { $1.second - $0.second }
        #expect(waits.prefix(6) == [30, 60, 120, 240, 480, 600] && ways.count >= 6, "\(viewer.words)")
        #expect(waits.allSatisfy { $0 <= 600 })
        viewer.pass(2_000, carries: 10_000)
        #expect(viewer.judge.shown == .main)
        viewer.pass(10, carries: 1_000)
        #expect(viewer.judge.shown == .sub && viewer.judge.waitMs == 30_000)
    }

    @Test("while the sub-stream itself is not carried, no way back is tried")
    func worse() {
        var viewer = JudgedViewer()
        viewer.pass(1_000, carries: 200)
        #expect(viewer.words == ["sub 5"])
    }

    @Test("an estimate of half and a storm of packets asked for again are bad; a careful estimate is not")
    func signs() {
        var careful = JudgedViewer()
        careful.pass(100, carries: 4_000, reportsEstimate: true)
        #expect(careful.words == [])
        var half = JudgedViewer()
        half.pass(20, carries: 2_000, reportsEstimate: true)
        #expect(half.words == ["sub 5"])
        var asking = NetworkJudge(at: Instant(ms: 0))
        let moves = (1...5).map { second in
            asking.take(
                NetworkReport(asked: 60, packets: 400, bitsPerSecond: 4_000_000), at: Instant(ms: second * 1_000))?.to
        }
        #expect(moves == [nil, nil, nil, nil, .sub])
        // Where nothing was sent there is nothing to divide by.
        var idle = NetworkJudge(at: Instant(ms: 0))
        #expect(idle.take(NetworkReport(asked: 5, packets: 0, bitsPerSecond: 0), at: Instant(ms: 9_000)) == nil)
    }

    @Test("where the other stream does not come it is asked for again after the wait, not each second")
    func absent() {
        var viewer = JudgedViewer()
        viewer.pass(100, carries: 1_000, comes: false)
        #expect(viewer.judge.shown == .main && (2...4).contains(viewer.moves.count), "\(viewer.words)")
    }

    @Test("a sub-stream of which nothing comes for five seconds is left without a wait; the main stream is not")
    func rested() {
        var viewer = JudgedViewer()
        viewer.pass(5, carries: 1_000)
        // The two seconds after the move do not count, and a second in which something comes begins anew.
        viewer.rest(5)
        viewer.pass(1, carries: 1_000)
        viewer.rest(4)
        #expect(viewer.words == ["sub 5"])
        viewer.rest(1, comes: false)
        #expect(viewer.words == ["sub 5", "main 16"] && viewer.judge.shown == .sub)
        viewer.rest(5)
        #expect(viewer.words == ["sub 5", "main 16", "main 21"] && viewer.judge.shown == .main)
        viewer.rest(100)
        #expect(viewer.moves.count == 3, "\(viewer.words)")
    }

    @Test("what was told before it was moved does not count afterwards")
    func anew() {
        var viewer = JudgedViewer()
        viewer.pass(5, carries: 1_000)
        viewer.judge.moved(to: .main, at: Instant(ms: viewer.now))
        viewer.pass(4, carries: 1_000)
        #expect(viewer.words == ["sub 5"])
    }
}
