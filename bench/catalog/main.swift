// How fast a large catalog opens and answers: five million clips of 64 cameras unless another number is named.
//   bench-catalog [CLIPS] [FOLDER]
// The catalog is made first (minutes, about 2 kB a clip) in FOLDER and stays there for the next run if it was named. Prints for each
// operation the rows and the median and the slowest of 21 runs in milliseconds; the first of them has a cold cache of its own.
import Catalog
import Foundation

let clips = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 5_000_000
let named = CommandLine.arguments.dropFirst(2).first
let folder = named ?? NSTemporaryDirectory() + "vigil-bench-catalog"
let plan = CatalogFill.Plan(cameras: 64, clipsPerCamera: clips / 64)
let clock = ContinuousClock()

func milliseconds(_ work: () throws -> Int) rethrows -> (rows: Int, ms: Double) {
    var rows = 0
    let (seconds, attoseconds) = try clock.measure { rows = try work() }.components
    return (rows, Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
}

func report(_ name: String, _ work: () throws -> Int) rethrows {
    var times: [Double] = []
    var rows = 0
    for _ in 0..<21 {
        let run = try milliseconds(work)
        rows = run.rows
        times.append(run.ms)
    }
    let first = times[0]
    times.sort()
    print(
        "\(name): \(rows) rows, median \(String(format: "%.2f", times[10])) ms, "
            + "slowest \(String(format: "%.2f", times[20])) ms, first \(String(format: "%.2f", first)) ms")
}

try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
let isMade = FileManager.default.fileExists(atPath: folder + "/made-\(clips)")
if !isMade {
    let catalog = try Catalog(root: folder)
    let made = try milliseconds {
        try CatalogFill.fill(catalog, plan)
        return clips
    }
    try catalog.close()
    _ = FileManager.default.createFile(atPath: folder + "/made-\(clips)", contents: nil)
    print("made \(clips) clips in \(Int(made.ms / 1_000)) s")
}
try report("open") {
    let catalog = try Catalog(root: folder)
    try catalog.close()
    return 1
}
let catalog = try Catalog(root: folder)
let day: Int64 = 86_400_000
let middle = plan.startWallMs + Int64(plan.clipsPerCamera / 2) * plan.clipMs
let camera = CatalogFill.camera(7)
try report("a camera's day, time line") {
    try catalog.timeline(camera: camera, fromWallMs: middle, toWallMs: middle + day).count
}
try report("a camera's month, time line") {
    try catalog.timeline(camera: camera, fromWallMs: middle, toWallMs: middle + 30 * day).count
}
try report("the site's day, time lines") {
    try catalog.timelines(fromWallMs: middle, toWallMs: middle + day).values.reduce(0) { $0 + $1.count }
}
try report("a camera's day, whole clips with tracks") {
    try catalog.clips(ClipQuery(camera: camera, fromWallMs: middle, toWallMs: middle + day)).count
}
try report("a camera's month, first page of 1000 whole clips") {
    try catalog.clips(ClipQuery(camera: camera, fromWallMs: middle, toWallMs: middle + 30 * day)).count
}
try report("totals of all cameras") { try catalog.usage().count }
try catalog.close()
if named == nil { try FileManager.default.removeItem(atPath: folder) }
