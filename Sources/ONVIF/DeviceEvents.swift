package import Media

/// Follows the events of one device for as long as that is wanted: subscribes, pulls, renews, and begins anew after a failure. One
/// subscription serves all cameras of the device: devices have room for few.
package struct DeviceEvents: Sendable {
    /// What is told.
    package enum Told: Hashable, Sendable {
        /// The device is subscribed to for these cameras; how far its clock is ahead of this machine's, in milliseconds, where it tells
        /// a time.
        case subscribed([String], clockAheadMs: Int64?)
        /// Why the channel of a camera is not known: nothing is told of it until the next subscription.
        case unknown(String, ONVIFError)
        /// What happened to a source of a camera. What is on is told again and again while it is.
        case source(DeviceSources.Fact, of: String)
        /// The subscription is lost, and tried again after so many milliseconds.
        case lost(ONVIFError, againMs: Int64)
    }

    /// For how long a source that was told to be on is on without being told again, in milliseconds.
    package static let staleMs: Int64 = 60_000
    /// How long a pull waits for messages, in seconds, and while something is on.
    static let pullSeconds = 20
    static let pullSecondsOn = 10
    /// The least time from one pull to the next, in milliseconds, for devices that answer at once.
    static let paceMs: Int64 = 100
    /// After how long states are asked for anew while something is on, and a subscription is renewed, in milliseconds.
    static let synchronizeMs: Int64 = 15_000
    static let renewMs: Int64 = 45_000
    /// For how long a source is held on that a device cannot be asked about, in milliseconds.
    static let unconfirmedMs: Int64 = 600_000
    /// The first wait after a failure and the longest, in milliseconds. A refused login waits for the longest at once, so that the
    /// device does not lock the account.
    static let againMs: Int64 = 1_000
    static let againMsMax: Int64 = 300_000
    /// For how long a subscription must have held for the next failure to be a first one, in milliseconds.
    static let heldMs: Int64 = 30_000

    private let address: ServiceAddress
    private let credential: CameraCredential?
    private let tls: TLSRules
    private let cameras: [String: [String]]?

    /// The events of the device at `address`. Nobody is asked yet.
    ///
    /// - Parameter cameras: the addresses of the streams of each camera of the device, by name: each is told of its own channel. Nil:
    ///   one without a name is told of all channels.
    package init(
        address: ServiceAddress, credential: CameraCredential?, tls: TLSRules = TLSRules(),
        cameras: [String: [String]]? = nil
    ) {
        (self.address, self.credential, self.tls, self.cameras) = (address, credential, tls, cameras)
    }

    /// Follows them until the task is cancelled; `tell` is given what happens, in order.
    package func run(_ tell: @Sendable (Told) async -> Void) async {
        var (sources, failures) = ([String: DeviceSources](), 0)
        while !Task.isCancelled {
            let client = DeviceClient(
                address: address, credential: credential, tls: tls, timeoutMs: Int64(Self.pullSeconds + 10) * 1_000)
            do throws(ONVIFError) {
                try await subscribe(client, &sources, &failures, tell)
            } catch {
                // Where it is not wanted any more, that a request was given up is no failure.
                if !Task.isCancelled {
                    let againMs = error.kind == .unauthorized ? Self.againMsMax : Self.wait(after: failures)
                    failures += 1
                    await tell(.lost(error, againMs: againMs))
                    try? await Task.sleep(for: .milliseconds(againMs))
                }
            }
            await client.shutdown()
        }
    }

    /// One subscription, from its begin to its end.
    private func subscribe(
        _ client: DeviceClient, _ sources: inout [String: DeviceSources], _ failures: inout Int,
        _ tell: @Sendable (Told) async -> Void
    ) async throws(ONVIFError) {
        try await client.connect()
        let channels = try await channels(client, tell)
        let point = try await client.subscribe()
        let begin = ContinuousClock.now
        await tell(.subscribed(channels.map(\.camera), clockAheadMs: await client.clockOffsetMs))
        do throws(ONVIFError) {
            try await follow(point, client, channels, &sources, tell)
        } catch {
            // One that is lost at once again and again is no better than none.
            if begin.duration(to: .now) >= .milliseconds(Self.heldMs) { failures = 0 }
            await client.unsubscribe(point)
            throw error
        }
        await client.unsubscribe(point)
    }

    /// The channels of the cameras, in the order of their names, as far as they are known.
    private func channels(
        _ client: DeviceClient, _ tell: (Told) async -> Void
    ) async throws(ONVIFError) -> [(camera: String, channel: DeviceChannel)] {
        guard let cameras else { return [("", .only)] }
        let found: [String: Result<DeviceChannel, ONVIFError>]
        do { found = try await client.channels(of: cameras) } catch  where error.isOfOneOperation {
            // What tells no profiles is one camera.
            found = cameras.mapValues { _ in .success(.only) }
        }
        var channels: [(camera: String, channel: DeviceChannel)] = []
        for (camera, result) in found.sorted(by: { $0.key < $1.key }) {
            switch result {
            case .success(let channel): channels.append((camera, channel))
            case .failure(let error): await tell(.unknown(camera, error))
            }
        }
        return channels
    }

    /// Twice the wait before, up to the longest.
    static func wait(after failures: Int) -> Int64 { min(againMs << Int64(min(max(failures, 0), 16)), againMsMax) }

    private func follow(
        _ point: PullPoint, _ client: DeviceClient, _ channels: [(camera: String, channel: DeviceChannel)],
        _ sources: inout [String: DeviceSources], _ tell: (Told) async -> Void
    ) async throws(ONVIFError) {
        var (renewed, synchronized, canSynchronize) = (ContinuousClock.now, ContinuousClock.now, true)
        var begun: [String: [String: ContinuousClock.Instant]] = [:]
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let seconds = sources.areOff ? Self.pullSeconds : Self.pullSecondsOn
            for message in try await client.pull(point, seconds: seconds) {
                for (camera, channel) in channels where channel.concerns(message) {
                    guard let fact = sources[camera, default: DeviceSources()].take(message) else { continue }
                    if case .on(let name) = fact { begun[camera, default: [:]][name] = .now }
                    await tell(.source(fact, of: camera))
                }
            }
            if !canSynchronize { await hold(&sources, begun, tell) }
            if canSynchronize, !sources.areOff,
                synchronized.duration(to: .now) >= .milliseconds(Self.synchronizeMs)
            {
                synchronized = .now
                do { try await client.synchronize(point) } catch
                    where error.kind == .unsupported || error.kind == .refused
                {
                    canSynchronize = false
                }
            }
            if renewed.duration(to: .now) >= .milliseconds(Self.renewMs) {
                renewed = .now
                do { try await client.renew(point) } catch  where error.kind == .unsupported || error.kind == .refused {
                    // With some devices a pull renews; with others the next one says that the subscription is over.
                }
            }
            let rest = Duration.milliseconds(Self.paceMs) - start.duration(to: .now)
            if rest > .zero { try? await Task.sleep(for: rest) }
        }
    }

    /// Tells again what is on with a device that cannot be asked, and ends what has been on for too long there.
    private func hold(
        _ sources: inout [String: DeviceSources], _ begun: [String: [String: ContinuousClock.Instant]],
        _ tell: (Told) async -> Void
    ) async {
        for (camera, known) in sources.sorted(by: { $0.key < $1.key }) {
            for name in known.names.sorted() {
                if let begin = begun[camera]?[name], begin.duration(to: .now) < .milliseconds(Self.unconfirmedMs) {
                    await tell(.source(.on(name), of: camera))
                } else {
                    sources[camera]?.forget(name)
                    await tell(.source(.off(name), of: camera))
                }
            }
        }
    }
}

extension [String: DeviceSources] {
    /// Whether nothing is on.
    fileprivate var areOff: Bool { values.allSatisfy(\.names.isEmpty) }
}
