// The catalog of many cameras and a year, as the daemon would have left it, with the files of its last whole day.
//   bench-year ROOT CLIP [CAMERAS] [DAYS]
// CLIP is a folder with the track files of one clip of ten minutes; all clips have its frames, shorter ones its first. ROOT is
// made and must not exist. Prints one JSON object with what was made. bench/year.py runs it.
import Catalog
import Foundation
import Machines
import Media

let words = CommandLine.arguments.dropFirst()
guard words.count >= 2, let root = words.first, let folder = words.dropFirst().first else {
    print("usage: bench-year ROOT CLIP [CAMERAS] [DAYS]")
    exit(64)
}
let numbers = words.dropFirst(2).compactMap(Int.init)
let clock = ContinuousClock()
var site = YearSite(
    cameras: numbers.first ?? 64, days: numbers.dropFirst().first ?? 365,
    endMs: Int64(Date().timeIntervalSince1970 * 1_000), media: try SampleClip(folder: folder))
let began = clock.now
try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
let catalog = try Catalog(root: root)
try site.fill(catalog)
try catalog.close()
try site.link(below: root)
let counts = site.counts
print(
    """
    {"cameras": \(site.cameras), "days": \(site.days), "clips": \(counts.clips), "events": \(counts.events), \
    "labels": \(counts.labels), "files": \(counts.files), "dayMs": \(site.filedDayMs), \
    "firstMs": \(site.startMs), "indexedFromMs": \(site.indexedFromMs), "seconds": \((clock.now - began).components.seconds)}
    """)
