import Catalog
import Foundation
import Machines
import RandomSource

/// A site of many cameras over many days. Three of four cameras record continuously in clips of ten minutes, every fourth its
/// events only. Each has some thirty events a day, most of them in daylight, and loses its link about once a day.
struct YearSite {
    static let clipMs: Int64 = 600_000
    static let dayMs: Int64 = 86_400_000
    /// Of so many last days the catalog has whole indexes; of those before, heads of them.
    static let indexedDays: Int64 = 31

    /// What was made.
    struct Counts {
        var clips = 0
        var events = 0
        var labels = 0
        var files = 0
    }

    let cameras: Int
    let days: Int
    let media: SampleClip
    /// The first moment, UTC epoch milliseconds.
    let startMs: Int64
    /// The last one.
    let endMs: Int64
    private(set) var counts = Counts()
    private var dice = SeededGenerator(seed: 1)
    /// The files that are to be links to those of the sample.
    private var places: [(sample: String, path: String)] = []
    /// For each camera until when its link is lost.
    private var lostUntil: [Int64]

    init(cameras: Int, days: Int, endMs: Int64, media: SampleClip) {
        self.cameras = cameras
        self.days = days
        self.media = media
        self.endMs = endMs / Self.clipMs * Self.clipMs
        startMs = self.endMs / Self.dayMs * Self.dayMs - Int64(days) * Self.dayMs
        lostUntil = Array(repeating: 0, count: cameras)
    }

    /// The begin of the day of which there are files.
    var filedDayMs: Int64 { endMs / Self.dayMs * Self.dayMs - Self.dayMs }
    /// The begin of the days with whole indexes.
    var indexedFromMs: Int64 { max(startMs, filedDayMs - (Self.indexedDays - 1) * Self.dayMs) }

    /// Makes the rows, all cameras side by side in the order of time, as they would have come.
    mutating func fill(_ catalog: Catalog) throws {
        try CatalogBatch.quickly(catalog) {
            var slot = startMs
            while slot < endMs {
                let until = min(slot + 24 * Self.clipMs, endMs)
                try CatalogBatch.write(catalog) { batch in
                    for begin in stride(from: slot, to: until, by: Int64.Stride(Self.clipMs)) {
                        for camera in 0..<cameras { try record(camera, begin, batch) }
                    }
                }
                slot = until
            }
        }
    }

    /// Makes the links. The files of all cameras are the same ones.
    mutating func link(below root: String) throws {
        for (sample, path) in places {
            let place = root + "/" + path
            try FileManager.default.createDirectory(
                atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try FileManager.default.linkItem(atPath: sample, toPath: place)
        }
        counts.files = places.count
    }

    /// Ten minutes of a camera.
    private mutating func record(_ camera: Int, _ slot: Int64, _ batch: CatalogBatch) throws {
        var begin = slot + Int64(camera) * 7
        let next = begin + Self.clipMs
        if slot == startMs { try label(camera, camera % 4 == 3 ? .idle : .recorded, begin, batch) }
        if lostUntil[camera] > begin {
            guard lostUntil[camera] < next - 60_000 else { return }
            begin = lostUntil[camera]
            try label(camera, camera % 4 == 3 ? .idle : .recorded, begin, batch)
        }
        var end = next
        let isLost = chance(in: 144)
        if isLost {
            end -= 30_000 + below(300_000)
            guard end > begin + 60_000 else { return }
        }
        if camera % 4 != 3 {
            try clip(camera, begin, end, nil, isLost ? .linkLost : .length, batch)
        }
        let hour = slot % Self.dayMs / 3_600_000
        if chance(in: (6..<20).contains(hour) ? 3 : 10) { try event(camera, begin, end, batch) }
        if isLost {
            try label(camera, .linkLost, end, batch)
            lostUntil[camera] = end + 5_000 + below(1_200_000)
        }
    }

    /// An event of ten seconds to a minute between two moments.
    private mutating func event(_ camera: Int, _ begin: Int64, _ end: Int64, _ batch: CatalogBatch) throws {
        let length = min(10_000 + below(50_000), end - begin - 15_000)
        let start = begin + 10_000 + below(end - begin - 10_000 - length)
        let cause = chance(in: 20) ? "command" : "detection"
        let level: Sensitivity? = cause == "command" ? nil : [.low, .medium, .high][Int(below(3))]
        let zones = [["drive"], ["drive", "door"], ["gate"], []][Int(below(4))]
        let at = moment(start)
        let id = try batch.add(
            NewEvent(camera: name(camera), bootID: bootID(start), began: at, cause: cause, level: level),
            end: moment(start + length), why: .quiet,
            EventDetail(
                detections: Int(length / 1_000), zones: zones,
                pictureMonotonicMs: at.monotonicMs + length / 2),
            isSeen: start < endMs - Self.dayMs && !chance(in: 50))
        counts.events += 1
        if chance(in: 3) {
            try batch.add(
                bootID: bootID(start),
                [
                    SuppressedRun(
                        camera: name(camera), event: id, first: moment(start + length),
                        lastWallMs: start + length + 900,
                        count: 3, level: .medium, why: .blind)
                ])
        }
        guard camera % 4 == 3 else { return }
        try clip(camera, start - 5_000, start + length, id, .quiet, batch)
        try label(camera, .recorded, start - 5_000, batch)
        try label(camera, .idle, start + length, batch)
    }

    private mutating func clip(
        _ camera: Int, _ begin: Int64, _ end: Int64, _ event: EventID?, _ ended: ClipEnd, _ batch: CatalogBatch
    ) throws {
        guard let paths = ClipPaths(camera: name(camera), startWallMs: begin, token: "y") else { return }
        let ms = min(end - begin, media.durationMs)
        let isFiled = (filedDayMs..<filedDayMs + Self.dayMs).contains(begin)
        if isFiled { places += media.tracks.map { ($0.path, paths.path($0.kind)) } }
        counts.clips += 1
        try batch.add(
            NewClip(
                camera: name(camera), bootID: bootID(begin), start: moment(begin),
                cause: event == nil ? .continuous : .detection, event: event, policy: event == nil ? "all" : "events",
                policyRevision: "sha256:7b0c", mediaClass: event == nil ? .continuous : .event,
                preRollPromisedMs: event == nil ? 0 : 5_000, preRollDeliveredMs: event == nil ? 0 : 5_000),
            ClosedClip(
                end: moment(begin + ms), ended: ended,
                tracks: media.scans(ms: ms, isIndexed: begin >= indexedFromMs)),
            tracks: media.tracks.map { NewTrack(kind: $0.kind, codec: $0.codec, path: paths.path($0.kind)) })
    }

    private mutating func label(_ camera: Int, _ label: Coverage, _ ms: Int64, _ batch: CatalogBatch) throws {
        counts.labels += 1
        try batch.add(bootID: bootID(ms), [CoverageChange(camera: name(camera), from: moment(ms), label: label)])
    }

    /// A number from 0 to below `bound`.
    private mutating func below(_ bound: Int64) -> Int64 { Int64.random(in: 0..<bound, using: &dice) }

    private mutating func chance(in turns: Int64) -> Bool { below(turns) == 0 }

    private func name(_ camera: Int) -> String { "cam" + camera.padded(to: 2) }

    /// The machine was booted at the begin and then each thirty days.
    private func bootID(_ ms: Int64) -> String {
        "4f1c2d3e4f5a6b7c8d9e0f1a2b3c" + String(10_000 + boot(ms)).dropFirst()
    }

    private func boot(_ ms: Int64) -> Int64 { (ms - startMs) / (30 * Self.dayMs) }

    private func moment(_ ms: Int64) -> Moment {
        Moment(monotonicMs: ms - startMs - boot(ms) * 30 * Self.dayMs + 10_000, wallMs: ms)
    }
}
