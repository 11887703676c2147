import Glibc
import Machines

@testable import Media

/// Checks the structure of a track file by the rules of docs/design/clips.md: brands, one track, fragments numbered and timed
/// without hole or overlap, each beginning with a key frame, each sample inside its own `mdat`. Tests and `make fuzz` hold to it what the
/// writer wrote.
enum CMAFCheck {
    /// The most findings that are reported; a hostile file cannot ask for more.
    static let maxFindings = 1000
    private static let window = 1 << 18

    /// Everything noticed in the file at `path`, in order; empty when the file is sound. Blocking. With `payload` the media
    /// is read too, and each video sample must consist of whole NAL units. Throws when the file cannot be read or has no
    /// whole header.
    static func check(path: String, payload: Bool = false) throws(TrackFileError) -> [CMAFFinding] {
        var walker = try TrackWalker(RawFile(path, flags: O_RDONLY | O_NONBLOCK, as: .open))
        var findings = header(walker.layout)
        var previous: FragmentIndex.Entry?
        var number = 0
        var expectedSequence: UInt32 = 1
        let isVideo = walker.layout.kind == .video
        while let found = try walker.next(), findings.count < maxFindings {
            let entry = TrackScanner.entry(found, after: previous)
            func note(_ kind: CMAFFinding.Kind, _ severity: CMAFFinding.Severity = .error) {
                findings.append(CMAFFinding(severity: severity, kind: kind, fragment: number))
            }
            if found.movie.sequence != expectedSequence {
                note(.sequence(expected: expectedSequence, found: found.movie.sequence))
            }
            expectedSequence = (found.movie.sequence ?? expectedSequence) &+ 1
            if found.movie.decodeTime == nil { note(.noDecodeTime) }
            if let previous, entry.decodeTime > previous.endTime {
                note(.gap(ticks: entry.decodeTime - previous.endTime), .note)
            } else if let previous, entry.decodeTime < previous.endTime {
                note(.overlap(ticks: previous.endTime - entry.decodeTime))
            }
            if isVideo, !entry.startsWithKey { note(.noSync, previous == nil ? .error : .note) }
            if !found.movie.hasDefaultBase || found.movie.trackFragments != 1 { note(.addressing) }
            let used = found.movie.runs.reduce(UInt64(0)) { $0 &+ $1.bytes }
            if used < found.media.count { note(.unusedMedia(bytes: UInt64(found.media.count) - used)) }
            if let damaged = try damagedSample(found, walker.file, lengths: payload && isVideo) {
                note(.sample(number: damaged))
            }
            previous = entry
            number += 1
        }
        if let damage = walker.damage {
            let torn = CMAFFinding.Kind.torn(bytes: walker.size - walker.position, damage)
            findings.append(CMAFFinding(severity: .error, kind: torn, fragment: nil))
        }
        return findings
    }

    private static func header(_ layout: TrackLayout) -> [CMAFFinding] {
        var kinds: [CMAFFinding.Kind] = []
        if !layout.brands.contains("cmfc") { kinds.append(.brand) }
        if layout.trackCount != 1 { kinds.append(.header("\(layout.trackCount) tracks in one file")) }
        if layout.hasSamplesInHeader { kinds.append(.header("samples in the header")) }
        do throws(BitstreamError) {
            _ = try CodecConfiguration(sampleEntry: layout.sampleEntry)
        } catch {
            kinds.append(.configuration(error.description))
        }
        return kinds.map { CMAFFinding(severity: .error, kind: $0, fragment: nil) }
    }

    /// The first sample of size 0 or, with `lengths`, whose NAL units (four-byte lengths) do not fill it.
    private static func damagedSample(
        _ found: TrackWalker.Found, _ file: any TrackBytes, lengths: Bool
    ) throws(TrackFileError) -> Int? {
        if let empty = found.movie.samples.firstIndex(where: { $0.size == 0 }) { return empty }
        guard lengths else { return nil }
        var bytes: [UInt8] = []
        var start: UInt64 = 0
        for (index, run) in found.movie.runs.enumerated() {
            let next = index + 1 < found.movie.runs.count ? found.movie.runs[index + 1].firstSample : nil
            var sampleStart = run.dataOffset
            for number in run.firstSample..<(next ?? found.movie.samples.count) {
                let sampleEnd = sampleStart + UInt64(found.movie.samples[number].size)
                while sampleStart < sampleEnd {
                    guard sampleEnd - sampleStart >= 4 else { return number }
                    if sampleStart < start || sampleStart + 4 > start + UInt64(bytes.count) {
                        start = sampleStart
                        bytes = try file.read(Int(min(UInt64(window), found.end - start)), at: start)
                    }
                    var reader = ByteReader(bytes.dropFirst(Int(sampleStart - start)))
                    guard let length = reader.u32(), length > 0 else { return number }
                    sampleStart += 4 + UInt64(length)
                }
                guard sampleStart == sampleEnd else { return number }
            }
        }
        return nil
    }
}
