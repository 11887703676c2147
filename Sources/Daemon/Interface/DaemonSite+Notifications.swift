internal import Catalog
internal import Journal
internal import Policies
internal import Server
internal import Webhook

extension DaemonSite {
    func notifications(in scope: CameraScope) async throws -> NotificationList {
        let names = scope.names
        let (waiting, entries) = try await Blocking.run { [catalog] in
            (
                try catalog.notificationsWaiting(),
                try catalog.notifications(cameras: names, limit: NotificationList.limit)
            )
        }
        // What waits is of all cameras: who may see some alone is not told.
        let receivers = names == nil ? notifier.views : []
        return NotificationList(
            receivers: receivers.map {
                ReceiverInfo(
                    receiver: $0.name, kind: ReceiverInfo.Kind($0.kind), address: $0.origin,
                    waiting: waiting[$0.name] ?? 0,
                    failingSince: $0.outage.map { WallTime(ms: $0.sinceWallMs) }, why: $0.outage?.words)
            }, notifications: entries.map(NotificationInfo.init))
    }

    func test(receiver: String, by caller: Caller) async throws -> ReceiverTrial {
        guard let failure = await notifier.test(receiver) else {
            throw SiteError(
                .notFound, what: "receiver \(receiver.prefix(80))", why: "none has this name",
                remedy: "`vigil notify list` lists them")
        }
        var fields: [(Field, String)] = [(.receiver, receiver), (.user, "\(caller)")]
        if let failure { fields.append((.why, failure.words)) }
        journal.send(.receiverTried, fields: fields)
        return ReceiverTrial(receiver: receiver, why: failure?.words)
    }
}

extension NotificationInfo {
    /// A notification of the catalog as the interface shows it.
    fileprivate init(_ entry: NotificationEntry) {
        self.init(
            id: entry.id, receiver: entry.receiver, kind: Kind(entry.kind), camera: entry.camera,
            event: entry.event?.rawValue, problem: entry.problem, at: WallTime(ms: entry.atWallMs),
            state: State(entry.state), attempts: entry.attempts, why: entry.why,
            over: entry.overWallMs.map(WallTime.init(ms:)))
    }
}

extension ReceiverInfo.Kind {
    fileprivate init(_ kind: NotifyReceiver.Kind) {
        self =
            switch kind {
            case .ntfy: .ntfy
            case .gotify: .gotify
            case .webhook: .webhook
            }
    }
}

extension NotificationInfo.Kind {
    fileprivate init(_ kind: NotificationKind) {
        self =
            switch kind {
            case .begin: .begin
            case .end: .end
            case .problem: .problem
            case .problemOver: .problemOver
            }
    }
}

extension NotificationInfo.State {
    fileprivate init(_ state: NotificationState) {
        self =
            switch state {
            case .waiting: .waiting
            case .taken: .taken
            case .givenUp: .givenUp
            }
    }
}
