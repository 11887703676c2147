internal import Catalog
internal import Cloud
internal import Encoder
internal import Foundation
internal import Journal
internal import Machines
internal import ObjectStore
internal import Policies
internal import Server
internal import Webhook

/// Copies that a remote encoder makes (docs/design/cloud.md "Encoding").
extension Uploads {
    /// How many jobs in hand may be with a remote encoder.
    static let remoteMax = 8
    /// How far the clock of an encoder may be from ours, in milliseconds.
    static let noticeMs: Int64 = 300_000
    /// What the name of a remote encoder's job has before it in the record.
    private static let remotePrefix = "remote:"
    /// How often an encoder is told that a job is to end, where it does not answer.
    private static let cancelTries = 3

    private func remote(_ work: UploadWork) -> RemoteEncoding? {
        store.map { RemoteEncoding(store: $0, key: work.key, renditions: work.encode.sizes, catalog: catalog) }
    }

    /// The name of a try, the same after a restart.
    private static func name(of work: UploadWork) -> String {
        "\(work.key)/\(work.id).\(work.machine.notices).\(work.machine.tries)"
    }

    /// The encoder's own name for a job; nil where it is none of a remote encoder's.
    static func remoteName(_ job: Upload.EncoderJob?) -> String? {
        guard let name = job?.rawValue, name.hasPrefix(remotePrefix) else { return nil }
        return String(name.dropFirst(remotePrefix.count))
    }

    func order(_ number: Upload.OrderNumber, _ work: UploadWork) {
        guard let remote = remote(work) else { return later(work, .encodeRefused(number, .unreachable)) }
        let (id, token, name) = (work.id, work.token, Self.name(of: work))
        (work.orderedAs, work.remoteJob) = (name, nil)
        begin(work, number) { uploads in
            let outcome: Result<String, any Error>
            do { outcome = .success(try await remote.order(as: name)) } catch { outcome = .failure(error) }
            uploads.ordered(id, token, number, outcome)
        }
    }

    private func ordered(
        _ id: UploadID, _ token: Int, _ number: Upload.OrderNumber, _ outcome: Result<String, any Error>
    ) {
        guard let work = ended(id, token, number) else { return }
        switch outcome {
        case .success(let job):
            work.remoteJob = job
            step(work, .encodeStarted(number, Upload.EncoderJob(Self.remotePrefix + job)))
        case .failure(let error):
            if error is CancellationError { return }
            step(work, .encodeRefused(number, judgeEncoder(error, work)))
        }
        goOn()
    }

    /// What an error means for the machine, where it may be the encoder's.
    private func judgeEncoder(_ error: any Error, _ work: UploadWork) -> Upload.Failure {
        guard let error = error as? EncoderFailure else { return judge(error, work) }
        work.failure = "\(error)"
        switch error.kind {
        case .unreachable: return .unreachable
        case .busy: return .busy
        case .gone, .refused: return .again
        }
    }

    func pollRemote(_ number: Upload.OrderNumber, _ job: String, _ work: UploadWork) {
        guard let remote = remote(work) else { return later(work, .pollFailed(number)) }
        let (id, token) = (work.id, work.token)
        work.remoteJob = job
        begin(work, number) { uploads in
            let outcome: Result<EncoderAnswer, any Error>
            do {
                let answer = try await remote.poll(job)
                if answer.state == .finished { try await remote.settle(answer) }
                outcome = .success(answer)
            } catch { outcome = .failure(error) }
            uploads.polled(id, token, number, outcome)
        }
    }

    private func polled(
        _ id: UploadID, _ token: Int, _ number: Upload.OrderNumber, _ outcome: Result<EncoderAnswer, any Error>
    ) {
        guard let work = ended(id, token, number) else { return }
        switch outcome {
        case .success(let answer): step(work, .polled(number, take(answer, work)))
        case .failure(let error):
            if error is CancellationError { return }
            switch judgeEncoder(error, work) {
            case .unreachable, .busy: step(work, .pollFailed(number))
            case .again, .final: step(work, .polled(number, .failed))
            }
        }
        goOn()
    }

    /// What an answer means for the machine.
    private func take(_ answer: EncoderAnswer, _ work: UploadWork) -> Upload.Progress {
        work.remotePerMille = answer.perMille
        switch answer.state {
        case .running:
            publish(work)
            return .running
        case .finished:
            work.failure = nil
            return .finished
        case .failed:
            work.failure = "the encoder failed: \(answer.why ?? "it does not say why")"
            return .failed
        }
    }

    /// The encoder need not go on with a job, if it has begun one by the time that its order has been answered.
    func cancelRemote(_ work: UploadWork) {
        guard work.orderedAs != nil || work.remoteJob != nil, let remote = remote(work) else { return }
        let (id, token, name) = (work.id, work.token, work.orderedAs)
        begin(work, nil) { uploads in
            let job = uploads.inHand[id].flatMap { $0.token == token ? $0.remoteJob : nil }
            for _ in 0..<Self.cancelTries {
                guard let job else { break }
                do {
                    try await remote.cancel(job)
                    break
                } catch {}
            }
            // Another try may have been ordered meanwhile.
            guard let work = uploads.ended(id, token, nil), work.orderedAs == name else { return }
            (work.remoteJob, work.orderedAs, work.remotePerMille) = (nil, nil, nil)
        }
    }

    /// The encoder tells of a job by itself.
    ///
    /// - Throws: `SiteError`: `unauthenticated` where its signature is not right, `notFound` where nobody waits for such a job.
    func encoderNotice(_ notice: EncoderNotice) async throws {
        func refuse(_ kind: SiteError.Kind, _ why: String, _ remedy: String) -> SiteError {
            SiteError(kind, what: "the notice was not taken", why: why, remedy: remedy)
        }
        guard let store, store.settings.encoder != nil else {
            throw refuse(.notFound, "no encoder is configured", "name one in vigil.yaml: cloud.encoder")
        }
        // It is asked for from outside, by whoever: the daemon's own work does not wait for it.
        let secret = try await Blocking.run { try RemoteEncoding.secret(store) }
        let message = WebhookMessage(id: notice.id, sentSeconds: notice.sentSeconds, body: notice.body)
        let (sentMs, isOverflow) = notice.sentSeconds.multipliedReportingOverflow(by: 1_000)
        let (age, isOverflown) = host.clock.wallMs().subtractingReportingOverflow(sentMs)
        guard secret.verifies(message, notice.signature) else {
            throw refuse(
                .unauthenticated, "its signature is not right",
                "sign id, time and body with the secret of cloud.encoder.credential")
        }
        guard !isOverflow, !isOverflown, age.magnitude <= UInt64(Self.noticeMs) else {
            throw refuse(.unauthenticated, "it was sent too long ago, or later than now", "set the clocks of both")
        }
        let answer: EncoderAnswer
        do { answer = try EncoderAnswer(parsing: Data(notice.body), asked: RemoteEncoding.names) } catch {
            throw refuse(.invalid, "\(error)", "see docs/reference/encoder.md")
        }
        let found = inHand.values.first {
            $0.machine.state.encodeOrder != nil
                && ($0.remoteJob == answer.job || answer.key != nil && $0.orderedAs == answer.key)
        }
        guard let work = found, let order = work.machine.state.encodeOrder, let remote = remote(work) else {
            throw refuse(
                .notFound, "nobody waits for job \(answer.job)", "nothing to do: what is waited for is asked for")
        }
        let (id, token) = (work.id, work.token)
        begin(work, nil) { uploads in
            do { if answer.state == .finished { try await remote.settle(answer) } } catch {
                // A poll finds it again, and says what it means.
                return
            }
            guard let work = uploads.ended(id, token, nil) else { return }
            switch uploads.take(answer, work) {
            case .running: break
            case .finished: uploads.step(work, .webhook(order, .finished))
            case .failed: uploads.step(work, .webhook(order, .failed))
            }
        }
    }
}
