internal import Catalog
internal import Explain
internal import Foundation
internal import Hashing
internal import Machines
internal import Policies
internal import Server
internal import Webhook

/// What one message says: the values of a template's fields, and the request that a receiver gets.
struct NotificationValues: Sendable {
    /// The longest title and the longest text, in bytes of UTF-8. Of these ntfy's 4,096 bytes hold any.
    static let (titleBytesMax, textBytesMax) = (400, 3_000)
    /// The longest body without its picture, in bytes: each field at its longest, each of its bytes escaped.
    static let bodyBytesMax = MessageTemplate.bytesMax + MessageTemplate.fieldsMax * 2 * textBytesMax

    /// What names it for its receiver.
    let id: String
    /// `begin`, `end`, `problem`, `problemOver` or `test`.
    let kind: String
    /// When what it tells of happened, UTC epoch milliseconds.
    let atWallMs: Int64
    /// The camera; nil: it is about the site.
    let camera: String?
    /// The event with what is known of it; nil for what is about none.
    let event: EventRecord?
    /// The message kind of a problem.
    let problem: String?
    /// What the journal said of it.
    let problemWords: String?
    /// The site's time zone.
    let zone: TimeZone

    /// The values of a notification; `event` is its event.
    init(_ entry: NotificationEntry, event: EventRecord?, zone: TimeZone) {
        (id, kind, atWallMs, camera) = (entry.token, entry.kind.rawValue, entry.atWallMs, entry.camera)
        (problem, problemWords) = (entry.problem, entry.words)
        (self.event, self.zone) = (event, zone)
    }

    /// Those of a problem that no row is kept of.
    init(_ news: ProblemWatch.News, atWallMs: Int64, zone: TimeZone) {
        (id, kind, self.atWallMs, camera) = (news.id, news.isOver ? "problemOver" : "problem", atWallMs, news.camera)
        (problem, problemWords, event) = (news.problem, news.words, nil)
        self.zone = zone
    }

    /// Those of a trial.
    init(trial id: String, atWallMs: Int64, zone: TimeZone) {
        (self.id, kind, self.atWallMs, camera) = (id, "test", atWallMs, nil)
        (problem, problemWords, event) = (nil, nil, nil)
        self.zone = zone
    }

    // MARK: Fields

    /// What happened, in words: one line, at most `textBytesMax`.
    var words: String {
        let words =
            switch kind {
            case "begin": "\(what) at \(timeOfDay(began))"
            case "end": "\(what) at \(timeOfDay(began)), over after \(max(0, ended - began) / 1_000) s"
            case "problem": problemWords ?? ""
            case "problemOver": "over: \(problemWords ?? "")"
            default: "a trial: this receiver can be told"
            }
        return MessageTemplate.line(words, bytesMax: Self.textBytesMax)
    }

    /// What was recognised.
    private var labels: [String] { (event?.labels ?? []).map(\.name) }

    private var what: String {
        // A ring that began the event is said in words.
        let others = hasRung ? labels.filter { $0 != SourceNames.doorbell } : labels
        return others.isEmpty ? cause : "\(cause) (\(others.joined(separator: ",")))"
    }

    /// Whether the doorbell began the event.
    private var hasRung: Bool {
        guard let event, event.event.begun.cause != ClipCause.detection.rawValue else { return false }
        return event.labels.contains { $0.name == SourceNames.doorbell && $0.at == event.event.begun.began }
    }

    private var cause: String {
        if hasRung { return "the doorbell rang" }
        return switch event?.event.begun.cause {
        case ClipCause.detection.rawValue: "movement"
        case ClipCause.source.rawValue: "alarm"
        case ClipCause.command.rawValue: "recording by command"
        default: "event"
        }
    }

    private var began: Int64 { event?.event.begun.began.wallMs ?? atWallMs }
    private var ended: Int64 { event?.event.ended?.wallMs ?? atWallMs }

    private func clock(_ wallMs: Int64) -> String { LocalTime(zone: zone).show(WallTime(ms: wallMs)) }
    private func timeOfDay(_ wallMs: Int64) -> String { String(clock(wallMs).suffix(8)) }

    /// The value of a field, of which `title`, `text` and `picture` are those of a receiver.
    func value(_ field: MessageTemplate.Field) -> String {
        let event = event?.event
        return switch field {
        case .id: id
        case .kind: kind
        case .time: WallTime(ms: atWallMs).rfc3339
        case .clock: clock(atWallMs)
        case .camera: camera ?? ""
        case .words: words
        case .event: event.map { "\($0.id)" } ?? ""
        case .eventBegin: event.map { WallTime(ms: $0.begun.began.wallMs).rfc3339 } ?? ""
        case .eventEnd: event?.ended.map { WallTime(ms: $0.wallMs).rfc3339 } ?? ""
        case .eventCause: event?.begun.cause ?? ""
        case .eventLevel: event?.begun.level.map { "\($0)" } ?? ""
        case .eventZones: (self.event?.detail?.zones ?? []).filter { !$0.isEmpty }.joined(separator: ",")
        case .eventLabels: labels.joined(separator: ",")
        case .problem: problem ?? ""
        case .title, .text, .picture: ""
        }
    }

    // MARK: The request

    /// What a receiver gets.
    ///
    /// - Parameters:
    ///   - credential: the receiver's, if it has one.
    ///   - sentSeconds: when it is sent, seconds since 1970; a webhook's signature holds it.
    func request(
        for receiver: NotifyReceiver, credential: Credential?, picture: [UInt8]?, sentSeconds: Int64
    ) throws(WebhookFailure) -> WebhookRequest {
        let title = MessageTemplate.line(receiver.title.filled(.line, value), bytesMax: Self.titleBytesMax)
        let filled = MessageTemplate.line(receiver.text.filled(.line, value), bytesMax: Self.textBytesMax)
        // ntfy and Gotify take no message without a text.
        let text = filled.isEmpty ? words : filled
        switch receiver.kind {
        case .ntfy:
            let login: WebhookRequest.Login? = credential.map {
                $0.user.isEmpty ? .token($0.password) : .user($0.user, password: $0.password)
            }
            return WebhookRequest(
                ntfy: title, text: text, isUrgent: kind == "problem",
                picture: picture.map { ("\(camera ?? "vigil")-\(value(.event)).jpg", $0) }, login: login)
        case .gotify:
            let body = GotifyBody(title: title, message: text, priority: kind == "problem" ? 8 : 5)
            return WebhookRequest(gotify: body.bytes, token: credential?.password)
        case .webhook:
            var secret: WebhookSecret?
            if let credential, let name = receiver.credential {
                secret = try WebhookSecret(credential.password, ofCredential: name)
            }
            let encoded = picture.map(Base64.text) ?? ""
            let body = (receiver.body ?? .standard).filled(.json) { field in
                switch field {
                case .title: title
                case .text: text
                case .picture: encoded
                default: value(field)
                }
            }
            return WebhookRequest(
                WebhookMessage(id: id, sentSeconds: sentSeconds, body: Array(body.utf8)), secret: secret)
        }
    }
}

/// What a Gotify server takes.
private struct GotifyBody: Encodable {
    let title: String
    let message: String
    let priority: Int

    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and a number: nothing of it can be refused.
        return (try? encoder.encode(self)).map(Array.init) ?? Array("{}".utf8)
    }
}
