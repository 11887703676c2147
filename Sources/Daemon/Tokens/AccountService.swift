internal import Foundation
internal import Journal
internal import Machines
internal import Server
internal import ServiceLifecycle
internal import Synchronization

/// Keeps tokens and logins over a restart: what is asked for at once, last uses and logins within seconds, the rest at the end.
final class AccountService: Service {
    /// How often it looks for what is not kept yet, in milliseconds.
    static let intervalMs: Int64 = 10_000

    let accounts: Accounts
    /// Who looked, and who took away.
    let notes: AuditNotes
    private let file: TokenFile
    private let journal: Journal
    /// One write at a time, each of what is newest, so that nothing old comes after what is new. Says whether the last one
    /// failed.
    private let writing = Mutex(false)

    /// Reads what a storage root holds. A file that is not to be trusted is set aside and told; then nobody has a token. Blocking.
    init(root: String, journal: Journal) {
        file = TokenFile(root: root)
        notes = AuditNotes(journal: journal)
        self.journal = journal
        var state = AccountsState()
        do { state = try file.read() } catch {
            let aside = file.path + ".unreadable"
            try? FileManager.default.removeItem(atPath: aside)
            try? FileManager.default.moveItem(atPath: file.path, toPath: aside)
            journal.send(.tokensUnreadable, fields: [(.path, aside), (.detail, "\(error)")])
        }
        let clock = MachineClock()
        accounts = Accounts(state, wallMs: { clock.wallMs() }, steadyMs: { clock.now().ms }) { event in
            let (kind, fields) = event.record
            journal.send(kind, fields: fields)
        }
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(Self.intervalMs))
                self.accounts.expire()
                try? await self.keep()
            }
        }
        // In a task of its own: a cancelled one is refused a thread.
        await Task { try? await self.keep() }.value
    }

    /// Keeps what is not kept yet. Throws where it cannot; it is tried again.
    func keep() async throws {
        try await Blocking.always { [self] in
            try writing.withLock { hasFailed in
                guard let state = accounts.takeChanged() else { return }
                do {
                    try file.write(state)
                    hasFailed = false
                } catch {
                    accounts.unkept()
                    if !hasFailed { journal.send(.tokensUnkept, fields: [(.path, file.path), (.detail, "\(error)")]) }
                    hasFailed = true
                    throw error
                }
            }
        }
    }
}

extension AccountEvent {
    /// How the journal tells it.
    fileprivate var record: (MessageKind, [(Field, String)]) {
        switch self {
        case .created(let info, let caller):
            let cameras = info.cameras?.joined(separator: ", ") ?? "all cameras"
            return (
                .tokenCreated,
                [(.token, info.name), (.detail, "\(info.role.rawValue), \(cameras)"), (.user, "\(caller)")]
            )
        case .revoked(let name, let caller): return (.tokenRevoked, [(.token, name), (.user, "\(caller)")])
        case .linked(let name, let caller): return (.loginLinkMade, [(.token, name), (.user, "\(caller)")])
        case .loggedIn(let caller, let byCode):
            return (.loggedIn, [(.user, "\(caller)"), (.detail, byCode ? "by a link" : "by its token")])
        case .loggedOut(let caller): return (.loggedOut, [(.user, "\(caller)")])
        case .triesRefused(let address, let token):
            return (.loginTriesRefused, [(.user, address)] + (token.map { [(.token, $0)] } ?? []))
        }
    }
}
