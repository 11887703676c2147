internal import Foundation
internal import HTTPTypes
internal import Logging
internal import MemorySite
internal import NIOCore
internal import NIOEmbedded
internal import Testing

@testable import Server

@Suite("What ends with a token")
struct TokenEndTests {
    private static let root = Caller(uid: 0, gid: 0, pid: 1)

    /// Connections of a token, each with the loop on which it lives.
    private func connected(_ count: Int, _ limits: ConnectionLimits = .web) throws -> (Connections, [EmbeddedChannel]) {
        let connections = Connections(limits)
        let channels = try (0..<count).map { number in
            let channel = EmbeddedChannel()
            try channel.connect(to: SocketAddress(ipAddress: "192.0.2.7", port: 4_000)).wait()
            _ = try #require(
                connections.admit(channel, of: .init(key: "192.0.2.\(number)", name: "192.0.2.\(number)")))
            return channel
        }
        return (connections, channels)
    }

    @Test("a token that is revoked, has expired or logs out ends the connections that it uses, and no others")
    func ended() throws {
        let site = MemorySite()
        let (connections, channels) = try connected(3)
        _ = WebListener.router(site: site, connections: connections)
        for (name, expires) in [("phone", Int64?.none), ("guest", 1_000)] {
            _ = try site.accounts.create(
                CreateTokenCommand(
                    name: name, role: .viewer, expires: expires.map { WallTime(ms: MemorySite.origin.ms + $0) }),
                by: Self.root)
        }
        let login = Secret.random().digest
        try connections.identify(channels[0], as: .init(token: "phone", login: nil))
        try connections.identify(channels[1], as: .init(token: "guest", login: nil))
        try connections.identify(channels[2], as: .init(token: "house", login: login))
        func pass() {
            for channel in channels { channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }
        }
        site.accounts.expire()
        pass()
        #expect(channels.map(\.isActive) == [true, true, true])
        try site.accounts.revoke("phone", by: Self.root)
        #expect(channels[0].isActive)  // The answer to the request that did it goes out.
        pass()
        #expect(channels.map(\.isActive) == [false, true, true])
        site.pass(ms: 1_000)
        site.accounts.expire()
        pass()
        #expect(channels.map(\.isActive) == [false, false, true])
        site.accounts.ended(.login(Secret.random().digest))
        pass()
        #expect(channels[2].isActive)
        site.accounts.ended(.login(login))
        pass()
        #expect(!channels[2].isActive)
    }

    @Test("a login that makes room for another one, or runs out, ends the connections that use it")
    func loginsEnded() throws {
        let site = MemorySite()
        let (connections, channels) = try connected(2)
        _ = WebListener.router(site: site, connections: connections)
        let token = try site.accounts.create(CreateTokenCommand(name: "phone", role: .viewer), by: Self.root).token
        func login() throws -> Secret.Digest? {
            Secret(try site.accounts.login(LoginCommand(token: token), from: "192.0.2.7").cookie)?.digest
        }
        func pass() {
            for channel in channels { channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }
        }
        try connections.identify(channels[0], as: .init(token: "phone", login: login()))
        for _ in 1..<LoginBounds.loginsOfTokenMax { _ = try login() }
        pass()
        #expect(channels.map(\.isActive) == [true, true])
        try connections.identify(channels[1], as: .init(token: "phone", login: login()))
        pass()
        #expect(channels.map(\.isActive) == [false, true])
        site.pass(ms: LoginBounds.loginMs)
        site.accounts.expire()
        pass()
        #expect(channels.map(\.isActive) == [false, false])
    }

    @Test("a token has so many connections, from whatever addresses, and another token has its own (H6)")
    func bounded() throws {
        var limits = ConnectionLimits.web
        limits.ofPeerMost = 2
        let (connections, channels) = try connected(4, limits)
        let phone = Connections.Holder(token: "phone", login: nil)
        try connections.identify(channels[0], as: phone)
        try connections.identify(channels[0], as: phone)
        try connections.identify(channels[1], as: phone)
        #expect(throws: SiteError.self) { try connections.identify(channels[2], as: phone) }
        try connections.identify(channels[3], as: .init(token: "house", login: nil))
        try channels[0].close().wait()
        channels[0].embeddedEventLoop.run()
        try connections.identify(channels[2], as: phone)
    }

    @Test("each route that gives pictures or a file is told with who asked, and no other")
    func audit() async throws {
        let media = [
            "snapshot": Route.Audit.view, "live": .view, "live.jpg": .view, "live.mjpg": .view, "frames": .view,
            "picture": .view,
            "thumbnails": .view, "play.m3u8": .view, "play.mp4": .view, "export": .export,
        ]
        for route in API.routes(MemorySite()) {
            let last = route.path.split(separator: "/").last.map(String.init) ?? ""
            if let audit = media[last] { #expect(route.audit == audit, "\(route.title)") }
            // What answers JSON about recordings gives no picture.
            if ["state", "coverage", "clips", "events", "why", "plan", "days"].contains(last) {
                #expect(route.audit == nil, "\(route.title)")
            }
        }
    }
}
