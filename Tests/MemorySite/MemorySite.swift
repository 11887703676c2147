internal import Machines
public import Server
internal import Synchronization

/// A small daemon in memory: two cameras, their clips, one policy. It keeps the promises of `Site` and refuses what a
/// real one would refuse.
public final class MemorySite: Site {
    struct Contents {
        var cameras: [String: CameraState]
        var clips: [ClipInfo]
        var events: [EventInfo]
        var policies: [String: PolicyText]
        var health: Health
        var versions: [PolicyVersion] = []
        var callers: [Caller] = []
        var notes: [AuditNote] = []
        var exportBreaksAfter: Int?
        var snapshots: [SnapshotSubject] = []
        var explained: [String] = []
        var explainer: Explainer?
        var messages: [MessageInfo] = MemorySite.messages
        /// Upload 1 is one of camera `front`.
        var uploads: [UploadInfo] = MemorySite.uploads
        /// Session 1 is one of camera `front`.
        var sessions: [String: SessionInfo] = [
            "1": SessionInfo(session: "1", camera: "front", by: "uid 0", phase: "idle", since: MemorySite.origin)
        ]
        var isEndless = false
        var viewers: [AsyncStream<LivePart>.Continuation] = []

        func states(in scope: CameraScope) -> [CameraState] {
            cameras.values.filter { scope.contains($0.camera) }.sorted { $0.camera < $1.camera }
        }
    }

    /// Answers in place of the world's own explanations.
    public struct Explainer: Sendable {
        let why: @Sendable (String, WallTime) throws -> WhyAnswer
        let simulate: @Sendable (SimulateRequest) throws -> [SimulateAnswer]
        let ladder: @Sendable (String, WallTime, WallTime, Bool) throws -> LadderAnswer

        /// Answers by these.
        public init(
            why: @escaping @Sendable (String, WallTime) throws -> WhyAnswer,
            simulate: @escaping @Sendable (SimulateRequest) throws -> [SimulateAnswer],
            ladder: @escaping @Sendable (String, WallTime, WallTime, Bool) throws -> LadderAnswer
        ) {
            self.why = why
            self.simulate = simulate
            self.ladder = ladder
        }
    }

    let contents: Mutex<Contents>
    /// What the world's journal tells; ended, so that every reader ends.
    public let feed: JournalFeed
    private let time: AccountTime
    /// The accounts of this world.
    public let accounts: Accounts

    /// The begin of the world's first clip.
    public static let origin = WallTime(ms: 1_795_255_200_000)
    /// Length of each of its clips, in milliseconds.
    public static let clipMs: Int64 = 20_000

    /// A world with `clips` chained clips of camera `front` and none of camera `back`.
    public init(clips: Int = 5) {
        feed = JournalFeed(run: "0f1a2b3c4d5e")
        for camera in ["front", "back", nil] {
            feed.add(
                JournalRecord(
                    time: Self.origin, kind: "linkLost", priority: "warning", camera: camera, message: "link lost",
                    fields: ["VIGIL_WHY": "silence"]))
        }
        feed.end()
        let time = AccountTime()
        self.time = time
        accounts = Accounts(wallMs: { time.ms }, steadyMs: { time.ms }) { time.tell($0) }
        contents = Mutex(
            Contents(
                cameras: ["front": Self.state("front"), "back": Self.state("back")],
                clips: (0..<Int64(clips)).map(Self.clip), events: (0..<Int64(clips)).map(Self.event),
                policies: ["shop": Self.policyText("name: shop\nrecording: { mode: continuous } # all day\n")],
                health: Health(ok: true, reason: "ok")))
    }

    /// Lets time pass for the accounts, which stands still else.
    public func pass(ms: Int64) { time.pass(ms) }

    /// What the accounts told, in order.
    public var accountEvents: [AccountEvent] { time.events }

    /// Who gave commands, in order.
    public var callers: [Caller] { contents.withLock { $0.callers } }

    /// Of what snapshots were asked for, in order.
    public var snapshots: [SnapshotSubject] { contents.withLock { $0.snapshots } }

    /// What was asked to be explained, in order.
    public var explained: [String] { contents.withLock { $0.explained } }

    /// Explains by `explainer` from now on.
    public func explain(by explainer: Explainer) { contents.withLock { $0.explainer = explainer } }

    /// Sets what `/healthz` tells.
    public func become(_ health: Health) { contents.withLock { $0.health = health } }

    /// Makes exports fail after so many chunks.
    public func breakExports(after chunks: Int) { contents.withLock { $0.exportBreaksAfter = chunks } }

    /// A connection to the camera was hung up and has not ended for so many milliseconds; nil: it has.
    public func hangUp(_ camera: String, overdueMs: Int64?) {
        contents.withLock { $0.cameras[camera]?.hangUpOverdueMs = overdueMs }
    }

    /// Somebody else changes the policy: the same text under another revision.
    public func touchPolicy(_ name: String) {
        contents.withLock { world in
            if let policy = world.policies[name] { world.policies[name] = Self.policyText(policy.text + "\n") }
        }
    }

    static func state(_ camera: String) -> CameraState {
        CameraState(
            camera: camera, link: "streaming", trigger: "quiet", recorder: "writing", coverage: .recorded,
            since: origin,
            why: "continuous mode of policy shop", enabled: true, privacy: Privacy(), policy: "shop", mode: .continuous,
            endpoint: .lan, clip: 7, ring: RingState(bytes: 2_500_000, durationMs: 5_000, limitBytes: 8_000_000))
    }

    static func clip(_ index: Int64) -> ClipInfo {
        let start = origin.ms + index * clipMs
        return ClipInfo(
            id: index + 1, camera: "front", start: WallTime(ms: start), end: WallTime(ms: start + clipMs),
            startedMonotonicMs: 60_000 + index * clipMs, bootId: "5a1f6d0e-6a0c-4c9e-8d4e-0f1a2b3c4d5e",
            cause: .continuous, ended: .length, chainedTo: index == 0 ? nil : index, policy: "shop",
            policyRevision: "r44", preRoll: PreRollInfo(promisedMs: 5_000, deliveredMs: 0, shortfall: .previousClip),
            tracks: [
                TrackInfo(
                    kind: .video, codec: "avc1.64001f", path: "/var/lib/vigil/front/\(index + 1).cmfv",
                    bytes: 10_000_000,
                    fragments: 10, durationMs: clipMs)
            ])
    }

    static func event(_ index: Int64) -> EventInfo {
        let start = origin.ms + index * clipMs + 1_000
        return EventInfo(
            id: index + 1, camera: "front", start: WallTime(ms: start), end: WallTime(ms: start + 12_000),
            startedMonotonicMs: 61_000 + index * clipMs, bootId: "5a1f6d0e-6a0c-4c9e-8d4e-0f1a2b3c4d5e",
            cause: .detection, ended: .quiet, clips: [index + 1])
    }

    static func policyText(_ text: String) -> PolicyText {
        PolicyText(
            name: "shop", revision: "r\(text.utf8.count)", path: "/etc/vigil/policies/shop.yaml", text: text,
            explanation: "Records around the clock.")
    }

    static func unknown(camera: String) -> SiteError {
        SiteError(
            .notFound, what: "camera \(camera)", why: "there is no such camera", remedy: "`vigil cameras` lists them")
    }
}
