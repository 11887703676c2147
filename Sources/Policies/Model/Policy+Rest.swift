public import Machines

extension Policy {
    /// How long a detector that has rested may take until it is certain again, in milliseconds.
    private static let certainMs: Int64 = 600
    /// The longest rest of any detector, in milliseconds: two of them fit into the augmentation that is usual, 5 s.
    private static let restMsMax: Int64 = 2_200

    /// For how long a detector that is certain of movement may rest until it looks again, in milliseconds, 0…2200. In event mode
    /// what goes on moving is one event (T2) only if it is told at least once in each time by which that is prolonged, be it that
    /// the least sensitivity notices nothing of it after one of two rests.
    public var restMs: Int64 {
        guard mode == .event, timeControl.augmentationMs > 0 else { return Self.restMsMax }
        return max(0, min((timeControl.augmentationMs - Self.certainMs) / 2, Self.restMsMax))
    }
}
