public import Machines
public import Trace

/// Runs all machines of a kind again, each through each run of the daemon, as the records come.
public struct MachinesReplay<Machine: ReplayedMachine>: Sendable {
    private struct Key: Hashable, Sendable {
        let camera: String
        let run: String
    }

    /// One for each camera and run, in the order in which they were first met. A camera that was removed and added again
    /// within a run has one for each of its lives.
    public private(set) var replays: [MachineReplay<Machine>] = []
    private var places: [Key: Int] = [:]
    private var latest: [String: Int] = [:]

    /// Nothing read.
    public init() {}

    /// Every camera and run is clean.
    public var isClean: Bool { replays.allSatisfy(\.isClean) }

    /// Takes the next record, and says what came of it and which of ``replays`` took it.
    @discardableResult
    public mutating func take(_ record: TraceRecord) -> (verdict: MachineVerdict<Machine>, place: Int) {
        let place = place(of: record)
        return (replays[place].take(record), place)
    }

    private mutating func place(of record: TraceRecord) -> Int {
        let key = Key(camera: record.camera, run: record.run)
        if let place = places[key], record.seq != 1 || !replays[place].isOver(before: record) { return place }
        if let before = latest[record.camera] { replays[before].isSucceeded = true }
        replays.append(MachineReplay(from: record))
        places[key] = replays.count - 1
        latest[record.camera] = replays.count - 1
        return replays.count - 1
    }
}

/// The machines of all cameras, run again.
public typealias SiteReplay = MachinesReplay<Camera>

/// The machines of all viewers, run again.
public typealias ViewersReplay = MachinesReplay<Session>

/// The machines of all cloud subscriptions, run again.
public typealias PlansReplay = MachinesReplay<Subscription>

/// The machines of all uploads in hand, run again.
public typealias UploadsReplay = MachinesReplay<Upload>

/// The machines of all transports, run again.
public typealias TransportsReplay = MachinesReplay<PushTransport>
