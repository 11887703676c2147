internal import Catalog
internal import Journal
internal import Machines
internal import Policies
internal import Webhook

/// Problems that the catalog cannot take: that the storage is lost is one of them. They are sent from memory, one of each receiver at a
/// time; what is not taken is tried again with the next look, until it is taken or the catalog takes it.
extension Notifier {
    /// Sends the first of them that a receiver is to be told.
    func sendUnkept(to name: String) {
        guard let receiver = receivers[name], receiver.task == nil,
            let news = unkept.first(where: { $0.receiver == name })
        else { return }
        let values = NotificationValues(news, atWallMs: host.clock.wallMs(), zone: zone)
        do throws(WebhookFailure) {
            let credential = try credential(of: receiver.settings)
            receivers[name]?.task = host.begin { [self] in
                let failure = await deliver(values, to: receiver.settings, credential, nil, by: receiver.sender)
                await unkeptEnded(news, receiver.settings, failure)
            }
        } catch { return }
    }

    private func unkeptEnded(_ news: ProblemWatch.News, _ settings: NotifyReceiver, _ failure: WebhookFailure?) {
        if receivers[settings.name]?.settings == settings { receivers[settings.name]?.task = nil }
        if failure == nil {
            unkept.removeAll { $0.id == news.id }
            sendUnkept(to: settings.name)
        }
        goOn()
    }

    /// What names a message that no row names: 16 hexadecimal digits.
    static func freshID() -> String {
        let digits = String(UInt64.random(in: 0...(.max)), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension ProblemNotification {
    init(_ news: ProblemWatch.News) {
        self.init(
            token: news.id, receiver: news.receiver, isOver: news.isOver, camera: news.camera, problem: news.problem,
            words: news.words)
    }
}
