/// What goes wrong with disk and network: the classes of docs/design/simulation.md, "Faults".
public enum Fault: String, CaseIterable, Hashable, Sendable {
    /// A call fails with EIO.
    case eio
    /// A call that needs room fails with ENOSPC.
    case enospc
    /// The same with EDQUOT, while the volume shows plenty of room.
    case edquot
    /// A call that changes something fails with EROFS.
    case erofs
    /// A write stores a part of its bytes, and then fails, or the process dies in it.
    case torn
    /// One step takes a minute, while others are done at once.
    case stall
    /// What a failed sync should have kept is lost at a power cut, whatever later syncs answer.
    case dropped
    /// A power cut loses unsynced blocks, and keeps others behind them.
    case reorder
    /// A power cut brings back names whose removal was not synced.
    case undone
    /// A sync answers as if done, and a power cut takes what it should have kept.
    case lie
    /// A camera sends many frames for each one.
    case flood
    /// The network delivers nothing for seconds, and then all of it at once.
    case netstall
}
