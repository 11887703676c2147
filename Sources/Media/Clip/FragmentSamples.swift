/// The samples of one fragment, and where each lies in the file. At most `ParsedFragment.maxSamples`.
public struct FragmentSamples: Hashable, Sendable {
    /// One sample.
    public struct Sample: Hashable, Sendable {
        /// Size, duration, composition offset, and whether decoding can begin here.
        public let metadata: SampleMetadata
        /// Where its data begins in the file.
        public let offset: UInt64
        /// Its decode time on the clip's time line, in ticks.
        let decodeTicks: Int64

        /// When it is presented on the clip's time line, in ticks.
        var presentationTicks: Int64 { decodeTicks &+ Int64(metadata.compositionOffsetTicks) }
        /// Where its data lies in the file.
        public var bytes: Range<UInt64> { offset..<offset + UInt64(metadata.size) }
    }

    /// The samples in decoding order; at least one.
    let samples: [Sample]

    /// Of a fragment whose runs were found to lie inside of its `mdat`, so no sum of an offset and a size can overflow.
    init(_ found: TrackWalker.Found, entry: FragmentIndex.Entry, priming: UInt32) {
        var samples: [Sample] = []
        samples.reserveCapacity(found.movie.samples.count)
        var time = Int64(clamping: entry.decodeTime) - Int64(priming)
        let runs = found.movie.runs
        for (number, run) in runs.enumerated() {
            let end = number + 1 < runs.count ? runs[number + 1].firstSample : found.movie.samples.count
            var offset = run.dataOffset
            for metadata in found.movie.samples[run.firstSample..<end] {
                samples.append(Sample(metadata: metadata, offset: offset, decodeTicks: time))
                offset += UInt64(metadata.size)
                time += Int64(metadata.durationTicks)
            }
        }
        self.samples = samples
    }
}
