/// Which request tells a camera that somebody still listens, and when it is due. Cameras list methods that they refuse, and
/// answer none of those that they need: a refused one is not used again, after an unanswered one comes the next.
struct KeepAlive {
    enum Method: String {
        case options = "OPTIONS"
        case getParameter = "GET_PARAMETER"
        case setParameter = "SET_PARAMETER"
    }

    /// What the camera has not refused, the next one first. Empty: its receiver reports are its only signs of life.
    private var methods: [Method] = [.options]
    /// The request that has no answer yet.
    private(set) var pending: Int?
    /// When the next one is due, in milliseconds of `BootClock`.
    private(set) var dueMs: Int64 = .max
    private var sentMs: Int64 = 0
    private var isListed = false
    /// Whether the camera lists GET_PARAMETER.
    private(set) var listsGet = false
    /// Whether it has accepted a request.
    private(set) var wasAccepted = false
    private var hasRepeated = false

    /// The methods that the camera lists in answer to OPTIONS; the first list counts.
    mutating func list(_ text: String) {
        guard !isListed else { return }
        isListed = true
        let names = text.uppercased()
        listsGet = names.contains(Method.getParameter.rawValue)
        if listsGet { methods.insert(.getParameter, at: 0) }
        if names.contains(Method.setParameter.rawValue) { methods.append(.setParameter) }
    }

    /// The stream has begun. `sendsUnlistedGet`: the camera takes nothing else for a sign of life, though it does not say so.
    mutating func begin(at nowMs: Int64, sessionMs: Int64, sendsUnlistedGet: Bool = false) {
        if sendsUnlistedGet, !listsGet { methods.insert(.getParameter, at: 0) }
        dueMs = nowMs + sessionMs / 2
    }

    /// What to send at `nowMs`; nil when the camera refuses all there is.
    mutating func next(at nowMs: Int64, sessionMs: Int64) -> Method? {
        if pending != nil, let first = methods.first {
            methods.removeFirst()
            methods.append(first)
        }
        pending = nil
        guard let method = methods.first else {
            dueMs = .max
            return nil
        }
        sentMs = nowMs
        hasRepeated = false
        // Without an answer the next method still comes in time.
        dueMs = nowMs + sessionMs / 4
        return method
    }

    /// The request number `number` has been sent.
    mutating func sent(_ number: Int) { pending = number }

    /// Whether the answer with the number `said` is the one to the pending request. Some cameras repeat an earlier number or
    /// leave it out.
    func isAnswered(by said: Int?) -> Bool { pending.map { said ?? $0 <= $0 } ?? false }

    /// The camera has accepted the request.
    mutating func accept(sessionMs: Int64) {
        pending = nil
        wasAccepted = true
        dueMs = sentMs + sessionMs / 2
    }

    /// Whether the request, refused for want of a login, is to be sent again with one; once.
    mutating func repeats() -> Bool {
        defer { hasRepeated = true }
        return !hasRepeated
    }

    /// The camera refuses the request: another one is due at once. False where none is left.
    mutating func refuse(at nowMs: Int64) -> Bool {
        pending = nil
        if !methods.isEmpty { methods.removeFirst() }
        dueMs = methods.isEmpty ? .max : nowMs
        return !methods.isEmpty
    }

    /// What the camera has not refused, the next one first.
    var names: [String] { methods.map(\.rawValue) }

    /// What was sent last.
    var method: Method? { methods.first }
}
