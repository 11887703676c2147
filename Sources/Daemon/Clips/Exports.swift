/// What exports need besides the catalog: places, since each reads from the disk that records, and queues to work on.
struct Exports: Sendable {
    /// Places for exports. Each takes a thread, two open files, and the memory of `ExportPlan` and `ClipMovie`.
    let places = Places("this export", "are under way", most: Exports.placesMost, ofUserMost: 3)
    /// How many there are.
    static let placesMost = 4
    /// Keeps the clips that are read from being deleted.
    let holds: ClipHolds
    /// Makes the queue on which one export works.
    let newQueue: @Sendable () -> any WorkQueue
}
