internal import Catalog
internal import Journal
internal import Machines
internal import Policies
internal import Webhook

/// Problems that the catalog cannot take: that the storage is lost is one of them. They are sent from memory, one of each receiver at a
/// time; what is not taken is tried again with the next look, until it is taken or the catalog takes it.
extension Notifier {
    /// Hands the catalog what it can take. Those of a receiver that is being told one of them stay, so that nothing is told twice and
    /// all in its order.
    func keepProblems(_ catalog: Catalog, atWallMs: Int64) throws {
        let told = Set(receivers.filter { $0.value.underWay != nil }.keys)
        try catalog.enterProblems(
            unkept.filter { !told.contains($0.receiver) }.map(ProblemNotification.init), atWallMs: atWallMs)
        unkept.removeAll { !told.contains($0.receiver) }
    }

    /// Sends the first of them that a receiver is to be told.
    func sendUnkept(to name: String) {
        guard let receiver = receivers[name], receiver.task == nil,
            let news = unkept.first(where: { $0.receiver == name })
        else { return }
        let values = NotificationValues(news, atWallMs: host.clock.wallMs(), zone: zone)
        do throws(WebhookFailure) {
            let credential = try credential(of: receiver.settings)
            receivers[name]?.underWay = news
            receivers[name]?.task = host.begin { [self] in
                let failure = await deliver(values, to: receiver.settings, credential, nil, by: receiver.sender)
                await unkeptEnded(news, receiver.settings, failure, isCancelled: Task.isCancelled)
            }
        } catch { fails(receiver.settings, error) }
    }

    private func unkeptEnded(
        _ news: ProblemWatch.News, _ settings: NotifyReceiver, _ failure: WebhookFailure?, isCancelled: Bool
    ) {
        if receivers[settings.name]?.settings == settings {
            receivers[settings.name]?.task = nil
            receivers[settings.name]?.underWay = nil
        }
        if let failure, failure.kind != .declined {
            if !isCancelled { fails(settings, failure) }
        } else {
            works(settings)
            unkept.removeAll { $0.id == news.id }
            if let failure { tellGivenUp(settings.name, 1, failure.words) }
            sendUnkept(to: settings.name)
        }
        goOn()
    }
}

extension ProblemNotification {
    init(_ news: ProblemWatch.News) {
        self.init(
            token: news.id, receiver: news.receiver, isOver: news.isOver, camera: news.camera, problem: news.problem,
            words: news.words)
    }
}
