import Foundation
import Machines
import Testing

@Suite("Stories of an upload")
struct UploadTests {
    static let first = Upload.OrderNumber(1), second = Upload.OrderNumber(2)

    @Test("A clip waits until uploads are allowed, is sent, and is released only when its acknowledgement is durable")
    func counts() {
        var job = UploadJob(allowed: false)
        #expect(job.send(.tick, after: 1_000) == [] && job.upload.nextDeadline == nil)
        let sent = Upload.Record(phase: .queued, sent: true, seal: UploadJob.seal, stage: .uploading, notices: 2)
        let uploading = Upload.Notice(number: 2, stage: .uploading)
        #expect(job.send(.allow(true)) == [.save(sent, uploading), .put(Self.first), .report(.uploading)])
        let record = Upload.Record(phase: .done, sent: true, counted: true, seal: UploadJob.seal, notices: 3)
        let done = Upload.Notice(number: 3, stage: .done)
        #expect(job.send(.uploaded(Self.first)) == [.recordAck(Self.second, record, done)])
        #expect(!job.upload.counted)
        #expect(job.send(.acked(Self.second)) == [.release, .report(.done)])
        #expect(job.upload.record == record)
    }

    @Test("Three retries after 30, 60 and 120 s, each at most a fifth longer; then it has failed until asked again")
    func retries() throws {
        var job = UploadJob()
        for base in [30_000, 60_000, 120_000] as [Int64] {
            job.send(.putFailed(job.order, .again))
            #expect(job.upload.state.phase == .queued)
            let wait = try #require(job.upload.nextDeadline) - job.now
            #expect(wait >= base && wait <= base + base / 5)
            let effects = job.send(.tick, after: wait)
            #expect(effects.contains(.put(job.order)))
        }
        #expect(job.send(.putFailed(job.order, .again)).contains(.report(.uploadFailed)))
        #expect(job.upload.nextDeadline == nil)
        #expect(job.send(.reEncode) == [.refused(.notFailed)])
        #expect(job.send(.reUpload).contains(.put(job.order)) && job.upload.tries == 0)
    }

    @Test("Waits grow no longer than a quarter of an hour, and a fifth")
    func longestWait() throws {
        let timing = Upload.Timing(retries: 255)
        var upload = Upload(encode: false, timing: timing), now = Instant(ms: 0), longest: Int64 = 0
        _ = upload.step(.allow(true), at: now)
        for _ in 0..<255 {
            _ = upload.step(.putFailed(Upload.OrderNumber(upload.orders), .again), at: now)
            let next = try #require(upload.nextDeadline)
            longest = max(longest, next - now)
            now = next
            _ = upload.step(.tick, at: now)
        }
        #expect(longest > 900_000 && longest <= 1_080_000)
        _ = upload.step(.putFailed(Upload.OrderNumber(upload.orders), .again), at: now)
        #expect(upload.state == .uploadFailed)
    }

    @Test("A refused login, or a key that holds other content, is the last try")
    func final() {
        var job = UploadJob()
        #expect(job.send(.putFailed(Self.first, .final)).contains(.report(.uploadFailed)))
    }

    @Test(
        "A transfer goes on while it makes progress; without any for two minutes it waits, and no try is counted (S19)")
    func bound() {
        var job = UploadJob()
        for part in 1...3 as ClosedRange<Int64> {
            #expect(job.send(.progressed(Self.first, bytes: part * 262_144), after: 119_999) == [])
        }
        #expect(job.send(.progressed(Self.first, bytes: 4 * 262_144)) == [.ignored(.noProgress)])
        #expect(job.send(.progressed(Self.first, bytes: 786_433)) == [.ignored(.noProgress)])
        #expect(job.send(.progressed(Self.first, bytes: UploadJob.seal.bytes)) == [])
        #expect(job.send(.progressed(Self.first, bytes: UploadJob.seal.bytes)) == [.ignored(.noProgress)])
        #expect(job.send(.tick, after: 119_999) == [])
        let effects = job.send(.tick, after: 1)
        #expect(effects.first == .abortPut(Self.first) && job.upload.tries == 0 && job.upload.outages == 1)
        #expect(job.send(.uploaded(Self.first)) == [.ignored(.late)])
        #expect(job.send(.uploaded(Upload.OrderNumber(9))) == [.ignored(.unknown)])
    }

    @Test("10 GB over 1 Mbit/s, a day long, end well")
    func slow() {
        var job = UploadJob(open: true)
        job.send(.sealed(Upload.Seal(digest: "d", bytes: 10_000_000_000)))
        let began = job.now
        for bytes in stride(from: 5_000_000, through: 10_000_000_000, by: 5_000_000) as StrideThrough<Int64> {
            job.send(.progressed(Self.first, bytes: bytes), after: 40_000)
        }
        #expect(job.now - began > 22 * 3_600_000)
        job.store()
        #expect(job.upload.state == .done && job.upload.tries == 0)
    }

    @Test("A crash before the acknowledgement is durable sends the clip again; after it the upload counts")
    func crashes() {
        var job = UploadJob()
        job.send(.uploaded(Self.first))
        job.crash()
        #expect(job.upload.state == .queued && job.upload.sent && !job.upload.counted)
        #expect(job.send(.allow(true)).contains(.put(Self.first)))
        job.store()
        job.crash()
        #expect(job.upload.state == .done && job.upload.counted && job.upload.nextDeadline == nil)
    }

    @Test("The end of the plan aborts a transfer without counting a try; encoding goes on")
    func notAllowed() {
        var job = UploadJob(encode: true)
        #expect(job.send(.allow(false)) == [.abortPut(Self.first), .report(.queued)])
        #expect(job.upload.tries == 0)
        job.send(.allow(true))
        #expect(job.store().contains(.encode(job.order)))
        #expect(job.send(.allow(false)) == [] && job.upload.state.phase == .encoding)
        #expect(job.send(.allow(false)) == [.ignored(.duplicate)])
    }

    @Test("The encoder tells by webhook, even before it said that it began")
    func webhook() {
        var job = UploadJob(encode: true)
        job.store()
        let encode = job.order
        #expect(job.send(.webhook(encode, .finished)).last == .report(.done))
        #expect(job.send(.encodeStarted(encode, Upload.EncoderJob("a"))) == [.ignored(.late)])
    }

    @Test("Without a webhook the encoder is polled every 30 s; a poll that fails costs no try")
    func polls() {
        var job = UploadJob(encode: true)
        let name = Upload.EncoderJob("a")
        job.store()
        job.send(.encodeStarted(job.order, name))
        #expect(job.durable.job == name)
        #expect(job.send(.tick, after: 30_000) == [.poll(job.order, name)])
        job.send(.pollFailed(job.order))
        #expect(job.send(.tick, after: 30_000) == [.poll(job.order, name)])
        job.send(.polled(job.order, .running))
        #expect(job.send(.tick, after: 30_000) == [.poll(job.order, name)] && job.upload.tries == 0)
        #expect(job.send(.polled(job.order, .finished)).last == .report(.done))
        #expect(job.durable.job == nil)
    }

    @Test("An encoder that never ends is called off after two hours and asked again")
    func encoderHangs() {
        var job = UploadJob(encode: true)
        job.store()
        let encode = job.order, begin = job.now
        job.send(.encodeStarted(encode, Upload.EncoderJob("a")))
        while job.upload.tries == 0 {
            job.wait()
            if case .poll = job.upload.state { job.send(.polled(job.order, .running)) }
        }
        #expect(job.now - begin >= 7_200_000 && job.now - begin <= 7_230_000)
        #expect(job.upload.state.phase == .encoding && job.durable.tries == 1 && job.durable.job == nil)
        #expect(job.send(.webhook(encode, .finished)) == [.ignored(.late)])
    }

    @Test("A run of the encoder that is known is found again and polled; one that is not is asked for again")
    func encoderRestart() throws {
        var job = UploadJob(encode: true)
        let name = Upload.EncoderJob("a")
        job.store()
        job.crash()
        let wait = try #require(job.upload.nextDeadline) - job.now
        #expect(wait >= 30_000 && wait <= 36_000)
        #expect(job.send(.tick, after: wait) == [.encode(Self.first)])
        job.send(.encodeStarted(Self.first, name))
        job.crash()
        #expect(job.send(.tick, after: 30_000) == [.poll(Self.second, name)])
        #expect(job.send(.webhook(Self.first, .finished)).last == .report(.done))
    }

    @Test("A cancelled job leaves nothing remotely that nobody counts, and does not touch what counts")
    func cancels() {
        var job = UploadJob()
        #expect(job.send(.cancel).suffix(2) == [.discard(Self.second, .cancelled), .report(.removing)])
        #expect(job.send(.cancel) == [.refused(.removed)])
        #expect(job.send(.discarded(Self.second)).last == .report(.cancelled) && !job.upload.sent)
        #expect(job.send(.cancel) == [.refused(.cancelled)])
        var counted = UploadJob(encode: true)
        counted.store()
        #expect(counted.send(.cancel).last == .report(.cancelled) && counted.upload.counted)
        var done = UploadJob()
        done.store()
        #expect(done.send(.cancel) == [.refused(.done)])
    }

    @Test("A clip that was deleted locally ends its job only while its file is still needed")
    func sourceGone() {
        var waiting = UploadJob(allowed: false)
        #expect(waiting.send(.sourceGone).last == .report(.cancelled))
        var job = UploadJob()
        job.send(.uploaded(Self.first))
        #expect(job.send(.sourceGone) == [.ignored(.notNeeded)])
    }

    @Test("A drain aborts the transfer and leaves to the cloud what goes on there")
    func drains() {
        var job = UploadJob()
        #expect(job.send(.drain) == [.abortPut(Self.first), .report(.queued), .stopped])
        #expect(job.upload.nextDeadline == nil && job.send(.cancel) == [.ignored(.stopped)])
        var encoding = UploadJob(encode: true)
        encoding.store()
        encoding.send(.encodeStarted(encoding.order, Upload.EncoderJob("a")))
        #expect(encoding.send(.drain) == [.stopped])
        #expect(encoding.upload.record == encoding.durable && encoding.durable.job != nil)
    }

    @Test("The record holds what a restart needs, and nothing else")
    func record() throws {
        var job = UploadJob(encode: true)
        job.store()
        job.send(.encodeStarted(job.order, Upload.EncoderJob("a")))
        let data = try JSONEncoder().encode(job.durable)
        let fields = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(fields.keys.sorted() == ["counted", "job", "notices", "phase", "seal", "sent", "stage", "tries"])
        #expect(try JSONDecoder().decode(Upload.Record.self, from: data) == job.durable)
    }

    @Test("A record that contradicts itself is read by its phase")
    func contradiction() {
        let now = Instant(ms: 0)
        let done = Upload(restoring: Upload.Record(phase: .done), encode: false, at: now)
        #expect(done.counted && done.sent)
        let queued = Upload(restoring: Upload.Record(phase: .queued, tries: 200, counted: true), encode: false, at: now)
        #expect(!queued.counted && queued.tries == 3)
        let removing = Upload(restoring: Upload.Record(phase: .removing, counted: true), encode: false, at: now)
        #expect(!removing.counted && removing.sent && removing.state.aim == .cancelled)
        let purged = Upload(restoring: Upload.Record(phase: .purged, sent: true, counted: true), encode: false, at: now)
        #expect(!purged.counted && !purged.sent)
    }
}
