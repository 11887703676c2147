import Machines

@testable import Media

/// What clips are made of: frames go through the maker of fragments into files, and the scanner finds them there. A frame
/// that no clip can hold is refused with an error, not by the end of the process.
struct MadeTracks {
    private var maker = FragmentMaker()

    mutating func take(_ frame: Frame) {
        if !maker.accepts(frame) { write() }
        maker.append(frame)
    }

    /// Writes what was taken, and begins anew.
    mutating func write() {
        defer { maker = FragmentMaker() }
        guard (try? maker.sort()) != nil else { return }
        for (ordinal, track) in maker.tracks.sorted(by: { $0.key < $1.key }) {
            guard let cut = maker.cut(ordinal, isLast: true) else { continue }
            let bytes = track.header.encoded() + cut.bytes
            let path = bytes.withUnsafeBytes { ScratchFile.write("made", $0) }
            guard let found = try? TrackScanner.scan(path: path) else {
                return hold(false, "what was made of frames can be scanned")
            }
            hold(found.tornBytes == 0, "no fragment that was made is torn: \(found.damage ?? "")")
            hold(found.configuration == track.header.configuration, "the configuration is read back")
            hold(found.index.entries.map(\.sampleCount) == [UInt32(cut.fragment.samples.count)], "each frame is there")
        }
    }
}
