import Machines
import Testing

@Suite("Stories of an upload that outlasts an outage, begins with an open clip, or is taken away again")
struct UploadKeepTests {
    static let first = Upload.OrderNumber(1), second = Upload.OrderNumber(2)

    @Test("An outage of 48 hours costs no try, and the job is tried at least four times an hour (S19)")
    func outage() {
        var job = UploadJob()
        let began = job.now
        var tries = 0
        while job.now - began < 48 * 3_600_000 {
            if case .put = job.upload.state {
                tries += 1
                job.send(.putFailed(job.order, tries.isMultiple(of: 2) ? .busy : .unreachable), after: 1_000)
            } else {
                job.wait()
            }
        }
        #expect(tries >= 48 * 3 && tries < 48 * 5 && job.upload.tries == 0)
        job.crash()
        job.send(.allow(true))
        job.store()
        #expect(job.upload.state == .done && job.told == [.queued, .uploading, .done])
    }

    @Test("An outage of encoder and object store is waited for in the same way (S19)")
    func otherOutages() {
        var job = UploadJob(encode: true)
        job.store()
        for _ in 0..<20 {
            job.send(.encodeRefused(job.order, .unreachable))
            job.wait()
        }
        #expect(job.upload.tries == 0)
        job.send(.encodeStarted(job.order, Upload.EncoderJob("a")))
        for _ in 0..<1_000 {
            job.wait()
            if case .poll = job.upload.state { job.send(.pollFailed(job.order)) }
        }
        #expect(job.upload.tries == 0 && job.upload.state.phase == .encoding)
        job.send(.delete)
        for _ in 0..<20 {
            job.wait()
            if case .discard = job.upload.state { job.send(.discardFailed(job.order, .busy)) }
        }
        #expect(job.upload.state.phase == .removing)
        job.wait()
        job.send(.discarded(job.order))
        #expect(job.upload.state == .deleted)
    }

    @Test("Each stage is told once, whenever the process dies, and asked again it is told again (S17)")
    func notices() {
        var job = UploadJob()
        job.crash()
        job.send(.allow(true))
        job.send(.putFailed(job.order, .again))
        job.crash()
        job.send(.allow(true))
        job.send(.putFailed(job.order, .final))
        job.send(.reUpload)
        // The acknowledgement becomes durable, and its answer is lost: it is written again with the same number.
        job.acknowledge(job.send(.uploaded(job.order)))
        job.wait()
        job.acknowledge(job.wait())
        job.send(.acked(job.order))
        job.crash()
        #expect(job.told == [.queued, .uploading, .uploadFailed, .uploading, .done])
        #expect(job.upload.notices == job.notices.keys.max())
    }

    @Test("A deletion that overtakes an acknowledgement is told under a number of its own (S17)")
    func overtaken() {
        for durable in [false, true] {
            var job = UploadJob()
            let effects = job.send(.uploaded(job.order))
            if durable { job.acknowledge(effects) }
            let late = job.order
            job.send(.delete)
            #expect(job.send(.acked(late)) == [.ignored(.late)])
            job.send(.discarded(job.order))
            #expect(job.told == [.queued, .uploading] + (durable ? [.done] : []) + [.removing, .deleted])
            #expect(!job.upload.counted && job.durable == job.upload.record)
        }
    }

    @Test("An open clip is sent as it grows, and does not count before it is closed (S18)")
    func live() {
        var job = UploadJob(open: true)
        #expect(job.send(.progressed(Self.first, bytes: 300_000), after: 1_000) == [])
        #expect(job.send(.caughtUp(Self.first)) == [] && job.upload.nextDeadline == nil)
        #expect(job.send(.caughtUp(Self.first)) == [.ignored(.duplicate)])
        #expect(job.send(.uploaded(Self.first)) == [.ignored(.notSealed)])
        let effects = job.send(.sealed(UploadJob.seal), after: 3_600_000)
        #expect(effects == [.save(job.upload.record, nil)] && job.durable.seal == UploadJob.seal)
        #expect(job.upload.nextDeadline == job.now + 120_000)
        #expect(job.send(.sealed(Upload.Seal(digest: "other", bytes: 1))) == [.ignored(.duplicate)])
        #expect(job.send(.caughtUp(Self.first)) == [.ignored(.notNeeded)])
        job.store()
        #expect(job.upload.counted && job.told == [.queued, .uploading, .done])
    }

    @Test("After a kill an open clip goes on with what recovery found, or leaves nothing there (S18)")
    func interrupted() {
        var job = UploadJob(open: true)
        job.send(.caughtUp(Self.first))
        job.crash()
        job.send(.sealed(Upload.Seal(digest: "shorter", bytes: 10)))
        job.send(.allow(true))
        job.store()
        #expect(job.upload.state == .done)
        var empty = UploadJob(open: true)
        empty.crash()
        #expect(empty.send(.sourceGone).contains(.discard(Self.first, .cancelled)))
        empty.send(.discarded(Self.first))
        #expect(empty.upload.state == .cancelled && !empty.upload.sent)
    }

    @Test("A person's deletion removes the remote copy from every phase, or says that it could not (D9)")
    func deletes() {
        let first = UploadJob().order
        let ways: [[Upload.Event]] = [
            [], [.uploaded(first)], [.putFailed(first, .final)], [.putFailed(first, .unreachable)],
        ]
        var jobs = ways.map { events in
            var job = UploadJob()
            for event in events { job.send(event) }
            return job
        }
        var done = UploadJob()
        done.store()
        var purged = done
        purged.send(.purge)
        jobs += [done, purged]
        for var job in jobs {
            job.send(.delete)
            #expect(job.upload.state.phase == .removing && job.upload.state.aim == .deleted && !job.durable.counted)
            job.crash()
            job.wait()
            job.send(.discardFailed(job.order, .unreachable))
            job.wait()
            job.send(.discardFailed(job.order, .final))
            #expect(job.upload.state == .removeFailed(.deleted) && job.told.last == .removeFailed)
            job.crash()
            job.send(.delete)
            job.send(.discarded(job.order))
            #expect(job.upload.state == .deleted && job.send(.reUpload) == [.refused(.notFailed)])
        }
    }

    @Test("What was purged is sent again only if somebody asks; a job that sent nothing is not purged (S20)")
    func purges() {
        var job = UploadJob()
        job.store()
        job.send(.allow(false))
        #expect(job.send(.purge).contains(.discard(job.order, .planRetention)) && !job.upload.counted)
        #expect(job.send(.purge) == [.ignored(.duplicate)])
        job.send(.discarded(job.order))
        #expect(job.upload.state == .purged)
        #expect(job.send(.allow(true)) == [] && job.send(.purge) == [.ignored(.notNeeded)])
        job.crash()
        #expect(job.send(.allow(true)) == [] && job.upload.state == .purged)
        #expect(job.send(.reUpload).contains(.put(job.order)))
        var waiting = UploadJob(allowed: false)
        #expect(waiting.send(.purge) == [.ignored(.notNeeded)])
    }
}
