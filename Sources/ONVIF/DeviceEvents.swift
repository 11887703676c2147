package import Media

/// Follows the events of one device for as long as that is wanted: subscribes, pulls, renews, and begins anew after a failure. One
/// subscription serves all cameras of the device: devices have room for few.
package struct DeviceEvents: Sendable {
    /// What is told.
    package enum Told: Hashable, Sendable {
        /// The device is subscribed to for these cameras; how far its clock is ahead of this machine's, in milliseconds, where it tells
        /// a time.
        case subscribed([String], clockAheadMs: Int64?)
        /// Why the channel of a camera is not known: nothing is told of it until it is, for which the device is asked again.
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
    /// The first wait after a failure and the longest, in milliseconds. A refused login waits for the longest at once, so that the
    /// device does not lock the account.
    static let againMs: Int64 = 1_000
    static let againMsMax: Int64 = 300_000
    /// For how long a subscription must have held when a pull is answered for the next failure to be a first one, in milliseconds.
    static let heldMs: Int64 = 30_000
    /// How long the channels of cameras are looked for while events wait, in milliseconds.
    static let channelsMs: Int64 = 20_000

    private let address: ServiceAddress
    private let credential: CameraCredential?
    private let tls: TLSRules
    private let cameras: @Sendable () -> [String: [String]]?
    /// How long the device may take for one answer, in milliseconds: a pull waits for that long.
    var answerMs = Int64(Self.pullSeconds + 10) * 1_000
    /// What counts for `heldMs` here.
    var heldMs = Self.heldMs

    /// The events of the device at `address`. Nobody is asked yet.
    ///
    /// - Parameter cameras: the addresses of the streams of each camera of the device, by name: each is told of its own channel. Nil:
    ///   one without a name is told of all channels. It is looked at after each pull: other cameras need no other subscription.
    package init(
        address: ServiceAddress, credential: CameraCredential?, tls: TLSRules = TLSRules(),
        cameras: @escaping @Sendable () -> [String: [String]]? = { nil }
    ) {
        (self.address, self.credential, self.tls, self.cameras) = (address, credential, tls, cameras)
    }

    /// Follows them until the task is cancelled; `tell` is given what happens, in order.
    package func run(_ tell: @Sendable (Told) async -> Void) async {
        var (sources, channels, failures) = ([String: DeviceSources](), FollowedChannels(), 0)
        while !Task.isCancelled {
            let client = DeviceClient(
                address: address, credential: credential, tls: tls, timeoutMs: answerMs)
            do throws(ONVIFError) {
                try await subscribe(client, &channels, &sources, &failures, tell)
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
        _ client: DeviceClient, _ channels: inout FollowedChannels, _ sources: inout [String: DeviceSources],
        _ failures: inout Int, _ tell: @Sendable (Told) async -> Void
    ) async throws(ONVIFError) {
        try await client.connect()
        channels.begin()
        let wanted = cameras()
        let answer = try await look(client, for: wanted, within: DeviceClient.channelsMs)
        let point = try await client.subscribe()
        await report(channels.take(answer, of: wanted), client, &sources, tell)
        do throws(ONVIFError) {
            try await follow(point, client, &channels, &sources, &failures, tell)
        } catch {
            await client.unsubscribe(point)
            throw error
        }
        await client.unsubscribe(point)
    }

    // MARK: Channels

    /// Asks the device for the channels of cameras.
    private func look(
        _ client: DeviceClient, for wanted: [String: [String]]?, within boundMs: Int64
    ) async throws(ONVIFError) -> FollowedChannels.Answer {
        guard let wanted else { return FollowedChannels.Answer(channels: ["": .success(.only)], isTold: true) }
        do {
            let found = try await client.channels(of: wanted, within: boundMs)
            return FollowedChannels.Answer(channels: found, isTold: true)
        } catch  where error.isOfOneOperation {
            // Of a device that tells no channels one camera is all of it; which of several a message is about is not known.
            let all: Result<DeviceChannel, ONVIFError> = wanted.count == 1 ? .success(.only) : .failure(error)
            return FollowedChannels.Answer(channels: wanted.mapValues { _ in all }, isTold: false)
        }
    }

    /// Asks again, for the cameras that are wanted now. That the device does not answer ends no subscription: the next pull tells whether
    /// it holds.
    private func lookAgain(
        _ client: DeviceClient, _ channels: inout FollowedChannels, _ sources: inout [String: DeviceSources],
        _ tell: (Told) async -> Void
    ) async {
        let wanted = cameras()
        let answer: FollowedChannels.Answer
        do throws(ONVIFError) {
            answer = try await look(client, for: wanted, within: Self.channelsMs)
        } catch {
            let all: Result<DeviceChannel, ONVIFError> = .failure(error)
            answer = FollowedChannels.Answer(channels: (wanted ?? [:]).mapValues { _ in all }, isTold: false)
        }
        // That a request was given up because it is not wanted any more is no answer.
        guard !Task.isCancelled else { return }
        await report(channels.take(answer, of: wanted), client, &sources, tell)
    }

    /// Tells what has become of the channels of cameras. What was on at a channel of which a camera is not any more is off.
    private func report(
        _ changes: FollowedChannels.Changes, _ client: DeviceClient, _ sources: inout [String: DeviceSources],
        _ tell: (Told) async -> Void
    ) async {
        for camera in changes.gone {
            let names = sources.removeValue(forKey: camera)?.names ?? []
            for name in names.sorted() { await tell(.source(.off(name), of: camera)) }
        }
        for (camera, error) in changes.unknown { await tell(.unknown(camera, error)) }
        if !changes.found.isEmpty {
            await tell(.subscribed(changes.found, clockAheadMs: await client.clockOffsetMs))
        }
    }

    // MARK: Events

    /// Twice the wait before, up to the longest.
    static func wait(after failures: Int) -> Int64 { min(againMs << Int64(min(max(failures, 0), 16)), againMsMax) }

    /// How long a pull waits, in seconds: no longer than until the device is to be asked again for its channels.
    static func pull(areOff: Bool, untilDue: Duration?) -> Int {
        let seconds = areOff ? pullSeconds : pullSecondsOn
        return untilDue.map { min(max(Int($0.components.seconds), 1), seconds) } ?? seconds
    }

    private func follow(
        _ point: PullPoint, _ client: DeviceClient, _ channels: inout FollowedChannels,
        _ sources: inout [String: DeviceSources], _ failures: inout Int, _ tell: (Told) async -> Void
    ) async throws(ONVIFError) {
        let begin = ContinuousClock.now
        var (renewed, synchronized, canSynchronize) = (ContinuousClock.now, ContinuousClock.now, true)
        var looked = ContinuousClock.now
        var unconfirmed = UnconfirmedSources()
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let due = channels.againMs.map { looked + .milliseconds($0) }
            let seconds = Self.pull(areOff: sources.areOff, untilDue: due.map { start.duration(to: $0) })
            let messages = try await client.pull(point, seconds: seconds)
            // One that is lost at once again and again is no better than none; that a device is waited for in vain is no sign of life.
            if begin.duration(to: .now) >= .milliseconds(heldMs) { failures = 0 }
            for message in messages {
                for (camera, channel) in channels.known where channel.concerns(message) {
                    guard let fact = sources[camera, default: DeviceSources()].take(message) else { continue }
                    unconfirmed.take(fact, of: camera, at: .now)
                    await tell(.source(fact, of: camera))
                }
            }
            if !canSynchronize {
                for (camera, fact) in unconfirmed.hold(&sources, at: .now) { await tell(.source(fact, of: camera)) }
            }
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
            // After the renewal, so that the subscription holds meanwhile.
            if due.map({ $0 <= .now }) ?? false || cameras() != channels.cameras {
                await lookAgain(client, &channels, &sources, tell)
                looked = .now
            }
            let rest = Duration.milliseconds(Self.paceMs) - start.duration(to: .now)
            if rest > .zero { try? await Task.sleep(for: rest) }
        }
    }
}

extension [String: DeviceSources] {
    /// Whether nothing is on.
    fileprivate var areOff: Bool { values.allSatisfy(\.names.isEmpty) }
}
