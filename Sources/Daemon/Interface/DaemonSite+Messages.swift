internal import Catalog
internal import Journal
internal import Server

extension DaemonSite {
    func messages(in scope: CameraScope) async throws -> [MessageInfo] {
        let names = scope.names
        return try await Blocking.run { [catalog, messages] in
            messages.flush()
            return try catalog.messages(cameras: names)
        }.map(MessageInfo.init(_:))
    }

    func camera(ofMessage message: Int64) async throws -> String? {
        try await Blocking.run { [catalog] in try catalog.message(message)?.told.camera }
    }

    func clearMessage(_ message: Int64, by caller: Caller) async throws -> ClearedMessages {
        let (found, cleared) = try await Blocking.run { [catalog] in
            (try catalog.message(message), try catalog.clearMessages([message]))
        }
        guard let found, cleared > 0 else {
            throw SiteError(
                .notFound, what: "message \(message)", why: "there is none of this id",
                remedy: "vigil messages lists what there is")
        }
        tellCleared(cleared, found.told.kind, of: found.told.camera, by: caller)
        return ClearedMessages(cleared: cleared)
    }

    func clearMessages(in scope: CameraScope, by caller: Caller) async throws -> ClearedMessages {
        let names = scope.names
        let cleared = try await Blocking.run { [catalog, messages] in
            messages.flush()
            return try catalog.clearMessages(catalog.messages(cameras: names).map(\.id))
        }
        if cleared > 0 {
            let what = names.map { "all of \($0.joined(separator: ", "))" } ?? "all"
            tellCleared(cleared, what, of: names?.count == 1 ? names?.first : nil, by: caller)
        }
        return ClearedMessages(cleared: cleared)
    }

    private func tellCleared(_ count: Int, _ what: String, of camera: String?, by caller: Caller) {
        journal.send(
            .messagesCleared, camera: camera, fields: [(.count, "\(count)"), (.request, what), (.user, "\(caller)")])
    }
}

extension MessageInfo {
    /// A message of the catalog as the interface shows it.
    init(_ message: Message) {
        let told = message.told
        self.init(
            id: message.id, kind: told.kind, camera: told.camera, priority: told.priority, message: told.words,
            remedy: MessageKind.allCases.first { $0.name == told.kind }?.remedy, count: told.count,
            first: WallTime(ms: told.firstWallMs), last: WallTime(ms: told.lastWallMs),
            over: told.overWallMs.map(WallTime.init(ms:)))
    }
}
