internal import Synchronization

extension Accounts {
    /// The principal of whoever holds the token `text` and asks from `address`. Throws `unauthenticated`, in the same words for
    /// every text that is no good token, or `tooOften`.
    func principal(token text: String, from address: String) throws(SiteError) -> Principal {
        let (now, steady) = (wallMs(), steadyMs())
        let claimed = TokenText(text)
        let outcome = contents.withLock { contents -> Outcome in
            let token = claimed.flatMap { claimed in contents.kept.tokens.first { $0.id == claimed.id } }
            let key = Tries.Key(address: address, token: token?.id)
            guard contents.tries.allows(key, now: steady) else { return .refused }
            if let claimed, let token, token.digest.matches(claimed.secret.digest),
                let info = contents.use(token.id, at: now, from: address)
            {
                return .admitted(info)
            }
            return .wrong(tellOf: contents.tries.failed(key, now: steady) ? .some(token?.info.name) : nil)
        }
        return try principal(outcome, address, "the token is not known, has expired or was revoked")
    }

    /// The principal of the page's login whose cookie holds `text`; `isRenewed` where it lasts longer from now on, and the
    /// browser must be told. Throws `unauthenticated` where there is no such login (any more), or `tooOften`.
    func principal(
        login text: String, from address: String
    ) throws(SiteError) -> (principal: Principal, login: Secret.Digest?, isRenewed: Bool) {
        let (now, steady) = (wallMs(), steadyMs())
        let digest = Secret(text)?.digest
        var isRenewed = false
        let outcome = contents.withLock { contents -> Outcome in
            let key = Tries.Key(address: address, token: nil)
            if let index = contents.kept.logins.firstIndex(where: { $0.digest == digest && $0.ends.ms > now }),
                let info = contents.use(contents.kept.logins[index].token, at: now, from: address)
            {
                // Also where the clock was set back meanwhile, so that no login lasts longer than it may.
                let left = contents.kept.logins[index].ends.ms - now
                if !(LoginBounds.loginMs - LoginBounds.renewMs...LoginBounds.loginMs).contains(left) {
                    contents.kept.logins[index].ends = WallTime(ms: now + LoginBounds.loginMs)
                    contents.isChanged = true
                    isRenewed = true
                }
                return .admitted(info)
            }
            guard contents.tries.allows(key, now: steady) else { return .refused }
            // A login that is over looks like a wrong one; a page that was left open asks for it again and again.
            return .wrong(tellOf: contents.tries.failed(key, now: steady) ? .some(nil) : nil)
        }
        return (try principal(outcome, address, "the login is over"), digest, isRenewed)
    }

    /// Logs the page in with a token or a code. Gives what its cookie is to hold, and whose login it is.
    func login(_ proof: LoginCommand, from address: String) throws(SiteError) -> (cookie: String, principal: Principal)
    {
        let principal: Principal
        switch (proof.token, proof.code) {
        case (let token?, nil): principal = try self.principal(token: token, from: address)
        case (nil, let code?): principal = try self.principal(code: code, from: address)
        default: throw SiteError.invalid("the body holds not exactly one of token and code", "give one of them")
        }
        let (secret, now) = (Secret.random(), wallMs())
        guard case .token(let name, _) = principal.caller else { throw Self.unauthenticated("it is no token") }
        let gone = contents.withLock { contents -> Set<Secret.Digest> in
            guard let token = contents.kept.tokens.first(where: { $0.info.name == name }) else { return [] }
            var gone = Set(contents.kept.logins.filter { $0.ends.ms <= now }.map(\.digest))
            let own = contents.kept.logins.filter { $0.token == token.id && $0.ends.ms > now }
            if own.count >= LoginBounds.loginsOfTokenMax, let oldest = own.first { gone.insert(oldest.digest) }
            contents.kept.logins.removeAll { gone.contains($0.digest) }
            contents.kept.logins.append(
                .init(digest: secret.digest, token: token.id, ends: WallTime(ms: now + LoginBounds.loginMs)))
            contents.isChanged = true
            return gone
        }
        for digest in gone { ended(.login(digest)) }
        tell(.loggedIn(principal.caller, byCode: proof.code != nil))
        return (secret.text, principal)
    }

    /// Ends the page's login whose cookie holds `text`, if there is one.
    func logout(_ text: String, from address: String) {
        guard let digest = Secret(text)?.digest else { return }
        let name = contents.withLock { contents -> String? in
            guard let login = contents.kept.logins.first(where: { $0.digest == digest }) else { return nil }
            contents.kept.logins.removeAll { $0.digest == digest }
            contents.isChanged = true
            return contents.kept.tokens.first { $0.id == login.token }?.info.name
        }
        guard let name else { return }
        ended(.login(digest))
        tell(.loggedOut(.token(name, address: address)))
    }

    private func principal(code text: String, from address: String) throws(SiteError) -> Principal {
        let (now, steady) = (wallMs(), steadyMs())
        let digest = Secret(text, length: Secret.codeLength)?.digest
        let outcome = contents.withLock { contents -> Outcome in
            let key = Tries.Key(address: address, token: nil)
            // Before tries are counted: whoever guesses from the same address keeps nobody out.
            if let index = contents.codes.firstIndex(where: { $0.digest == digest && $0.ends > steady }) {
                let code = contents.codes.remove(at: index)
                if let info = contents.use(code.token, at: now, from: address) { return .admitted(info) }
            }
            guard contents.tries.allows(key, now: steady) else { return .refused }
            return .wrong(tellOf: contents.tries.failed(key, now: steady) ? .some(nil) : nil)
        }
        return try principal(outcome, address, "the code is not known, was used, or is older than ten minutes")
    }

    /// What came of showing a secret.
    private enum Outcome {
        case admitted(TokenInfo)
        /// It is none. It was the last try that is looked at where `tellOf` is there, which holds the token that was claimed.
        case wrong(tellOf: String??)
        /// It was not looked at.
        case refused
    }

    private func principal(_ outcome: Outcome, _ address: String, _ why: String) throws(SiteError) -> Principal {
        switch outcome {
        case .admitted(let info):
            return Principal(
                caller: .token(info.name, address: address), right: info.role.right,
                cameras: info.cameras.map { .only(Set($0)) } ?? .all)
        case .wrong(let claimed):
            if let claimed { tell(.triesRefused(address: address, token: claimed)) }
            throw Self.unauthenticated(why)
        case .refused:
            throw SiteError(
                .tooOften, what: "the request was not looked at",
                why: "\(LoginBounds.triesMax) wrong tries came from this address within a minute",
                remedy: "wait a minute; `vigil token list` on the recorder's machine says which tokens there are")
        }
    }

    /// A refusal of somebody who is not known.
    static func unauthenticated(_ why: String) -> SiteError {
        SiteError(
            .unauthenticated, what: "the request was refused", why: why,
            remedy: "log in: `vigil token link` on the recorder's machine gives a link, `vigil token create` a token")
    }
}
