import Foundation
import Testing

@testable import Media

/// A track file of Vigil's, taken apart and encrypted.
struct EncryptedFile {
    static let key = MediaKey(
        key: Array(0..<16), initialisationVector: Array(16..<32), identifier: Array(0xa0..<0xb0))
    static let keyHex = "000102030405060708090a0b0c0d0e0f"
    static let identifierHex = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"

    let plain: [UInt8]
    let index: FragmentIndex
    let plainHeader: [UInt8]
    let plainFragments: [[UInt8]]
    let encryption: TrackEncryption
    let fragments: [[UInt8]]

    /// Encrypts the file at `path`.
    init(_ path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        plain = bytes
        index = try TrackScanner.scan(path: path).index
        plainHeader = Array(bytes[..<Int(index.headerBytes)])
        plainFragments = index.entries.map { Array(bytes[Int($0.offset)..<Int($0.endOffset)]) }
        let key = try #require(Self.key)
        let encryption = try TrackEncryption(header: plainHeader, key: key)
        self.encryption = encryption
        fragments = try plainFragments.map { try encryption.encrypt(fragment: $0) }
    }

    /// Writes a stream as Vigil does, and encrypts it.
    init(_ stream: TestStream, priming: UInt32 = 0, clock: Int64? = nil) throws {
        let folder = try Scratch()
        let path = folder.path("clip.cmf")
        try stream.write(path, primingTicks: priming, wallClock: clock.map { WallClock(unixMs: $0) })
        try self.init(path)
    }

    /// The encrypted file.
    var bytes: [UInt8] { encryption.header + fragments.joined() }

    /// The samples of each fragment of a file, and the parts that `senc` has for each; none for audio.
    static func parts(
        _ fragments: [[UInt8]], header: [UInt8]
    ) throws -> [(sample: ArraySlice<UInt8>, parts: ArraySlice<EncryptedSamples.Subsample>)] {
        let layout = try #require(HeaderParts(header)).layout
        return try fragments.flatMap { fragment in
            let parts = try FragmentParts(fragment, layout, .decrypt)
            let samples = parts.encryption.flatMap { EncryptedSamples($0, sizes: parts.sizes) }
            var (place, first) = (parts.media.lowerBound, 0)
            return parts.sizes.enumerated().map { number, size in
                let count = samples?.counts[number] ?? 0
                defer { (place, first) = (place + Int(size), first + count) }
                return (fragment[place..<place + Int(size)], samples?.subsamples[first..<first + count] ?? [])
            }
        }
    }
}
