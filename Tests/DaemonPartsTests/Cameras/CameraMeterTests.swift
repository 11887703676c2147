import Journal
import Machines
import Media
import Policies
import Synchronization
import Testing

@testable import Daemon

@Suite("A camera beyond its budget (H1)")
struct CameraMeterTests {
    @Test("More links, clips or records in a minute than a camera may cause are told, with the bound's name")
    func bounds() {
        let meter = CameraMeter()
        let told = Mutex<[String]>([])
        meter.onExcess { bound in told.withLock { $0.append(bound) } }
        for number in 0..<600 { meter.noteLink(at: Instant(ms: Int64(number) * 6_001)) }
        for number in 0..<600 { meter.noteClip(at: Instant(ms: Int64(number) * 1_001)) }
        meter.note(records: CameraMeter.recordsMax)
        #expect(told.withLock { $0 } == [])
        for number in 0...CameraMeter.linksMax { meter.noteLink(at: Instant(ms: 10_000_000 + Int64(number))) }
        for number in 0...CameraMeter.clipsMax { meter.noteClip(at: Instant(ms: 10_000_000 + Int64(number))) }
        meter.note(records: CameraMeter.recordsMax + 1)
        let words = told.withLock { $0 }
        #expect(words.count == 3)
        #expect(zip(words, ["(links)", "(clips)", "(records)"]).allSatisfy { $0.hasSuffix($1) }, "\(words)")
    }

    @Test("A dial that is given up for it is told as such in journal and state, and not as an ordered end")
    func told() throws {
        let camera = try TestCamera(policy: Policy(mode: .continuous))
        let sink = DialSink(number: DialNumber(9), endpoint: .lan, shell: camera.shell)
        sink.exceed("more than 10 links in a minute (links)")
        sink.ended(.stopped, counts: InputCounts())
        let line = try #require(camera.told(.linkFailed).last)
        #expect(line[.why] == "budget" && line[.detail] == "more than 10 links in a minute (links)")
        var view = camera.actor.view
        view.lastFailure = .budget
        let why = LabelReason.why(
            view, policy: "p", isModeSet: false, storage: StorageMonitor.Report(storage: .ok, freeBytes: 0, why: ""),
            excess: camera.shell.excess.withLock { $0 })
        #expect(why.contains("more than 10 links in a minute (links)"), "\(why)")
    }

    @Test("What is hung up by order is no fault of the camera, whatever it did")
    func ordered() throws {
        let camera = try TestCamera()
        let sink = DialSink(number: DialNumber(9), endpoint: .lan, shell: camera.shell)
        sink.exceed("x")
        sink.hangUp()
        sink.ended(.stopped, counts: InputCounts())
        #expect(camera.told(.linkFailed).allSatisfy { $0[.why] != "budget" })
        #expect(camera.shell.excess.withLock { $0 } == nil)
    }
}
