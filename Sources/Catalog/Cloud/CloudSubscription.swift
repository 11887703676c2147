import GRDB

/// What is kept of a camera's subscription, by wall time: instants of a machine belong to one boot.
public struct CloudSubscription: Hashable, Sendable {
    /// The plan that was last known.
    public enum Plan: Hashable, Sendable {
        /// There is none.
        case none
        /// Clips may be uploaded until then, UTC epoch milliseconds.
        case active(untilWallMs: Int64)
        /// It ended; when, if that is known, UTC epoch milliseconds.
        case expired(atWallMs: Int64?)
    }

    /// When what is stored is over.
    public enum Gone: Hashable, Sendable {
        /// Not known: the plan covers it, or nothing was ever stored without one.
        case unknown
        /// At this time, UTC epoch milliseconds.
        case at(wallMs: Int64)
        /// It is over.
        case over
    }

    /// Name of the camera.
    public var camera: String
    /// The plan that was last known.
    public var plan: Plan
    /// When what is stored is over.
    public var gone: Gone
    /// How long what is stored outlives its plan, in milliseconds.
    public var retentionMs: Int64
    /// The one of six states that was reported last: `Subscription.Report`'s word.
    public var state: String
    /// What the provider calls the plan.
    public var planName: String?
    /// Where the provider lets people manage it.
    public var manageURL: String?
    /// When the provider answered last, UTC epoch milliseconds; nil: never.
    public var loadedWallMs: Int64?
    /// Why the last load failed, in words; nil if it did not.
    public var failure: String?

    /// A subscription.
    public init(
        camera: String, plan: Plan, gone: Gone = .unknown, retentionMs: Int64, state: String, planName: String? = nil,
        manageURL: String? = nil, loadedWallMs: Int64? = nil, failure: String? = nil
    ) {
        self.camera = camera
        self.plan = plan
        self.gone = gone
        self.retentionMs = retentionMs
        self.state = state
        self.planName = planName
        self.manageURL = manageURL
        self.loadedWallMs = loadedWallMs
        self.failure = failure
    }
}

extension Catalog {
    /// Keeps what a subscription has become. Durable when it returns; from then on its plan says whether guarded clips of the
    /// camera wait.
    public func saveSubscription(_ subscription: CloudSubscription) throws(CatalogError) {
        let (plan, until) = subscription.plan.columns
        let (gone, at) = subscription.gone.columns
        try write(.write) { db in
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO cloud_subscription (camera, plan, until_wall_ms, gone, gone_wall_ms, retention_ms,
                        state, plan_name, manage_url, loaded_wall_ms, failure)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                subscription.camera, plan, until, gone, at, max(subscription.retentionMs, 0), subscription.state,
                subscription.planName, subscription.manageURL, subscription.loadedWallMs, subscription.failure,
            ])
        }
    }

    /// What was kept of every camera's subscription, by name.
    public func subscriptions() throws(CatalogError) -> [CloudSubscription] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT camera, plan, until_wall_ms, gone, gone_wall_ms, retention_ms, state, plan_name, manage_url,
                        loaded_wall_ms, failure FROM cloud_subscription ORDER BY camera
                    """
            ).map { row in
                try CloudSubscription(
                    camera: row.value(0), plan: .init(row.value(1), row.value(2)),
                    gone: .init(row.value(3), row.value(4)),
                    retentionMs: row.value(5), state: row.value(6), planName: row.value(7), manageURL: row.value(8),
                    loadedWallMs: row.value(9), failure: row.value(10))
            }
        }
    }
}

extension CloudSubscription.Plan {
    fileprivate var columns: (plan: String, untilWallMs: Int64?) {
        switch self {
        case .none: ("none", nil)
        case .active(let until): ("active", until)
        case .expired(let at): ("expired", at)
        }
    }

    fileprivate init(_ plan: String, _ untilWallMs: Int64?) throws {
        switch (plan, untilWallMs) {
        case ("none", _): self = .none
        case ("active", let until?): self = .active(untilWallMs: until)
        case ("expired", let at): self = .expired(atWallMs: at)
        default: throw ClipRows.damage(Self.self, plan)
        }
    }
}

extension CloudSubscription.Gone {
    fileprivate var columns: (gone: String, wallMs: Int64?) {
        switch self {
        case .unknown: ("unknown", nil)
        case .at(let wallMs): ("at", wallMs)
        case .over: ("over", nil)
        }
    }

    fileprivate init(_ gone: String, _ wallMs: Int64?) throws {
        switch (gone, wallMs) {
        case ("unknown", _): self = .unknown
        case ("at", let wallMs?): self = .at(wallMs: wallMs)
        case ("over", _): self = .over
        default: throw ClipRows.damage(Self.self, gone)
        }
    }
}
