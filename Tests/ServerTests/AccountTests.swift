internal import Foundation
internal import MemorySite
internal import Testing

@testable import Server

@Suite("Tokens and logins")
struct AccountTests {
    private static let root = Caller(uid: 0, gid: 0, pid: 1)

    private func site(_ tokens: [CreateTokenCommand] = []) throws -> (MemorySite, [String: String]) {
        let site = MemorySite()
        let made = try tokens.map { ($0.name, try site.accounts.create($0, by: Self.root).token) }
        return (site, Dictionary(uniqueKeysWithValues: made))
    }

    /// The kind of refusal of `body`; nil where it is none.
    private func refusal(_ body: () throws -> Void) -> SiteError.Kind? {
        do { try body() } catch { return (error as? SiteError)?.kind }
        return nil
    }

    @Test(
        "a token gives its holder its role on its cameras, until it expires or is revoked",
        arguments: TokenRole.allCases)
    func roles(role: TokenRole) throws {
        let (site, texts) = try site([
            CreateTokenCommand(
                name: "phone", role: role, cameras: ["front"], expires: WallTime(ms: MemorySite.origin.ms + 1_000)),
            CreateTokenCommand(name: "house", role: role),
        ])
        let phone = try site.accounts.principal(token: try #require(texts["phone"]), from: "192.0.2.7")
        #expect(
            phone
                == Principal(
                    caller: .token("phone", address: "192.0.2.7"), right: role.right, cameras: .only(["front"])))
        let house = try site.accounts.principal(token: try #require(texts["house"]), from: "192.0.2.7")
        #expect(house.cameras == .all && house.right == role.right)
        site.pass(ms: 1_000)
        #expect(refusal { _ = try site.accounts.principal(token: texts["phone"]!, from: "x") } == .unauthenticated)
        try site.accounts.revoke("house", by: Self.root)
        #expect(refusal { _ = try site.accounts.principal(token: texts["house"]!, from: "x") } == .unauthenticated)
        #expect(refusal { try site.accounts.revoke("house", by: Self.root) } == .notFound)
        #expect(site.accountEvents.last == .revoked("house", by: Self.root))
    }

    @Test("what is kept holds no secret, and who is known stays known when it is read back")
    func kept() throws {
        let (site, texts) = try site([CreateTokenCommand(name: "phone", role: .viewer)])
        let text = try #require(texts["phone"])
        let login = try site.accounts.login(LoginCommand(token: text), from: "192.0.2.7")
        let code = try site.accounts.code(for: nil, by: Self.root)
        let bytes = try JSONEncoder().encode(try #require(site.accounts.takeChanged()))
        #expect(site.accounts.takeChanged() == nil)
        let kept = String(decoding: bytes, as: UTF8.self)
        for secret in [String(text.suffix(Secret.length)), login.cookie, code.code] { #expect(!kept.contains(secret)) }
        let again = Accounts(
            try JSONDecoder().decode(AccountsState.self, from: bytes), wallMs: { MemorySite.origin.ms },
            steadyMs: { 0 })
        #expect(try again.principal(token: text, from: "x").caller.account == "token phone")
        #expect(try again.principal(login: login.cookie, from: "x").principal.caller.account == "token phone")
    }

    @Test("names, cameras and ends that make no sense are refused; a name is taken once")
    func flaws() throws {
        let (site, _) = try site([CreateTokenCommand(name: "phone", role: .viewer)])
        let bad = [
            CreateTokenCommand(name: "", role: .viewer), CreateTokenCommand(name: "Phone", role: .viewer),
            CreateTokenCommand(name: "a b", role: .viewer), CreateTokenCommand(name: "-a", role: .viewer),
            CreateTokenCommand(name: String(repeating: "a", count: 65), role: .viewer),
            CreateTokenCommand(name: "a", role: .viewer, cameras: []),
            CreateTokenCommand(name: "a", role: .viewer, cameras: ["../x"]),
            CreateTokenCommand(name: "a", role: .viewer, cameras: Array(repeating: "x", count: 1_001)),
            CreateTokenCommand(name: "a", role: .viewer, expires: MemorySite.origin),
        ]
        for command in bad {
            #expect(refusal { _ = try site.accounts.create(command, by: Self.root) } == .invalid, "\(command)")
        }
        let again = CreateTokenCommand(name: "phone", role: .admin)
        #expect(refusal { _ = try site.accounts.create(again, by: Self.root) } == .conflict)
        #expect(site.accounts.tokens().map(\.name) == ["phone"])
    }

    @Test("what is no token is refused in the same words, whatever is wrong with it")
    func constant() throws {
        let (site, texts) = try site([CreateTokenCommand(name: "phone", role: .viewer)])
        let good = try #require(texts["phone"])
        let other = TokenText(id: String(repeating: "a", count: 10), secret: .random()).text
        let wrong = [
            "", "x", "vigil_", good + "a", String(good.dropLast()), good.uppercased(), other,
            String(good.prefix(17)) + Secret.random().text, "vígil" + good.dropFirst(5), good + "\0",
            String(repeating: "a", count: 100_000),
        ]
        var words: Set<String> = []
        for (index, text) in wrong.enumerated() {
            do {
                _ = try site.accounts.principal(token: text, from: "192.0.2.\(index)")
                Issue.record("\(text.prefix(80)) was taken")
            } catch { words.insert("\(error)") }
        }
        #expect(words.count == 1)
        #expect(try site.accounts.principal(token: good, from: "192.0.2.9").right == .view)
    }

    @Test("wrong tries are refused unseen after ten in a minute, and keep out nobody else")
    func tries() throws {
        let (site, texts) = try site([CreateTokenCommand(name: "phone", role: .viewer)])
        let good = try #require(texts["phone"])
        func wrong(_ text: String, _ address: String) -> SiteError.Kind? {
            refusal { _ = try site.accounts.principal(token: text, from: address) }
        }
        for _ in 0..<10 { #expect(wrong("guess", "192.0.2.1") == .unauthenticated) }
        #expect(wrong("guess", "192.0.2.1") == .tooOften)
        #expect(site.accountEvents.last == .triesRefused(address: "192.0.2.1", token: nil))
        // Whoever has a right token or code is let in beside the guesser, also from behind the same address.
        #expect(wrong(good, "192.0.2.1") == nil)
        let code = try site.accounts.code(for: "phone", by: Self.root).code
        let login = try site.accounts.login(LoginCommand(code: code), from: "192.0.2.1")
        #expect(try site.accounts.principal(login: login.cookie, from: "192.0.2.1").principal.right == .view)
        // Who knows a token's ID closes it for their own address only.
        let half = String(good.prefix(17)) + Secret.random().text
        for _ in 0..<10 { #expect(wrong(half, "192.0.2.2") == .unauthenticated) }
        #expect(wrong(good, "192.0.2.2") == .tooOften)
        #expect(site.accountEvents.last == .triesRefused(address: "192.0.2.2", token: "phone"))
        #expect(wrong(good, "192.0.2.3") == nil)
        site.pass(ms: LoginBounds.triesMs)
        #expect(wrong("guess", "192.0.2.1") == .unauthenticated)
        #expect(wrong(good, "192.0.2.2") == nil)
    }

    @Test("the table of tries is bounded, and counts an IPv6 household as one")
    func triesBounded() {
        var tries = Tries()
        for index in 0..<LoginBounds.triersMax + 200 {
            _ = tries.failed(.init(address: "10.\(index / 250).\(index % 250).1", token: nil), now: 0)
        }
        #expect(tries.count <= LoginBounds.triersMax)
        let household = ["2001:db8:1:2::7", "2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::"]
        #expect(Set(household.map(Tries.network)).count == 1)
        #expect(Tries.network(of: "2001:db8:1:3::7") != Tries.network(of: household[0]))
        #expect(Tries.network(of: "::1") == "0:0:0:0" && Tries.network(of: "::ffff:192.0.2.7") == "::ffff:192.0.2.7")
    }

    @Test("a code logs in once, within ten minutes; without a name as the owner, who is made then")
    func codes() throws {
        let (site, _) = try site([CreateTokenCommand(name: "phone", role: .viewer)])
        func use(_ code: String) -> SiteError.Kind? {
            refusal { _ = try site.accounts.login(LoginCommand(code: code), from: "192.0.2.7") }
        }
        let code = try site.accounts.code(for: nil, by: Self.root)
        #expect(code.token == "owner")
        #expect(use(code.code) == nil && use(code.code) == .unauthenticated)
        let owner = try #require(site.accounts.tokens().last)
        #expect(owner.name == "owner" && owner.role == .admin && owner.cameras == nil)
        let late = try site.accounts.code(for: "phone", by: Self.root)
        site.pass(ms: LoginBounds.codeMs)
        #expect(use(late.code) == .unauthenticated)
        let many = try (0...LoginBounds.codesMax).map { _ in try site.accounts.code(for: "phone", by: Self.root).code }
        #expect(use(many[0]) == .unauthenticated && use(many[1]) == nil)
        #expect(refusal { _ = try site.accounts.code(for: "nobody", by: Self.root) } == .notFound)
        try site.accounts.revoke("phone", by: Self.root)
        #expect(use(many[2]) == .unauthenticated)
        for command in [LoginCommand(), LoginCommand(token: "a", code: "b")] {
            #expect(refusal { _ = try site.accounts.login(command, from: "x") } == .invalid)
        }
    }

    @Test("a login lasts a week after it was used last, and ends with its token and at its logout")
    func logins() throws {
        let (site, texts) = try site([CreateTokenCommand(name: "phone", role: .viewer)])
        func login() throws -> String {
            try site.accounts.login(LoginCommand(token: texts["phone"]!), from: "192.0.2.7").cookie
        }
        func use(_ cookie: String) -> Bool? {
            try? site.accounts.principal(login: cookie, from: "192.0.2.7").isRenewed
        }
        let first = try login()
        #expect(use(first) == false)
        site.pass(ms: LoginBounds.renewMs + 1)
        #expect(use(first) == true && use(first) == false)
        site.pass(ms: LoginBounds.loginMs - 1)
        #expect(use(first) == true)
        site.pass(ms: LoginBounds.loginMs)
        #expect(use(first) == nil)
        let out = try login()
        site.accounts.logout(out, from: "192.0.2.7")
        #expect(use(out) == nil)
        #expect(site.accountEvents.last == .loggedOut(.token("phone", address: "192.0.2.7")))
        let many = try (0...LoginBounds.loginsOfTokenMax).map { _ in try login() }
        #expect(use(many[0]) == nil && use(many[1]) != nil)
        try site.accounts.revoke("phone", by: Self.root)
        #expect(use(many[1]) == nil)
    }
}
