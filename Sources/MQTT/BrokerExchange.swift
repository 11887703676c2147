internal import NIOCore
internal import Synchronization

/// What goes both ways over a connection that is open: four tasks, the first of which to end, ends it.
final class BrokerExchange: Sendable {
    private struct State {
        /// When something last came that was whole.
        var heard = ContinuousClock.now
        var answer: ConnectAnswer?
        /// What is under way, by its number: how long it is, in bytes.
        var unacknowledged: [UInt16: Int] = [:] {
            didSet { waitingSince = unacknowledged.isEmpty ? nil : waitingSince ?? .now }
        }
        /// Since when something waits and the broker has acknowledged nothing; nil: nothing waits.
        var waitingSince: ContinuousClock.Instant?
        var lastNumber: UInt16 = 0
    }

    private let connection: BrokerConnection
    private let client: any BrokerClient
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let state = Mutex(State())
    /// For the task that writes: the broker has answered, or acknowledged.
    private let (answers, answered) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        _ connection: BrokerConnection, _ client: any BrokerClient,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.connection = connection
        self.client = client
        self.outbound = outbound
    }

    /// Runs until one side ends it; nil: the client did.
    func run(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) async -> BrokerFailure? {
        await withTaskGroup(of: BrokerFailure?.self) { group in
            group.addTask { await Self.failure { try await self.read(inbound) } }
            group.addTask { await Self.failure { try await self.write() } }
            group.addTask { await Self.failure { try await self.ping() } }
            group.addTask { await Self.failure { try await self.watch() } }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }

    private static func failure(_ work: () async throws -> Void) async -> BrokerFailure? {
        do {
            try await work()
            return nil
        } catch { return BrokerFailure(error) }
    }

    // MARK: What comes

    private func read(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) async throws {
        var reader = PacketReader(connection.version)
        for try await piece in inbound {
            reader.take(piece.readableBytesView)
            while let packet = try reader.next() {
                state.withLock { $0.heard = .now }
                try await take(packet)
            }
            if reader.isSkipping { state.withLock { $0.heard = .now } }
        }
        throw BrokerFailure("the broker cut the connection")
    }

    private func take(_ packet: ServerPacket) async throws {
        guard state.withLock({ $0.answer != nil }) else { return try begin(packet) }
        switch packet {
        case .connected: throw PacketFault("the connection is answered twice")
        case .message(let message, let number):
            client.received(message)
            if let number { try await send(.acknowledge(number)) }
        case .unusable(let number):
            client.dropped()
            if let number { try await send(.acknowledge(number)) }
        case .acknowledged(let number, let isRefused):
            acknowledge(number)
            if isRefused { client.refused("what is published: this user may not, or the broker's bounds are passed") }
            answered.yield()
        case .subscribed(let number, let refused):
            acknowledge(number)
            answered.yield()
            for place in refused where connection.filters.indices.contains(place) {
                client.refused("the subscription to \(connection.filters[place])")
            }
        case .pong: break
        case .disconnected(let code): throw BrokerFailure(ending: code)
        }
    }

    private func acknowledge(_ number: UInt16) {
        state.withLock { state in
            if state.unacknowledged.removeValue(forKey: number) != nil, !state.unacknowledged.isEmpty {
                state.waitingSince = .now
            }
        }
    }

    private func begin(_ packet: ServerPacket) throws {
        guard case .connected(let answer) = packet else { throw PacketFault("the connection is not answered first") }
        if let failure = BrokerFailure(code: answer.code) { throw failure }
        guard answer.retains else { throw BrokerFailure("the broker keeps no messages (retain), which Vigil needs") }
        state.withLock { $0.answer = answer }
        answered.yield()
    }

    // MARK: What goes

    private func write() async throws {
        try await send(connection.greeting)
        while state.withLock({ $0.answer == nil }) { try await wait() }
        let answer = state.withLock { $0.answer } ?? ConnectAnswer(code: 0)
        await client.connected()
        if !connection.filters.isEmpty {
            state.withLock { $0.unacknowledged[1] = 0 }
            try await send(.subscribe(1, filters: connection.filters))
        }
        try await room(answer)
        while let message = await client.next() {
            try Task.checkCancellation()
            try await publish(message, answer)
            try await room(answer)
        }
        try Task.checkCancellation()
        // What is under way must not be lost with the connection.
        while state.withLock({ !$0.unacknowledged.isEmpty }) { try await wait() }
        try await send(.disconnect)
    }

    private func publish(_ message: ApplicationMessage, _ answer: ConnectAnswer) async throws {
        let number = answer.acknowledges ? nextNumber() : nil
        let packet = ClientPacket.publish(message, number: number).bytes(connection.version)
        guard let packet, packet.count <= answer.packetBytesMax ?? .max else {
            return client.refused("a message that is longer than it takes")
        }
        if let number { state.withLock { $0.unacknowledged[number] = packet.count } }
        try await outbound.write(ByteBuffer(bytes: packet))
    }

    /// Waits until one more message may be under way. What is to be published is asked for only then: so nothing waits here that
    /// is not to be published any more.
    private func room(_ answer: ConnectAnswer) async throws {
        let most = max(1, min(BrokerConnection.unacknowledgedMax, Int(answer.unacknowledgedMax)))
        func isFull(_ state: State) -> Bool {
            state.unacknowledged.count >= most
                || state.unacknowledged.values.reduce(0, +) >= BrokerConnection.unacknowledgedBytesMax
        }
        while state.withLock({ isFull($0) }) { try await wait() }
    }

    /// The number of the next message. Fewer than 17 of all the numbers are taken; 1 is the subscription's.
    private func nextNumber() -> UInt16 {
        state.withLock { state in
            repeat {
                state.lastNumber = state.lastNumber &+ 1
            } while state.lastNumber < 2 || state.unacknowledged[state.lastNumber] != nil
            return state.lastNumber
        }
    }

    /// Waits until the broker has answered something.
    private func wait() async throws {
        for await _ in answers { return }
        throw CancellationError()
    }

    private func send(_ packet: ClientPacket) async throws {
        guard let bytes = packet.bytes(connection.version) else {
            throw BrokerFailure("user or password are longer than a packet of MQTT can hold")
        }
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    // MARK: Time

    /// Seconds between two signs of life.
    private var pauseSeconds: Int64 {
        let wanted = state.withLock { $0.answer?.keepAliveSeconds } ?? BrokerConnection.keepAliveSeconds
        return max(1, Int64(min(wanted == 0 ? .max : wanted, BrokerConnection.keepAliveSeconds)) / 2)
    }

    private func ping() async throws {
        while true {
            try await Task.sleep(for: .seconds(pauseSeconds))
            if state.withLock({ $0.answer != nil }) { try await send(.ping) }
        }
    }

    /// Ends a connection on which nothing comes that is whole, however much goes back and forth, or on which what was sent is not
    /// acknowledged. It waits for no write.
    private func watch() async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            let (heard, since, isConnected) = state.withLock { ($0.heard, $0.waitingSince, $0.answer != nil) }
            let most = (isConnected ? 2 * pauseSeconds : 0) + BrokerConnection.connectSeconds
            if .now - heard > .seconds(most) { throw BrokerFailure("the broker does not answer in time") }
            if let since, .now - since > .seconds(most) {
                throw BrokerFailure("the broker acknowledges nothing of what it was sent")
            }
        }
    }
}
