internal import Media

/// Which way a device wants a login, found out as it answers (ONVIF Core, 5.9): first none, then a digest of HTTP where it asks for
/// one, else a token in the head of the request. Never both at once. A basic login is sent only where `CameraLogin` sends one.
struct DeviceLogin: Sendable {
    /// How requests are logged in.
    enum Way: Hashable, Sendable {
        /// Not at all.
        case none
        /// A token of WS-Security in the head.
        case token
        /// As a challenge of HTTP asks for.
        case http
    }

    /// What is to be done after an answer.
    enum Step: Hashable, Sendable {
        /// Ask again, the way that holds now.
        case again
        /// Ask again after the device has told its time once more: it refused a token, and either clock may have been set.
        case againByItsClock
        /// The device asks for a login, and there is none.
        case missing
        /// The device refuses the login.
        case wrong
        /// The device takes the password in clear only.
        case heldBack
    }

    /// How the next request is logged in.
    private(set) var way = Way.none
    private let credential: CameraCredential?
    private var http: CameraLogin?

    init(credential: CameraCredential?, isSecure: Bool) {
        self.credential = credential
        http = credential.map { CameraLogin(credential: $0, isSecure: isSecure) }
    }

    /// The token of the next request; nil where none is sent.
    func token(at time: DeviceTime) -> UsernameToken? {
        guard way == .token, let credential else { return nil }
        return UsernameToken(user: credential.user, password: credential.password, created: time)
    }

    /// The field `Authorization` of the next request; nil where none is sent.
    mutating func authorization(method: String, uri: String) -> String? {
        way == .http ? http?.authorization(method: method, uri: uri) : nil
    }

    /// Takes a refusal: the challenges of a 401, none where the refusal is a fault. `isFirst`: the request was not repeated yet.
    mutating func refused(challenges: [String], isFirst: Bool) -> Step {
        guard credential != nil else { return .missing }
        let before = way
        if !challenges.isEmpty, http?.challenged(challenges) == true {
            way = .http
            // A number that was used for long is no longer taken: once more with a new one.
            return before != .http || isFirst ? .again : .wrong
        }
        guard challenges.isEmpty || http?.isHeldBack != true else { return .heldBack }
        way = .token
        if before == .token, isFirst { return .againByItsClock }
        return before == .none ? .again : .wrong
    }
}
