import Foundation
import Hashing
import Machines
import Testing

@testable import Cloud
@testable import Media

/// The folder of one clip as it lies in a bucket, on the disk: media objects, lists, manifest and description.
struct BucketFolder {
    static let key = "clips/front/2026/11/23/20261123T101500.000Z-k3x9"
    static let startWallMs: Int64 = 1_795_428_900_000

    let url: URL
    let description: ClipDescription
    private let scratch: Scratch

    /// A clip of these streams, each track whole or in pieces of so many fragments, with everything that is made from it.
    ///
    /// - Parameter encryption: encrypts the media; the lists have this key with them.
    init(
        _ streams: [TestStream], fragmentsInPiece: Int? = nil, key: String = key, startWallMs: Int64 = startWallMs,
        encryption: MediaKey? = nil, in scratch: Scratch? = nil
    ) throws {
        let scratch = try scratch ?? Scratch()
        let url = scratch.url.appendingPathComponent(key)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        var tracks: [ClipDescription.Track] = []
        for stream in streams {
            let kind = stream.configuration.kind
            let path = scratch.path("file.\(kind.rawValue)")
            try? FileManager.default.removeItem(atPath: path)
            let summary = try stream.write(path)
            let file = try Data(contentsOf: URL(fileURLWithPath: path))
            let encrypted = try encryption.map { try Self.encrypted(file, summary.index, $0) }
            tracks.append(
                ClipDescription.Track(
                    kind: kind, codec: stream.configuration.codec, bytes: Int64(file.count),
                    sha256: SHA256.hex(file), durationMs: summary.index.durationMs,
                    width: stream.configuration.width, height: stream.configuration.height,
                    index: Data(summary.index.encoded()), encryptedIndex: encrypted.map { Data($0.index.encoded()) },
                    objects: try Self.objects(
                        of: encrypted?.file ?? file, kind, encrypted?.index ?? summary.index, fragmentsInPiece, url)))
        }
        var description = ClipDescription.example(tracks: tracks, startWallMs: startWallMs)
        description.encryption = encryption.map { .init(keyID: "0123456789abcdef", kid: $0.uuid) }
        self.description = description
        self.url = url
        self.scratch = scratch
        let presentation = try ClipPresentation(ClipDescription(parsing: description.encoded))
        let address = encryption.map { "data:text/plain;base64,\(Data($0.key).base64EncodedString())#.ts" }
        for part in presentation.playlists(key: address ?? CloudKeys.key, address: { $0 }) + [presentation.manifest()] {
            try part.body.write(to: url.appendingPathComponent(part.name))
        }
    }

    /// The same folder with another description of it.
    init(_ folder: BucketFolder, _ description: ClipDescription) {
        (url, scratch) = (folder.url, folder.scratch)
        self.description = description
    }

    private static func encrypted(
        _ file: Data, _ index: FragmentIndex, _ key: MediaKey
    ) throws -> (file: Data, index: FragmentIndex) {
        let encryption = try TrackEncryption(header: Array(file.prefix(Int(index.headerBytes))), key: key)
        var made = Data(encryption.header)
        var map = EncryptedTrackMap(of: index, encryptedHeaderBytes: UInt64(encryption.header.count))
        for entry in index.entries {
            let fragment = try encryption.encrypt(fragment: Array(file[Int(entry.offset)..<Int(entry.endOffset)]))
            made += fragment
            let isAdded = map.append(entry, encryptedBytes: UInt64(fragment.count))
            #expect(isAdded)
        }
        return (made, map.encrypted)
    }

    private static func objects(
        of file: Data, _ kind: TrackKind, _ index: FragmentIndex, _ fragments: Int?, _ url: URL
    ) throws -> [ClipDescription.Object] {
        var ends = [file.count]
        if let fragments {
            let places = stride(from: fragments, to: index.entries.count, by: fragments)
            ends = places.map { Int(index.entries[$0].offset) } + ends
        }
        return try zip([0] + ends, ends).enumerated().map { number, bounds in
            let bytes = file[bounds.0..<bounds.1]
            let name = fragments == nil ? CloudKeys.track(kind) : CloudKeys.piece(kind, number + 1)
            try bytes.write(to: url.appendingPathComponent(name))
            return ClipDescription.Object(
                name: name, firstByte: Int64(bounds.0), bytes: Int64(bytes.count), sha256: SHA256.hex(bytes))
        }
    }

    /// A text that lies in the folder.
    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
    }

    /// What a tool of ffmpeg says about a file below `root`, served over HTTP as a store does it: of files, ffmpeg's reader of DASH
    /// takes no ranges, and goes on for ever.
    static func read(_ root: URL, _ path: String, _ tool: String, _ before: [String], _ after: [String] = []) throws
        -> String
    {
        let server = Process()
        server.executableURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("range_server.py")
        server.arguments = [root.path]
        let (input, output) = (Pipe(), Pipe())
        server.standardInput = input
        server.standardOutput = output
        try server.run()
        defer {
            try? input.fileHandleForWriting.close()
            server.waitUntilExit()
        }
        let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let address = "http://127.0.0.1:\(try #require(Int(port)))/\(path)"
        return try Tool.run("timeout", ["60", tool, "-v", "error"] + before + [address] + after).out
    }

    /// The hash of each packet that ffmpeg finds in a list or manifest below `root`.
    static func packets(_ root: URL, _ path: String, _ stream: String) throws -> [String] {
        let after = ["-map", stream, "-c", "copy", "-f", "framemd5", "-"]
        return try read(root, path, "ffmpeg", ["-i"], after).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap {
                let fields = $0.split(separator: ",")
                return fields.count > 5 ? fields[5].trimmingCharacters(in: .whitespaces) : nil
            }
    }
}

extension ClipDescription {
    /// A clip of the camera `front` with an event.
    static func example(tracks: [Track], startWallMs: Int64 = BucketFolder.startWallMs) -> ClipDescription {
        let lengthMs = tracks.map(\.durationMs).max() ?? 0
        return ClipDescription(
            camera: "front", bootID: "7d2c0f4a", startMonotonicMs: 60_000, endMonotonicMs: 60_000 + lengthMs,
            startWallMs: startWallMs, endWallMs: startWallMs + lengthMs, cause: .detection, mediaClass: .event,
            ended: .quiet, policy: "shop", policyRevision: "0a1b2c3d4e5f", isIncomplete: false, tracks: tracks,
            events: [
                Event(
                    bootID: "7d2c0f4a", beganMonotonicMs: 61_000, beganWallMs: startWallMs + 1_000,
                    endedWallMs: startWallMs + 3_000, cause: "detection", level: .medium, why: "quiet", detections: 3,
                    zones: ["", "door"], picture: "event-61000.jpg")
            ])
    }

    /// A clip of pictures that nobody wrote: a header of 100 bytes and fragments of 1,000 bytes and 2 s each.
    static func made(
        fragments: Int, pieces: [Int]? = nil, kind: TrackKind = .video, ended: ClipEnd? = .quiet
    ) -> ClipDescription {
        let index = FragmentIndex(
            timescale: 1_000, headerBytes: 100,
            entries: (0..<UInt64(fragments)).map { number -> FragmentIndex.Entry in
                FragmentIndex.Entry(
                    offset: 100 + number * 1_000, size: 1_000, decodeTime: number * 2_000, durationTicks: 2_000,
                    sampleCount: 50, startsWithKey: true)
            })
        var (objects, place): ([Object], Int64) = ([], 0)
        for (number, count) in (pieces ?? [fragments]).enumerated() {
            let bytes = Int64(count * 1_000 + (number == 0 ? 100 : 0))
            objects.append(
                Object(
                    name: pieces == nil ? CloudKeys.track(kind) : CloudKeys.piece(kind, number + 1), firstByte: place,
                    bytes: bytes, sha256: String(repeating: "0", count: 64)))
            place += bytes
        }
        var clip = example(tracks: [
            Track(
                kind: kind, codec: kind == .video ? "avc1.64001f" : "mp4a.40.2", bytes: place,
                sha256: String(repeating: "a", count: 64), durationMs: Int64(fragments) * 2_000,
                width: kind == .video ? 1_920 : nil, height: kind == .video ? 1_080 : nil,
                index: Data(index.encoded()), objects: objects)
        ])
        clip.ended = ended
        return clip
    }
}
