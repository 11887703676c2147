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

    func clearMessage(_ message: Int64) async throws -> ClearedMessages {
        let cleared = try await Blocking.run { [catalog] in try catalog.clearMessages([message]) }
        guard cleared > 0 else {
            throw SiteError(
                .notFound, what: "message \(message)", why: "there is none of this id",
                remedy: "vigil messages lists what there is")
        }
        return ClearedMessages(cleared: cleared)
    }

    func clearMessages(in scope: CameraScope) async throws -> ClearedMessages {
        let names = scope.names
        return try await Blocking.run { [catalog, messages] in
            messages.flush()
            return ClearedMessages(
                cleared: try catalog.clearMessages(catalog.messages(cameras: names).map(\.id)))
        }
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
