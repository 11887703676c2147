import Machines

/// A track file as the planning of an export sees it. Times are on the clip's time line, in ticks of the file.
struct ExportSource {
    /// The longest time line of a clip, about half a year. With 32-bit timescales every time in ticks stays below 2^56, so
    /// that sums of a few cannot overflow whatever a file says.
    static let maxSeconds: Int64 = 1 << 24

    let path: String
    let scanned: ScannedTrack
    let configuration: CodecConfiguration

    init(path: String) throws(TrackFileError) {
        self.path = path
        scanned = try TrackScanner.scan(path: path)
        guard let configuration = scanned.configuration else {
            throw TrackFileError(.read, path, .malformed("its codec is not one that Vigil stores"))
        }
        self.configuration = configuration
        let limit = UInt64(Self.maxSeconds) * UInt64(scanned.index.timescale)
        guard scanned.index.entries.allSatisfy({ $0.endTime <= limit }) else {
            throw TrackFileError(.read, path, .malformed("its times are beyond half a year"))
        }
    }

    var timescale: UInt32 { scanned.index.timescale }

    /// Presentation of the first sample; decode times less the priming.
    var start: Int64 { Int64(clamping: scanned.index.entries.first?.decodeTime ?? 0) - priming }

    /// Where the last sample ends.
    var end: Int64 { Int64(clamping: scanned.index.entries.last?.endTime ?? 0) - priming }

    var priming: Int64 { Int64(scanned.index.primingTicks) }

    /// Milliseconds on the clip's time line in ticks.
    func ticks(_ ms: Int64) -> Int64 { Ticks.rescale(ms, from: 1000, to: timescale) }

    /// Gives every sample from fragment `first` on to `body`, fragment by fragment, with the place of each in the file and
    /// the decode time (less the priming) of the first, until `body` returns false.
    func walk(
        from first: Int,
        _ body: (_ samples: [SampleMetadata], _ positions: [UInt64], _ time: Int64) throws(TrackFileError) -> Bool
    ) throws(TrackFileError) {
        var walker = try TrackWalker(path: path)
        var number = 0
        while number < scanned.index.entries.count, let found = try walker.next() {
            defer { number += 1 }
            guard number >= first else { continue }
            let entry = scanned.index.entries[number]
            guard entry.offset == found.offset, entry.sampleCount == found.movie.samples.count else {
                throw TrackFileError(.read, path, .malformed("it changed while it was read"))
            }
            var positions: [UInt64] = []
            positions.reserveCapacity(found.movie.samples.count)
            for (index, run) in found.movie.runs.enumerated() {
                let isLast = index + 1 == found.movie.runs.count
                let end = isLast ? found.movie.samples.count : found.movie.runs[index + 1].firstSample
                var position = run.dataOffset
                for sample in found.movie.samples[run.firstSample..<end] {
                    positions.append(position)
                    position += UInt64(sample.size)
                }
            }
            let time = Int64(clamping: entry.decodeTime) - priming
            guard try body(found.movie.samples, positions, time) else { return }
        }
    }
}
