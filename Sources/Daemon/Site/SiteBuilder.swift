internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Server
internal import Synchronization

/// Makes cameras from a configuration, and changes the running ones when another configuration comes into force.
final class SiteBuilder: Sendable {
    private let pool: CameraPool
    private let clips: ClipStorage
    private let storage: StorageMonitor
    private let host: any Host
    private let journal: Journal
    private let catalog: Catalog
    private let ledger: CoverageLedger
    private let steps: StepLog
    private let sessions: Sessions
    private let transports: Transports
    private var clock: any Clocks { host.clock }

    init(
        pool: CameraPool, clips: ClipStorage, storage: StorageMonitor, catalog: Catalog, ledger: CoverageLedger,
        steps: StepLog, sessions: Sessions, transports: Transports, host: any Host, journal: Journal
    ) {
        self.pool = pool
        self.clips = clips
        self.storage = storage
        self.catalog = catalog
        self.ledger = ledger
        self.steps = steps
        self.sessions = sessions
        self.transports = transports
        self.journal = journal
        self.host = host
    }

    /// Puts a configuration in force; returns what changed, in words. Blocking: credentials and overrides are read.
    func apply(_ loaded: LoadedConfiguration, _ cause: ReloadCause) -> [String] {
        var changed: [String] = []
        storage.change(Self.rules(loaded))
        let configured = Set(loaded.configuration.cameras.map(\.name))
        for camera in pool.all where !configured.contains(camera.name) {
            pool.remove(camera.name)
            pool.points.allow([], to: camera.name)
            tellPolicy(of: camera.name, from: camera.assignment.policy, to: nil, cause)
            changed.append("camera \(camera.name) removed")
        }
        for camera in loaded.configuration.cameras {
            // The loader has checked that every camera's policy exists.
            guard let policy = loaded.policies[camera.policy] else { continue }
            pool.points.allow(keys(of: camera, loaded), to: camera.name)
            if let running = pool.camera(camera.name) {
                changed += change(running, to: camera, policy, loaded, cause)
            } else {
                let made = make(camera, policy, loaded)
                pool.add(made)
                // What the storage became while it was being made was told to those who were there.
                storage.repeat { made.actor.inbox.tell(.storage($0)) }
                if case .start = cause {} else { tellPolicy(of: camera.name, from: nil, to: policy, cause) }
                changed.append("camera \(camera.name) added")
            }
        }
        ledger.configured(configured, at: clock.now())
        pool.applied()
        return changed
    }

    /// The retention rules of a configuration.
    static func rules(_ loaded: LoadedConfiguration) -> StorageMonitor.Rules {
        var cameras: [String: RetentionRules] = [:]
        for camera in loaded.configuration.cameras {
            cameras[camera.name] = loaded.policies[camera.policy]?.retention
        }
        return StorageMonitor.Rules(
            reserve: loaded.configuration.storage.reserve, siteMaxBytes: loaded.configuration.storage.maxBytes,
            cameras: cameras)
    }

    // MARK: One camera

    private func make(
        _ camera: Configuration.Camera, _ policy: PolicyDocument, _ loaded: LoadedConfiguration
    ) -> CameraRuntime {
        let zone = TimeZone(identifier: loaded.configuration.timeZone) ?? .current
        let (wall, now) = (clock.wallMs(), clock.now())
        let kept = kept(of: camera)
        let effective = policy.effective(
            atUnixMs: wall, in: zone, zones: camera.zones.map(\.name), settings: kept.settings)
        let assignment = CameraRuntime.Assignment(
            camera: camera, policy: policy, untilUnixMs: effective.untilUnixMs, settings: kept.settings)
        let queue = host.queue("vigil.camera.\(camera.name)")
        let inbox = CameraInbox(clock: clock, queue: queue)
        let found = sources(camera.main, .main, camera, loaded)
        let recorded = RecordedPolicy(name: policy.name, revision: policy.revision, mode: effective.policy.mode)
        let streams = CameraStreams(
            camera: camera.name, settings: substreamSettings(assignment, loaded), dials: pool.dials,
            host: host,
            journal: journal, inbox: inbox)
        streams.onPrivacy(
            hidden: { [sessions, name = camera.name] in sessions.camera(name, hidden: $0) },
            unrecorded: { [sessions, name = camera.name] in sessions.cameraMayNotRecord(name) })
        let detector = CameraDetector(
            camera: camera.name, settings: detectorSettings(camera), substream: streams.substream, host: host,
            journal: journal, inbox: inbox)
        let tap = RingTap(
            ring: PacketRing(bounds: Self.ringBounds(policy), isKeeping: false), sound: RecordedSound())
        // Before its transports are restored, which may record at once.
        transports.pushers.tap(tap, of: camera.name)
        let shell = CameraShell(
            camera: camera.name,
            settings: CameraShell.Settings(
                sources: found.sources, addresses: addresses(camera), problems: found.problems,
                rotation: assignment.rotation, isMuted: assignment.isMuted, policy: recorded),
            tap: tap, storage: clips,
            dials: pool.dials, host: host, journal: journal, inbox: inbox, ledger: ledger.line(of: camera.name),
            streams: streams, detector: detector,
            transports: transports.feed(of: camera.name, zones: camera.zones.map(\.name)))
        shell.events.name(zones: camera.zones.map(\.name))
        shell.recorder.recordSound(kept.settings.recordedSound ?? true)
        let intent = Intent(
            enabled: kept.switches.enabled, policy: effective.policy,
            policyUntil: effective.untilUnixMs.map { now + ($0 - wall) }, privacy: kept.switches.privacy,
            connect: camera.reachable, storage: storage.report.storage)
        let actor = CameraActor(
            name: camera.name, intent: intent, timing: Timing(seed: Self.seed(camera.name)), shell: shell,
            inbox: inbox, journal: journal, steps: steps, clock: clock, queue: queue)
        let runtime = CameraRuntime(actor: actor, shell: shell, assignment: assignment, switches: kept.switches)
        follow(runtime, on: queue)
        return runtime
    }

    /// Joins a camera with its publishing points.
    private func follow(_ camera: CameraRuntime, on queue: any WorkQueue) {
        let (name, streams) = (camera.name, camera.shell.streams)
        for stream in StreamName.allCases {
            let point = pool.points.point(name, stream)
            point.follow(
                wake: { [weak camera, weak streams] in
                    // The sub-stream is dialled when somebody wants it, and only then.
                    guard stream == .main, let camera, streams?.isRecordable == true else { return false }
                    return Self.wake(camera)
                },
                tell: { [journal] in journal.tell($0, camera: name, stream: stream) })
            streams.onPrivacy(hidden: { _ in }, unrecorded: { [host] in point.clear(at: host.clock.now()) })
        }
        // What came while the link before was still being given up is not waited for until somebody pushes again. Behind the step, so
        // that why it was given up is known.
        let point = pool.points.point(name, .main)
        streams.onWaiting { [weak camera, host] in
            queue.run { [weak camera] in
                if let camera, point.wantsInput(at: host.clock.now()) { _ = Self.wake(camera) }
            }
        }
    }

    /// Dials a camera that waits for its next dial and pushes. Says whether what it pushes may wait: not where its configuration says
    /// otherwise by now, nor where it has sent more than it may, and waits longer for that.
    private static func wake(_ camera: CameraRuntime) -> Bool {
        let (configured, view) = (camera.assignment.camera, camera.actor.view)
        guard configured.main.isPushed else { return false }
        switch view.machine.link.phase {
        // Off for as long as its last link takes to be hung up, for another address or other settings.
        case .off: return view.machine.link.hangingUp != nil
        case .dialing, .synchronizing, .streaming: return true
        case .waiting: break
        }
        guard view.lastFailure != .budget else { return false }
        camera.actor.inbox.tell(.connect(configured.reachable))
        return true
    }

    /// Who may push to a camera, as its configuration says; nobody where that cannot be read. Blocking.
    private func keys(of camera: Configuration.Camera, _ loaded: LoadedConfiguration) -> [PublishingPoints.Key] {
        guard camera.isPushed else { return [] }
        var keys: [PublishingPoints.Key] = []
        do {
            let store = CredentialStore(references: loaded.configuration.credentials)
            if let login = try camera.credential.map(store.credential) {
                guard !login.password.isEmpty else {
                    journal.send(
                        .ingestKeysUnreadable, camera: camera.name,
                        fields: [(.detail, "the credential has no password, which everybody knows")])
                    return []
                }
                keys.append(.login(user: login.user, password: login.password))
            }
            if let file = camera.pushCertificatesFile {
                keys += try ClientCertificates.fingerprints(file: file).map { .certificate($0) }
            }
        } catch {
            journal.send(.ingestKeysUnreadable, camera: camera.name, fields: [(.detail, "\(error)")])
        }
        return keys
    }

    private func change(
        _ running: CameraRuntime, to camera: Configuration.Camera, _ policy: PolicyDocument,
        _ loaded: LoadedConfiguration,
        _ cause: ReloadCause
    ) -> [String] {
        let before = running.assignment
        var changed: [String] = []
        running.assign {
            $0.camera = camera
            $0.policy = policy
        }
        let rotation = running.assignment.rotation
        running.shell.detector.change(detectorSettings(camera))
        running.shell.streams.substream.change(substreamSettings(running.assignment, loaded))
        running.shell.events.name(zones: camera.zones.map(\.name))
        transports.name(zones: camera.zones.map(\.name), of: camera.name)
        let found = sources(camera.main, .main, camera, loaded)
        if found.sources != running.shell.settings.sources || found.problems != running.shell.settings.problems
            || camera.reachable != before.camera.reachable
        {
            running.shell.change {
                $0.sources = found.sources
                $0.problems = found.problems
                $0.addresses = addresses(camera)
            }
            running.actor.inbox.tell(.connect(camera.reachable))
            changed.append("camera \(camera.name) reached anew")
        }
        running.followAssignment()
        if rotation != before.rotation {
            changed.append("camera \(camera.name) is turned by \(camera.rotation.rawValue)°")
        }
        if policy.revision != before.policy.revision || policy.name != before.policy.name {
            tellPolicy(of: camera.name, from: before.policy, to: policy, cause)
            running.boundRing()
            changed.append("camera \(camera.name) follows policy \(policy.name) \(policy.revision)")
        }
        let zone = TimeZone(identifier: loaded.configuration.timeZone) ?? .current
        running.applySchedule(wallMs: clock.wallMs(), now: clock.now(), zone: zone, always: true)
        return changed
    }

    /// One line of the journal: which policy the camera follows now.
    private func tellPolicy(
        of camera: String, from old: PolicyDocument?, to new: PolicyDocument?, _ cause: ReloadCause
    ) {
        journal.send(
            .policyChanged, camera: camera,
            fields: [
                (.from, old.map { "\($0.name) \($0.revision)" } ?? "none"), (.to, new?.name ?? "none"),
                (.revision, new?.revision ?? "none"), cause.field,
            ])
    }

    /// The switches of a camera as they were last turned, those of the configuration where nobody has, and what was set for it.
    /// What cannot be read could be privacy, so the camera rests until somebody turns a switch.
    private func kept(of camera: Configuration.Camera) -> (switches: Switches, settings: CameraSettings) {
        var switches = Switches(enabled: camera.initiallyEnabled, privacy: Privacy())
        var settings = CameraSettings()
        do {
            for override in try catalog.overrides() where override.camera == camera.name {
                switches[override.key] = override.value
            }
            settings = CameraSettings(try catalog.settings(of: camera.name))
        } catch {
            switches.privacy.hard = true
            // Whoever switches privacy off has not said that what may have been set is to be recorded against.
            settings = .resting
            journal.send(
                .privacyOn, camera: camera.name,
                fields: [(.to, "hard"), (.why, "switches and settings cannot be read: \(error)")])
        }
        return (switches, settings)
    }

    /// How each endpoint is reached, and why one that has an address cannot be.
    private func sources(
        _ stream: Configuration.Camera.Addresses, _ name: StreamName, _ camera: Configuration.Camera,
        _ loaded: LoadedConfiguration
    ) -> (sources: [Endpoint: InputSource], problems: [Endpoint: String]) {
        var found: (sources: [Endpoint: InputSource], problems: [Endpoint: String]) = ([:], [:])
        let credentials = CredentialStore(references: loaded.configuration.credentials)
        for endpoint in Endpoint.allCases {
            guard let address = stream[endpoint] else { continue }
            do {
                let point = pool.points.point(camera.name, name)
                found.sources[endpoint] = try CameraSource.source(address, camera, credentials, point: point)
            } catch {
                found.problems[endpoint] = "\(error)"
            }
        }
        return found
    }

    /// How the camera's sub-stream is reached.
    private func substreamSettings(
        _ assignment: CameraRuntime.Assignment, _ loaded: LoadedConfiguration
    ) -> Substream.Settings {
        let camera = assignment.camera
        guard let found = camera.sub.map({ sources($0, .sub, camera, loaded) }) else { return Substream.Settings() }
        return Substream.Settings(
            sources: found.sources, problems: found.problems, rotation: assignment.rotation,
            isMuted: assignment.isMuted)
    }

    /// How the camera's video is looked at for motion.
    private func detectorSettings(_ camera: Configuration.Camera) -> CameraDetector.Settings {
        CameraDetector.Settings(
            // The demo's scene tells by itself what moves; its clock and flash would be noticed all the time.
            detection: Endpoint.allCases.contains { camera.main[$0] == .demo } ? .off : camera.detection,
            zones: MotionZones(
                zones: camera.zones.map { PicturePolygon($0.polygon) },
                masks: camera.masks.map { PicturePolygon($0.polygon) }))
    }

    private func addresses(_ camera: Configuration.Camera) -> [Endpoint: String] {
        var addresses: [Endpoint: String] = [:]
        for endpoint in Endpoint.allCases { addresses[endpoint] = camera.main[endpoint]?.redacted }
        return addresses
    }

    /// The ring holds the pre-roll, and beyond it what a slow disk or a slow opening makes wait. Of what is in a clip, with which no
    /// other begins, it holds `atLeastMs`, for transports.
    static func ringBounds(_ policy: PolicyDocument, atLeastMs: Int64 = 0) -> PacketRing.Bounds {
        let preRollMs = max(policy.recording.preRollMs, policy.schedule.compactMap(\.preRollMs).max() ?? 0)
        return PacketRing.Bounds(bytes: ringBytes, ms: max(preRollMs, atLeastMs), writtenMs: atLeastMs)
    }

    /// The most that one camera's ring may hold, in bytes: a minute of 8 Mbit/s. Reached only when the disk stalls or key
    /// frames are far apart; otherwise the pre-roll bounds it.
    static let ringBytes = 64 << 20

    /// FNV-1a of the camera's name: the same jitter in every run.
    private static func seed(_ name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension Configuration.Camera {
    /// What the connect mode comes to: an endpoint that has no address is not dialled.
    var reachable: DialOrder {
        switch connect {
        case .lanOnly: return .lan
        case .internetOnly: return .internet
        case .auto, .lan, .internet: break
        }
        if main[.internet] == nil { return .lan }
        if main[.lan] == nil { return .internet }
        return connect == .auto ? .auto : connect == .lan ? .lanFirst : .internetFirst
    }
}

extension CameraSettings {
    /// What the catalog has; a value that this version does not know is not set.
    init(_ kept: [CameraSetting]) {
        self.init()
        for setting in kept { if let key = Key(rawValue: setting.key) { try? set(key, setting.value) } }
    }
}

extension PicturePolygon {
    /// A polygon of the configuration.
    init(_ polygon: Polygon) {
        self.init(
            polygon.points.map {
                PicturePoint(x: Double($0.x) / Double(Point.frame), y: Double($0.y) / Double(Point.frame))
            })
    }
}
