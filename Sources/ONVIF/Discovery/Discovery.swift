internal import NIOCore
internal import NIOPosix

/// Looks for devices: sends probes and collects the answers.
package struct Discovery: Sendable {
    /// How many devices are taken, how many of them at one address, and how many datagrams are looked at in one search.
    static let devicesMax = 256
    static let devicesAtOnceMax = 8
    static let datagramsMax = 4_096
    /// Each probe is sent again after so long, since datagrams get lost, in milliseconds.
    static let againMs: Int64 = 500

    /// An interface of this machine with an address of IPv4.
    package struct Interface: Hashable, Sendable {
        /// Its name, such as `eth0`.
        package let name: String
        /// Its address.
        package let address: String
    }

    /// What came of a search.
    package struct Outcome: Hashable, Sendable {
        /// The devices, each once, by their addresses.
        package var devices: [DiscoveredDevice] = []
        /// What could not be asked, and why: `eth0: network is unreachable`.
        package var problems: [String] = []

        /// Takes a device, within the bounds. Who answers on two interfaces, or to two probes, is one device.
        mutating func add(_ device: DiscoveredDevice) {
            guard devices.count < devicesMax, !devices.contains(where: { $0.endpoint == device.endpoint }),
                devices.count(where: { $0.sender == device.sender }) < devicesAtOnceMax
            else { return }
            devices.append(device)
        }
    }

    /// The interfaces on which devices can be looked for: those of IPv4 that take multicast. The loopback is left out.
    package static func interfaces() -> [Interface] {
        all().filter { !$0.address.hasPrefix("127.") }
    }

    /// The interface of this name, loopback or not; nil where there is none with an address of IPv4.
    package static func interface(named name: String) -> Interface? { all().first { $0.name == name } }

    private static func all() -> [Interface] {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { device in
            guard device.multicastSupported || device.name == "lo", case .v4? = device.address,
                let address = device.address?.ipAddress
            else { return nil }
            return Interface(name: device.name, address: address)
        }
    }

    /// Looks for devices on interfaces by multicast, and at addresses by themselves, for `waitMs` milliseconds.
    ///
    /// - Parameter hosts: addresses of IPv4, each of which is asked by a datagram of its own.
    package static func search(interfaces: [Interface], hosts: [String] = [], waitMs: Int64) async -> Outcome {
        await withTaskGroup(of: Outcome.self) { group in
            for interface in interfaces {
                group.addTask {
                    await listen(from: interface.address, to: [DiscoveryProbe.group], named: interface.name, waitMs)
                }
            }
            if !hosts.isEmpty {
                group.addTask { await listen(from: "0.0.0.0", to: hosts, named: hosts.joined(separator: ", "), waitMs) }
            }
            var outcome = Outcome()
            for await part in group {
                outcome.problems += part.problems
                for device in part.devices { outcome.add(device) }
            }
            outcome.devices.sort { ($0.address.host, $0.endpoint) < ($1.address.host, $1.endpoint) }
            return outcome
        }
    }

    private static func listen(from: String, to hosts: [String], named name: String, _ waitMs: Int64) async -> Outcome {
        do {
            let targets = try hosts.map { try SocketAddress(ipAddress: $0, port: DiscoveryProbe.port) }
            let socket = try await open(from)
            // When the time is over, nothing more comes in.
            let timer = Task {
                try await Task.sleep(for: .milliseconds(waitMs))
                try await socket.channel.close()
            }
            defer { timer.cancel() }
            let probes = DiscoveryProbe.Kind.allCases.map(DiscoveryProbe.init)
            let devices = try await socket.executeThenClose { inbound, outbound in
                async let sent: Void = send(probes, to: targets, over: outbound)
                let devices = try await collect(inbound, Set(probes.map(\.identity)))
                try await sent
                return devices
            }
            return Outcome(devices: devices)
        } catch {
            return Outcome(problems: ["\(name): \(error)"])
        }
    }

    private typealias Datagram = AddressedEnvelope<ByteBuffer>

    /// A socket from which multicast goes out on the interface of its address, as far as the next router (a hop limit of 1 is the
    /// system's default).
    private static func open(_ address: String) async throws -> NIOAsyncChannel<Datagram, Datagram> {
        let socket = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .bind(host: address, port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<Datagram, Datagram>(wrappingChannelSynchronously: channel)
                }
            }
        if let options = socket.channel as? any SocketOptionProvider {
            // The system takes an interface by the four bytes of its address.
            try await options.unsafeSetSocketOption(
                level: .ip, name: .ip_multicast_if, value: networkOrder(address)
            ).get()
        }
        return socket
    }

    /// An address of IPv4 as the system takes it: its four bytes in their order.
    private static func networkOrder(_ address: String) -> UInt32 {
        address.split(separator: ".").reduce(UInt32(0)) { $0 << 8 | (UInt32($1, radix: 10) ?? 0) & 0xff }.bigEndian
    }

    /// Sends each probe twice: datagrams get lost.
    private static func send(
        _ probes: [DiscoveryProbe], to targets: [SocketAddress], over outbound: NIOAsyncChannelOutboundWriter<Datagram>
    ) async throws {
        for round in 0..<2 {
            if round > 0 { try await Task.sleep(for: .milliseconds(againMs)) }
            for probe in probes {
                for target in targets {
                    try await outbound.write(Datagram(remoteAddress: target, data: ByteBuffer(string: probe.text)))
                }
            }
        }
    }

    private static func collect(
        _ inbound: NIOAsyncChannelInboundStream<Datagram>, _ probes: Set<String>
    ) async throws -> [DiscoveredDevice] {
        var (outcome, datagrams) = (Outcome(), 0)
        for try await datagram in inbound {
            datagrams += 1
            guard datagrams <= datagramsMax else { break }
            guard let sender = datagram.remoteAddress.ipAddress else { continue }
            let found = DiscoveredDevice.read(Array(buffer: datagram.data), from: sender, probes: probes)
            for device in found { outcome.add(device) }
        }
        return outcome.devices
    }
}
