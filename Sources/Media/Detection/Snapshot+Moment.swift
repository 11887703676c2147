import CLibav
import Machines

extension Snapshot {
    /// The most frames that are decoded for one picture: a minute of 25 a second.
    static let framesMax = 1_500
    /// The longest that decoding may take for one picture, in seconds.
    static let decodingMax = 5.0

    /// Of the frame of a clip that is shown at `ms` of its time line: decoded from the key frame before it on. At the end of
    /// the clip its last frame; before its begin its first one.
    public init(
        of files: ClipFiles, shownAtMs ms: Int64, options: SnapshotOptions = SnapshotOptions()
    ) throws(SnapshotError) {
        do {
            guard let reader = try ClipReader(files, only: .video).video, let configuration = reader.configuration
            else { throw SnapshotError.noKeyFrame }
            let wish = Ticks.rescale(ms, from: 1_000, to: reader.index.timescale)
            let run = try Run(reader, shownAt: wish)
            jpeg = try run.decoded(reader, configuration, options)
            pts = run.target.presentationTicks
        } catch let error as TrackFileError {
            throw .file(error)
        } catch {
            throw error as? SnapshotError ?? .undecodable
        }
    }

    /// When it is shown, in milliseconds of a time line of which a second has so many ticks.
    public func milliseconds(timescale: UInt32) -> Int64 { Ticks.rescale(pts, from: timescale, to: 1_000) }

    /// The frames that have to be decoded, in decoding order; the last of them is the one that is wanted.
    private struct Run {
        let samples: [FragmentSamples.Sample]
        let target: FragmentSamples.Sample

        init(_ reader: TrackReader, shownAt wish: Int64) throws {
            var key = reader.keyFragment(atOrBefore: wish) ?? 0
            var found = try Self.find(reader, from: key, shownAt: wish)
            // A frame before its key frame in time needs the group before.
            if found.target.presentationTicks < found.samples[0].presentationTicks, key > 0 {
                key = reader.index.entries[..<key].lastIndex(where: \.startsWithKey) ?? 0
                found = try Self.find(reader, from: key, shownAt: wish)
            }
            self = found
        }

        private init(samples: [FragmentSamples.Sample], target: FragmentSamples.Sample) {
            self.samples = samples
            self.target = target
        }

        private static func find(_ reader: TrackReader, from key: Int, shownAt wish: Int64) throws -> Run {
            // Frames are shown at most so long after they are decoded.
            let reordered = Int64(reader.index.timescale)
            var samples: [FragmentSamples.Sample] = []
            for fragment in key..<reader.fragments {
                guard let time = reader.ticks(of: fragment)?.lowerBound, time <= wish &+ reordered || samples.isEmpty
                else { break }
                samples += try reader.samples(of: fragment).samples
                guard samples.count <= framesMax else { break }
            }
            var best: Int?
            for (number, sample) in samples.prefix(framesMax).enumerated() where sample.presentationTicks <= wish {
                if best.map({ samples[$0].presentationTicks < sample.presentationTicks }) ?? true { best = number }
            }
            guard !samples.isEmpty else { throw SnapshotError.noKeyFrame }
            // What is wanted may lie behind all that is decoded.
            if samples.count > framesMax, samples[framesMax - 1].presentationTicks <= wish {
                throw SnapshotError.tooLong
            }
            let number = best ?? 0
            return Run(samples: Array(samples[...number]), target: samples[number])
        }

        /// The wanted frame as JPEG.
        func decoded(
            _ reader: TrackReader, _ configuration: CodecConfiguration, _ options: SnapshotOptions
        ) throws -> [UInt8] {
            guard let decoder = VideoDecoder(configuration, fast: false) else {
                guard let need = DecoderNeed(configuration), !need.isAllowed else { throw SnapshotError.undecodable }
                throw SnapshotError.tooLarge(need)
            }
            let wanted = target.presentationTicks
            var jpeg: [UInt8]?
            let take = { (picture: VideoDecoder.Picture) in
                guard jpeg == nil, picture.pointee.pts == wanted else { return }
                jpeg = JPEGEncoder.encode(
                    picture, aspect: configuration.pixelAspect, rotation: reader.rotation, options: options)
            }
            let begin = ContinuousClock.now
            for (number, sample) in samples.enumerated() {
                guard ContinuousClock.now - begin < .seconds(Snapshot.decodingMax) else { throw SnapshotError.tooLong }
                // What no other frame refers to is not needed, unless it is the one.
                decoder.skipsUnreferenced = number + 1 < samples.count
                try reader.frame(sample).withUnsafeBytes {
                    _ = decoder.decode($0, pts: sample.presentationTicks, isKey: number == 0, each: take)
                }
            }
            decoder.drain(each: take)
            guard let jpeg else { throw SnapshotError.undecodable }
            return jpeg
        }
    }
}
