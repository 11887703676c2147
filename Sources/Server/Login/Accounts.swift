internal import Synchronization

/// The tokens, the logins of the page, and the codes that log it in once: who somebody is that shows one of them. What is kept
/// of it (`state`) holds no secret.
public final class Accounts: Sendable {
    struct Contents {
        var kept: AccountsState
        var codes: [(digest: Secret.Digest, token: String, ends: Int64)] = []
        var tries = Tries()
        /// Tokens and logins of which it is known that they have run out.
        var expired: Set<End> = []
        /// Whether something is not kept yet.
        var isChanged = false
    }

    /// Something that is not good any more.
    enum End: Hashable, Sendable {
        /// The token of this name.
        case token(String)
        /// A login of the page.
        case login(Secret.Digest)
    }

    let contents: Mutex<Contents>
    private let onEnd = Mutex<[@Sendable (End) -> Void]>([])
    let wallMs: @Sendable () -> Int64
    let steadyMs: @Sendable () -> Int64
    let tell: @Sendable (AccountEvent) -> Void

    /// Accounts as they were kept.
    /// - Parameters:
    ///   - wallMs: The wall clock, in milliseconds since 1970.
    ///   - steadyMs: A clock that is never set, in milliseconds.
    ///   - tell: What happens goes there.
    public init(
        _ state: AccountsState = AccountsState(), wallMs: @escaping @Sendable () -> Int64,
        steadyMs: @escaping @Sendable () -> Int64, tell: @escaping @Sendable (AccountEvent) -> Void = { _ in }
    ) {
        contents = Mutex(Contents(kept: state))
        self.wallMs = wallMs
        self.steadyMs = steadyMs
        self.tell = tell
    }

    /// What is to be kept; nil where it is kept already. Whoever takes it says `unkept()` where it could not be.
    public func takeChanged() -> AccountsState? {
        contents.withLock { contents in
            guard contents.isChanged else { return nil }
            contents.isChanged = false
            return contents.kept
        }
    }

    /// What was taken could not be kept.
    public func unkept() { contents.withLock { $0.isChanged = true } }

    /// Calls `body` whenever a token or login is not good any more, so that what goes on by it ends.
    func whenEnded(_ body: @escaping @Sendable (End) -> Void) { onEnd.withLock { $0.append(body) } }

    /// The same for what hangs on no connection.
    package func whenOver(_ body: @escaping @Sendable (AccountEnd) -> Void) {
        whenEnded { end in
            switch end {
            case .token(let name): body(.token(name))
            case .login(let digest): body(.login(LoginID(digest: digest)))
            }
        }
    }

    func ended(_ end: End) { for body in onEnd.withLock({ $0 }) { body(end) } }

    /// Ends what goes on by tokens and logins that have run out since this was called last. To be called every few seconds.
    public func expire() {
        let now = wallMs()
        let ends = contents.withLock { contents -> Set<End> in
            let tokens = contents.kept.tokens.filter { $0.info.expires.map { $0.ms <= now } ?? false }
            let logins = contents.kept.logins.filter { $0.ends.ms <= now }
            let over = Set(tokens.map { End.token($0.info.name) }).union(logins.map { End.login($0.digest) })
            let new = over.subtracting(contents.expired)
            contents.expired = over
            return new
        }
        for end in ends { ended(end) }
    }

    // MARK: Tokens

    /// Every token, in the order in which they were made.
    func tokens() -> [TokenInfo] { contents.withLock { $0.kept.tokens.map(\.info) } }

    /// Makes a token, whose text is told only here.
    func create(_ command: CreateTokenCommand, by caller: Caller) throws(SiteError) -> CreatedToken {
        if let (why, remedy) = command.flaw { throw SiteError.invalid(why, remedy) }
        let now = wallMs()
        if let expires = command.expires, expires.ms <= now {
            throw SiteError.invalid("the token would have expired at \(expires.rfc3339)", "give a time that is to come")
        }
        let info = TokenInfo(
            name: command.name, role: command.role, cameras: command.cameras.map { Set($0).sorted() },
            created: WallTime(ms: now), createdBy: "\(caller)", expires: command.expires)
        let text = try contents.withLock { contents throws(SiteError) in try contents.add(info) }
        tell(.created(info, by: caller))
        return CreatedToken(token: text.text, info: info)
    }

    /// Makes a token worthless, and ends its logins.
    func revoke(_ name: String, by caller: Caller) throws(SiteError) {
        let found = contents.withLock { contents -> Bool in
            guard let token = contents.kept.tokens.first(where: { $0.info.name == name }) else { return false }
            contents.remove(token.id)
            contents.expired.remove(.token(name))
            return true
        }
        guard found else { throw Self.unknown(name) }
        ended(.token(name))
        tell(.revoked(name, by: caller))
    }

    // MARK: The page

    /// A code that logs the page in once, within `LoginBounds.codeMs`, as the token of that name. Without a name it is that of
    /// the site's owner, an administrator's token that is made where there is none, and whose text nobody knows.
    public func code(for name: String?, by caller: Caller) throws(SiteError) -> (
        code: String, token: String, ends: WallTime
    ) {
        let (now, secret) = (wallMs(), Secret.random(Secret.codeLength))
        let steady = steadyMs()
        let owner = TokenInfo(
            name: Self.owner, role: .admin, cameras: nil, created: WallTime(ms: now), createdBy: "\(caller)",
            expires: nil)
        let (token, isNew) = try contents.withLock { contents throws(SiteError) -> (AccountsState.Token, Bool) in
            var isNew = false
            if name == nil, !contents.kept.tokens.contains(where: { $0.info.name == Self.owner }) {
                _ = try contents.add(owner)
                isNew = true
            }
            guard let token = contents.kept.tokens.first(where: { $0.info.name == name ?? Self.owner }) else {
                throw Self.unknown(name ?? Self.owner)
            }
            contents.codes.removeAll { $0.ends <= steady }
            if contents.codes.count >= LoginBounds.codesMax { contents.codes.removeFirst() }
            contents.codes.append((secret.digest, token.id, steady + LoginBounds.codeMs))
            return (token, isNew)
        }
        if isNew { tell(.created(owner, by: caller)) }
        tell(.linked(token.info.name, by: caller))
        return (secret.text, token.info.name, WallTime(ms: now + LoginBounds.codeMs))
    }

    /// The name of the token that a link without a name logs in as.
    static let owner = "owner"

    private static func unknown(_ name: String) -> SiteError {
        SiteError(
            .notFound, what: "token \(name.prefix(80))", why: "there is none of this name",
            remedy: "`vigil token list` lists them")
    }
}

extension Accounts.Contents {
    /// Adds a token with a new secret.
    mutating func add(_ info: TokenInfo) throws(SiteError) -> TokenText {
        guard !kept.tokens.contains(where: { $0.info.name == info.name }) else {
            throw SiteError(
                .conflict, what: "token \(info.name)", why: "there is one of this name",
                remedy: "revoke it (`vigil token revoke \(info.name)`), or give another name")
        }
        guard kept.tokens.count < LoginBounds.tokensMax else {
            throw SiteError(
                .conflict, what: "token \(info.name)", why: "there are \(LoginBounds.tokensMax) already",
                remedy: "revoke those that nobody uses: `vigil token list` says when each was last used")
        }
        var id = Secret.random(TokenText.idLength).text
        while kept.tokens.contains(where: { $0.id == id }) { id = Secret.random(TokenText.idLength).text }
        let text = TokenText(id: id, secret: .random())
        kept.tokens.append(.init(id: id, digest: text.secret.digest, info: info))
        isChanged = true
        return text
    }

    /// Removes a token, its logins and its codes.
    mutating func remove(_ id: String) {
        kept.tokens.removeAll { $0.id == id }
        kept.logins.removeAll { $0.token == id }
        codes.removeAll { $0.token == id }
        isChanged = true
    }

    /// The token of that ID, if it is good at `now`, its use noted.
    mutating func use(_ id: String, at now: Int64, from address: String) -> TokenInfo? {
        guard let index = kept.tokens.firstIndex(where: { $0.id == id }) else { return nil }
        if let expires = kept.tokens[index].info.expires, expires.ms <= now { return nil }
        let info = kept.tokens[index].info
        // To the minute, so that a page that asks all the time is not written down all the time.
        if info.lastAddress != address || (now - (info.lastUsed?.ms ?? 0)).magnitude >= 60_000 {
            kept.tokens[index].info.lastUsed = WallTime(ms: now)
            kept.tokens[index].info.lastAddress = address
            isChanged = true
        }
        return kept.tokens[index].info
    }
}
