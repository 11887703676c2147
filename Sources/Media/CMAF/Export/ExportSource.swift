import Machines

/// A track file as the planning of an export sees it. Times are on the clip's time line, in ticks of the file; `TrackReader`
/// has checked that sums of a few of them cannot overflow.
struct ExportSource {
    let reader: TrackReader
    let configuration: CodecConfiguration

    init(_ reader: TrackReader) throws(TrackFileError) {
        self.reader = reader
        guard let configuration = reader.configuration else {
            throw TrackFileError(.read, reader.track.path, .malformed("its codec is not one that Vigil stores"))
        }
        self.configuration = configuration
    }

    var path: String { reader.track.path }
    var rotation: PictureRotation { reader.rotation }
    var timescale: UInt32 { reader.index.timescale }

    /// Presentation of the first sample; decode times less the priming.
    var start: Int64 { time(of: 0) }

    /// Where the last sample ends.
    var end: Int64 { reader.ticks(of: reader.fragments - 1)?.upperBound ?? 0 }

    /// Where a fragment begins.
    func time(of fragment: Int) -> Int64 { reader.ticks(of: fragment)?.lowerBound ?? 0 }

    /// Milliseconds on the clip's time line in ticks.
    func ticks(_ ms: Int64) -> Int64 { Ticks.rescale(ms, from: 1000, to: timescale) }

    /// Gives the samples from fragment `first` on to `body`, fragment by fragment, until it returns false.
    func walk(
        from first: Int, _ body: ([FragmentSamples.Sample]) throws(TrackFileError) -> Bool
    ) throws(TrackFileError) {
        for fragment in first..<max(first, reader.fragments) {
            guard try body(reader.samples(of: fragment).samples) else { return }
        }
    }
}
