internal import Catalog
internal import Journal
internal import Machines
internal import Policies
internal import Webhook

/// What became of messages: their rows, the gates of their receivers, and the journal.
extension Notifier {
    /// A message is not under way any more.
    func ended(
        _ entry: NotificationEntry, _ settings: NotifyReceiver, _ failure: WebhookFailure?, hadPicture: Bool,
        isCancelled: Bool
    ) {
        // Another receiver may have this name by now.
        if receivers[settings.name]?.settings == settings { receivers[settings.name]?.task = nil }
        if let failure {
            if !isCancelled, !isDraining { failed(entry, settings, failure, hadPicture: hadPicture) }
        } else {
            taken(entry, settings)
        }
        goOn()
    }

    private func taken(_ entry: NotificationEntry, _ settings: NotifyReceiver) {
        works(settings, entry.id)
        isOver(Outcome(id: entry.id, givenUp: nil), of: settings.name)
    }

    /// A message is over. What cannot be written now is written before anything else is sent, and told then.
    private func isOver(_ outcome: Outcome, of name: String) {
        if receivers[name] == nil { return attempt { try write(outcome, of: name) } }
        receivers[name]?.unwritten.append(outcome)
        attempt { try writeOutcomes(of: name) }
    }

    func writeOutcomes(of name: String) throws {
        while let outcome = receivers[name]?.unwritten.first {
            try write(outcome, of: name)
            receivers[name]?.unwritten.removeFirst()
        }
    }

    private func write(_ outcome: Outcome, of name: String) throws {
        let wallMs = host.clock.wallMs()
        guard let why = outcome.givenUp else { return try catalog.markNotificationTaken(outcome.id, atWallMs: wallMs) }
        try catalog.giveUpNotification(outcome.id, why: why, atWallMs: wallMs)
        tellGivenUp(name, 1, why)
    }

    /// A receiver answers, to a message of this line of its gate.
    func works(_ settings: NotifyReceiver, _ line: Int64 = Notifier.noRow) {
        guard receivers[settings.name]?.settings == settings,
            let outage = receivers[settings.name]?.gate.told(line)
        else { return }
        let waited = (try? catalog.notificationsWaiting()[settings.name]) ?? 0
        journal.send(
            .receiverWorking,
            fields: [
                (.receiver, settings.name),
                (.durationMs, "\(max(0, host.clock.wallMs() - outage.sinceWallMs))"), (.count, "\(waited)"),
            ])
    }

    func failed(
        _ entry: NotificationEntry, _ settings: NotifyReceiver, _ failure: WebhookFailure, hadPicture: Bool = false
    ) {
        if failure.kind == .declined {
            // It answers, and does not want this message; perhaps it takes it without a picture.
            works(settings, entry.id)
            if !hadPicture { return isOver(Outcome(id: entry.id, givenUp: failure.words), of: settings.name) }
        } else {
            fails(settings, failure, entry.id)
        }
        attempt {
            try catalog.recordNotificationAttempt(
                entry.id, why: failure.words, isPlain: failure.kind == .declined)
        }
        if entry.attempts + 1 >= Self.attemptsMax {
            receivers[settings.name]?.gate.forget(entry.id)
            let why = "it was sent \(Self.attemptsMax) times in vain: \(failure.words)"
            isOver(Outcome(id: entry.id, givenUp: why), of: settings.name)
        }
    }

    /// A receiver did not take a message of this line of its gate.
    func fails(_ settings: NotifyReceiver, _ failure: WebhookFailure, _ line: Int64 = Notifier.noRow) {
        if isDraining || receivers[settings.name]?.settings != settings { return }
        let news = receivers[settings.name]?.gate.failed(
            line, failure, share: .random(in: 0...1_000), at: host.clock.now(), wallMs: host.clock.wallMs())
        guard news == .outage else { return }
        journal.send(
            .receiverFailing, fields: [(.receiver, settings.name), (.why, failure.words), (.url, settings.origin)])
    }

    func tellGivenUp(_ receiver: String, _ count: Int, _ why: String) {
        journal.send(.notificationGivenUp, fields: [(.receiver, receiver), (.count, "\(count)"), (.why, why)])
    }
}
