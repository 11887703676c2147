import Foundation
import Machines
import Testing

/// A job, the clock of its shell, and the record on its disk.
private struct Job {
    var upload: Upload
    var now = Instant(ms: 1_000_000)
    var durable: Upload.Record

    init(encode: Bool = false, allowed: Bool = true) {
        upload = Upload(encode: encode)
        durable = upload.record
        if allowed { send(.allow(true)) }
    }

    @discardableResult
    mutating func send(_ event: Upload.Event, after ms: Int64 = 0) -> [Upload.Effect] {
        now = now + ms
        let effects = upload.step(event, at: now)
        for case .save(let record) in effects { durable = record }
        return effects
    }

    /// The process dies, and the next one reads the record.
    mutating func crash() {
        upload = Upload(restoring: durable, encode: upload.encode, at: now)
    }

    /// The latest order.
    var order: Upload.OrderNumber { Upload.OrderNumber(upload.orders) }

    /// Brings the clip to the cloud.
    mutating func store() -> [Upload.Effect] {
        for case .recordAck(_, let record) in send(.uploaded(order)) { durable = record }
        return send(.acked(order))
    }
}

@Suite("Stories of an upload")
struct UploadTests {
    static let first = Upload.OrderNumber(1), second = Upload.OrderNumber(2)

    @Test("A clip waits until uploads are allowed, is sent, and is released only when its acknowledgement is durable")
    func counts() {
        var job = Job(allowed: false)
        #expect(job.send(.tick, after: 1_000) == [] && job.upload.nextDeadline == nil)
        let sent = Upload.Record(phase: .queued, sent: true)
        #expect(job.send(.allow(true)) == [.save(sent), .put(Self.first), .report(.uploading)])
        let record = Upload.Record(phase: .done, sent: true, counted: true)
        #expect(job.send(.uploaded(Self.first)) == [.recordAck(Self.second, record)])
        #expect(!job.upload.counted)
        #expect(job.send(.acked(Self.second)) == [.release, .report(.done)])
        #expect(job.upload.record == record)
    }

    @Test("Three retries after 30, 60 and 120 s, each at most a fifth longer; then it has failed until asked again")
    func retries() throws {
        var job = Job()
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
        var job = Job()
        #expect(job.send(.putFailed(Self.first, .final)).contains(.report(.uploadFailed)))
    }

    @Test("A transfer that takes longer than 15 min is aborted and is a failed try; its answer is late")
    func bound() {
        var job = Job()
        #expect(job.send(.tick, after: 899_999) == [])
        let effects = job.send(.tick, after: 1)
        #expect(effects.first == .abortPut(Self.first) && job.upload.tries == 1)
        #expect(job.send(.uploaded(Self.first)) == [.ignored(.late)])
        #expect(job.send(.uploaded(Upload.OrderNumber(9))) == [.ignored(.unknown)])
    }

    @Test("A crash before the acknowledgement is durable sends the clip again; after it the upload counts")
    func crashes() {
        var job = Job()
        job.send(.uploaded(Self.first))
        job.crash()
        #expect(job.upload.state == .queued && job.upload.sent && !job.upload.counted)
        #expect(job.send(.allow(true)).contains(.put(Self.first)))
        _ = job.store()
        job.crash()
        #expect(job.upload.state == .done && job.upload.counted && job.upload.nextDeadline == nil)
    }

    @Test("The end of the plan aborts a transfer without counting a try; encoding goes on")
    func notAllowed() {
        var job = Job(encode: true)
        #expect(job.send(.allow(false)) == [.abortPut(Self.first), .report(.queued)])
        #expect(job.upload.tries == 0)
        job.send(.allow(true))
        #expect(job.store().contains(.encode(job.order)))
        #expect(job.send(.allow(false)) == [] && job.upload.state.phase == .encoding)
        #expect(job.send(.allow(false)) == [.ignored(.duplicate)])
    }

    @Test("The encoder tells by webhook, even before it said that it began")
    func webhook() {
        var job = Job(encode: true)
        _ = job.store()
        let encode = job.order
        #expect(job.send(.webhook(encode, .finished)).last == .report(.done))
        #expect(job.send(.encodeStarted(encode, Upload.EncoderJob("a"))) == [.ignored(.late)])
    }

    @Test("Without a webhook the encoder is polled every 30 s; a poll that fails costs no try")
    func polls() {
        var job = Job(encode: true)
        let name = Upload.EncoderJob("a")
        _ = job.store()
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
        var job = Job(encode: true)
        _ = job.store()
        let encode = job.order, begin = job.now
        job.send(.encodeStarted(encode, Upload.EncoderJob("a")))
        while job.upload.tries == 0, let next = job.upload.nextDeadline { job.send(.tick, after: next - job.now) }
        #expect(job.now - begin == 7_200_000)
        #expect(job.upload.state.phase == .encoding && job.durable.tries == 1 && job.durable.job == nil)
        #expect(job.send(.webhook(encode, .finished)) == [.ignored(.late)])
    }

    @Test("A run of the encoder that is known is found again and polled; one that is not is asked for again")
    func encoderRestart() throws {
        var job = Job(encode: true)
        let name = Upload.EncoderJob("a")
        _ = job.store()
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
        var job = Job()
        #expect(job.send(.cancel).suffix(2) == [.discardRemote(.cancelled), .report(.cancelled)])
        #expect(job.send(.cancel) == [.refused(.cancelled)])
        var counted = Job(encode: true)
        _ = counted.store()
        let effects = counted.send(.cancel)
        #expect(!effects.contains(.discardRemote(.cancelled)) && counted.upload.counted)
        var done = Job()
        _ = done.store()
        #expect(done.send(.cancel) == [.refused(.done)])
    }

    @Test("A clip that was deleted locally ends its job only while its file is still needed")
    func sourceGone() {
        var waiting = Job(allowed: false)
        #expect(waiting.send(.sourceGone).last == .report(.cancelled))
        var job = Job()
        job.send(.uploaded(Self.first))
        #expect(job.send(.sourceGone) == [.ignored(.notNeeded)])
    }

    @Test("A drain aborts the transfer and leaves to the cloud what goes on there")
    func drains() {
        var job = Job()
        #expect(job.send(.drain) == [.abortPut(Self.first), .report(.queued), .stopped])
        #expect(job.upload.nextDeadline == nil && job.send(.cancel) == [.ignored(.stopped)])
        var encoding = Job(encode: true)
        _ = encoding.store()
        encoding.send(.encodeStarted(encoding.order, Upload.EncoderJob("a")))
        #expect(encoding.send(.drain) == [.stopped])
        #expect(encoding.upload.record == encoding.durable && encoding.durable.job != nil)
    }

    @Test("The record holds what a restart needs, and nothing else")
    func record() throws {
        var job = Job(encode: true)
        _ = job.store()
        job.send(.encodeStarted(job.order, Upload.EncoderJob("a")))
        let data = try JSONEncoder().encode(job.durable)
        let fields = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(fields.keys.sorted() == ["counted", "job", "phase", "sent", "tries"])
        #expect(try JSONDecoder().decode(Upload.Record.self, from: data) == job.durable)
    }

    @Test("A record that contradicts itself is read by its phase")
    func contradiction() {
        let now = Instant(ms: 0)
        let done = Upload(restoring: Upload.Record(phase: .done), encode: false, at: now)
        #expect(done.counted && done.sent)
        let queued = Upload(restoring: Upload.Record(phase: .queued, tries: 200, counted: true), encode: false, at: now)
        #expect(!queued.counted && queued.tries == 3)
    }
}
