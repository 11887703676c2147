internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import Media
internal import Server

/// Makes the strips of small pictures of an hour: once, when the hour is over, and kept from then on; of the hour that goes on
/// at most every `freshMs`. Whoever asks for a strip that is being made waits for the same one.
actor Thumbnails {
    /// The distance of two pictures, in milliseconds.
    static let stepMs: Int64 = 15_000
    /// How long the strip of an hour that goes on is as good as new, in milliseconds.
    static let freshMs: Int64 = 15_000
    /// How many of them are kept in memory.
    static let recentMax = 16
    /// How long after its end an hour is over for certain, in milliseconds.
    static let settledMs: Int64 = 60_000

    /// An hour of a camera.
    struct Key: Hashable, Sendable {
        let camera: String
        let hour: Int64

        var fromMs: Int64 { hour * 3_600_000 }
        var toMs: Int64 { fromMs + 3_600_000 }
    }

    private let lookup: ClipLookup
    private let holds: ClipHolds
    private let store: ThumbnailStore
    private let clock: any Clocks
    private var making: [Key: Task<ThumbnailStrip?, any Error>] = [:]
    private var recent: [Key: (strip: ThumbnailStrip, madeAt: Instant)] = [:]

    init(lookup: ClipLookup, holds: ClipHolds, clock: any Clocks) {
        self.lookup = lookup
        self.holds = holds
        self.clock = clock
        store = ThumbnailStore(catalog: lookup.catalog)
    }

    /// The strip of an hour; nil where nothing of it was recorded, or can be shown.
    func strip(_ key: Key) async throws -> ThumbnailStrip? {
        if let made = recent[key], clock.now() - made.madeAt < Self.freshMs { return made.strip }
        if let task = making[key] { return try await task.value }
        let (lookup, holds, store, now) = (lookup, holds, store, clock.wallMs())
        let task = Task {
            try await Blocking.thumbnails.run { try Self.strip(key, lookup, holds, store, nowMs: now) }
        }
        making[key] = task
        defer { making[key] = nil }
        let strip = try await task.value
        recent[key] = nil
        if let strip, !strip.map.complete {
            recent[key] = (strip, clock.now())
            if recent.count > Self.recentMax, let oldest = recent.min(by: { $0.value.madeAt < $1.value.madeAt }) {
                recent[oldest.key] = nil
            }
        }
        return strip
    }

    // MARK: Blocking

    private static func strip(
        _ key: Key, _ lookup: ClipLookup, _ holds: ClipHolds, _ store: ThumbnailStore, nowMs: Int64
    ) throws -> ThumbnailStrip? {
        let clips = try clips(key, lookup)
        let ids = clips.map(\.id.rawValue)
        if let data = store.read(camera: key.camera, hour: key.hour), let kept = ThumbnailStrip(data) {
            // Of clips that were deleted nothing is shown any more.
            if kept.map.clips == ids, kept.map.camera == key.camera { return kept }
        }
        let hold: ClipHolds.Hold
        do { hold = try holds.hold(clips.map(\.id)) } catch { return nil }
        defer { withExtendedLifetime(hold) {} }
        var frames: [ThumbnailSheet.KeyFrame] = []
        for (number, clip) in clips.enumerated() {
            guard let files = try? lookup.files(of: clip) else { continue }
            let found = ThumbnailSheet.keyFrames(
                of: files, clip: number, startMs: clip.zeroWallMs(of: files), fromMs: key.fromMs,
                toMs: key.toMs, stepMs: stepMs)
            // Many short clips do not make more pictures than one long one.
            for frame in found where frames.last.map({ $0.step(key) != frame.step(key) }) ?? true {
                frames.append(frame)
            }
        }
        guard let sheet = ThumbnailSheet(of: frames) else { return nil }
        let isOver = nowMs >= key.toMs + settledMs && clips.allSatisfy { $0.state == .closed }
        let strip = ThumbnailStrip(
            map: ThumbnailMap(
                camera: key.camera, from: WallTime(ms: key.fromMs), to: WallTime(ms: key.toMs), stepMs: stepMs,
                complete: isOver, width: sheet.width, height: sheet.height,
                tiles: sheet.tiles.map { .init(at: WallTime(ms: $0.wallMs), x: $0.x, y: $0.y) }, clips: ids),
            jpeg: sheet.jpeg)
        if isOver, let data = strip.data { try? store.keep(data, camera: key.camera, hour: key.hour) }
        // The rule that frees room waits for nobody.
        if try self.clips(key, lookup).map(\.id.rawValue) != ids, isOver {
            store.drop(camera: key.camera, hour: key.hour)
            return nil
        }
        return strip
    }

    private static func clips(_ key: Key, _ lookup: ClipLookup) throws -> [Clip] {
        try lookup.catalog.clips(
            ClipQuery(
                camera: key.camera, fromWallMs: key.fromMs, toWallMs: key.toMs, limit: ClipQuery.limitMax,
                includingOpen: true))
    }
}

extension Blocking {
    /// Makes strips of small pictures, one at a time: some hundred key frames each.
    static let thumbnails = Blocking(
        "vigil.thumbnails", "strips of small pictures", runningMax: thumbnailsMax, waitingMax: 32, qos: .utility)
    /// Decodes pictures of a moment.
    static let pictures = Blocking(
        "vigil.pictures", "pictures", runningMax: picturesMax, waitingMax: 32, qos: .utility)
    /// How many of each are made at once; each has a decoder.
    static let (thumbnailsMax, picturesMax) = (1, 2)
}

extension ThumbnailSheet.KeyFrame {
    /// Which picture of the hour it would be.
    fileprivate func step(_ key: Thumbnails.Key) -> Int64 { (wallMs - key.fromMs) / Thumbnails.stepMs }
}

extension ThumbnailStrip {
    /// As it is kept: the length of the map in eight digits, the map, the picture.
    fileprivate var data: Data? {
        guard let map = try? JSONEncoder().encode(map), map.count < 10_000_000 else { return nil }
        let digits = String(map.count + 100_000_000).dropFirst()
        return Data(digits.utf8) + map + Data(jpeg)
    }

    /// Reads what was kept; nil for anything else.
    fileprivate init?(_ data: Data) {
        guard let count = Int(String(decoding: data.prefix(8), as: UTF8.self)), (2..<10_000_000).contains(count),
            data.count > 8 + count,
            let map = try? JSONDecoder().decode(ThumbnailMap.self, from: data.dropFirst(8).prefix(count))
        else { return nil }
        let jpeg = [UInt8](data.dropFirst(8 + count))
        guard jpeg.starts(with: [0xFF, 0xD8]), jpeg.suffix(2) == [0xFF, 0xD9] else { return nil }
        self.init(map: map, jpeg: jpeg)
    }
}
