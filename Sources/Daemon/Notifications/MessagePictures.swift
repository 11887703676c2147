internal import Catalog
internal import Journal
internal import Machines
internal import Server

/// The pictures of events that messages carry. Each is made once for all receivers, and the latest are kept for those that are sent
/// it again.
actor MessagePictures {
    /// The longest picture that is sent, in bytes, and its width in pixels.
    static let (bytesMax, width) = (256 << 10, 640)
    /// How many are kept.
    static let keptMax = 8
    /// For how long after its event a picture is waited for, in milliseconds, and how often it is looked for.
    static let (waitMs, lookMs): (Int64, Int64) = (15_000, 500)

    private struct Key: Hashable {
        let event: EventID
        let kind: NotificationKind
    }

    /// A picture that is made or was; nil: it is too long to be sent.
    private typealias Made = Task<[UInt8]?, any Error>

    private let clock: any Clocks
    private let make: @Sendable (EventID) throws -> [UInt8]
    /// The newest last.
    private var made: [(key: Key, picture: Made)] = []

    /// Pictures that `make` makes, on a thread that may block; it throws `SiteError`.
    init(clock: any Clocks, _ make: @escaping @Sendable (EventID) throws -> [UInt8]) {
        self.clock = clock
        self.make = make
    }

    /// The picture for a message about an event, as soon as one is written; nil where none comes in time, or it is too long.
    func jpeg(of event: EventID, _ kind: NotificationKind, atWallMs: Int64) async -> [UInt8]? {
        // Whoever stops cancels first: nothing begins to wait afterwards.
        if Task.isCancelled { return nil }
        let key = Key(event: event, kind: kind)
        if let known = made.first(where: { $0.key == key }) { return try? await known.picture.value }
        // The wall clock may be set meanwhile, or have been: never is more than the wait left.
        let left = max(0, Self.waitMs - max(0, clock.wallMs() - atWallMs))
        let picture = Made { [until = clock.now() + left] in try await self.picture(of: event, until: until) }
        made.append((key, picture))
        made.removeFirst(max(0, made.count - Self.keptMax))
        do { return try await picture.value } catch {
            made.removeAll { $0.picture == picture }
            return nil
        }
    }

    /// Gives up what is still being waited for.
    func stop() {
        for one in made { one.picture.cancel() }
        made = []
    }

    private nonisolated func picture(of event: EventID, until: Instant) async throws -> [UInt8]? {
        while true {
            do {
                let jpeg = try await Blocking.pictures.run { [make] in try make(event) }
                return jpeg.count <= Self.bytesMax ? jpeg : nil
            } catch let error as SiteError where [.conflict, .notFound, .unavailable].contains(error.kind) {
                // Its clip is about to be opened, nothing of it is written yet, or too many pictures are being made.
                if clock.now() >= until { throw error }
            }
            try await Task.sleep(for: .milliseconds(Self.lookMs))
        }
    }
}
