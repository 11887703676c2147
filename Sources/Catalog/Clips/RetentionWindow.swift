public import Machines

/// What is stored, as far as retention needs to know it.
public struct RetentionWindow: Hashable, Sendable {
    /// Clips that may be deleted, oldest first.
    public internal(set) var clips: [RetentionPlan.Clip] = []
    /// The cameras of which more may be deleted than `clips` holds, each with how many of the first clips are older than all
    /// that is missing of it.
    public internal(set) var truncated: [String: Int] = [:]
    /// Bytes of all clips of each camera, as in ``Catalog/usage()``: an open clip counts from its close.
    public internal(set) var storedBytes: [String: Int64] = [:]
    /// Bytes of the clips of each camera that is not truncated which no rule may delete: they are protected, or wait for a
    /// verified upload.
    public internal(set) var protectedBytes: [String: Int64] = [:]
}
