import Foundation
import Machines

@testable import Cloud
@testable import Media

/// What may lie in a bucket in the place of a clip's description: as JSON, and with numbers, objects and an index that the fuzzer
/// chooses, which it would not find through the base64 of the index.
enum ClipDescriptionTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        let bytes = feed.byte() % 2 == 0 ? Data(feed.rest()) : made(&feed).encoded
        let clip: ClipDescription
        do { clip = try ClipDescription(parsing: bytes) } catch {
            hold(!error.description.contains(where: \.isNewline), "a defect is one line")
            hold(!error.cause.isEmpty && !error.remedy.isEmpty, "a defect has a cause and a remedy")
            return
        }
        hold(
            clip.encoded.count <= 0 || (try? ClipDescription(parsing: clip.encoded)) == clip,
            "what is written is read back")
        guard let shown = try? ClipPresentation(clip) else { return hold(false, "what is read can be presented") }
        for (track, shown) in zip(clip.tracks.sorted { $0.kind == .video && $1.kind != .video }, shown.tracks) {
            segments(track, shown)
        }
        hold(shown.playlists() == (try? ClipPresentation(clip).playlists()), "the same bytes each time")
        let names = Set(clip.tracks.flatMap { $0.objects.map(\.name) })
        for part in shown.playlists() + shown.playlists(isOpen: true) + [shown.manifest()] {
            hold(CloudKeys.isName(part.name), "\(part.name) is a name")
            let lines = String(decoding: part.body, as: UTF8.self).split(separator: "\n").map(String.init)
            guard part.name != CloudKeys.index, part.name != CloudKeys.manifest else { continue }
            hold(
                lines.allSatisfy { $0.hasPrefix("#EXT") || names.contains($0) },
                "a line of \(part.name) names no object")
        }
        let day = try? DayList(
            camera: "front", date: "2026-11-23",
            clips: [("clips/front/2026/11/23/20261123T101500.000Z-k3x9", clip)])
        hold(day != nil, "what is read can be listed")
    }

    /// All fragments lie in segments, once and in order, each segment in one object.
    private static func segments(_ track: ClipDescription.Track, _ shown: PresentedTrack) {
        let sizes = Dictionary(uniqueKeysWithValues: track.objects.map { ($0.name, $0) })
        var (end, bytes): (UInt64, UInt64) = (shown.index.headerBytes, 0)
        for segment in shown.segments {
            guard let object = sizes[segment.object] else { return hold(false, "a segment of no object") }
            let place = UInt64(object.firstByte) + segment.bytes.lowerBound
            hold(place >= end && segment.bytes.upperBound <= UInt64(object.bytes), "\(segment) lies in its object")
            hold(segment.duration >= 0, "\(segment) has a length")
            end = place + UInt64(segment.bytes.count)
            bytes += UInt64(segment.bytes.count)
        }
        hold(bytes == shown.index.entries.reduce(0) { $0 + $1.size }, "all fragments lie in segments")
    }

    private static func made(_ feed: inout Feed) -> ClipDescription {
        let options = feed.byte()
        var objects: [ClipDescription.Object] = []
        var place: Int64 = 0
        for number in 0..<Int(options & 7) {
            let bytes = options & 8 == 0 ? Int64(feed.number(UInt16.self)) : feed.number()
            objects.append(
                ClipDescription.Object(
                    name: CloudKeys.piece(.video, number + 1), firstByte: place, bytes: bytes,
                    sha256: String(repeating: "0", count: 64)))
            place &+= bytes
        }
        return ClipDescription(
            camera: "front", bootID: "b", startMonotonicMs: Int64(feed.number(UInt32.self)),
            endMonotonicMs: Int64(UInt32.max), startWallMs: feed.number(), endWallMs: 0, cause: .continuous,
            mediaClass: .continuous, ended: options & 16 == 0 ? .length : nil, policy: "p", policyRevision: "r",
            isIncomplete: false,
            tracks: [
                ClipDescription.Track(
                    kind: options & 32 == 0 ? .video : .audio, codec: options & 64 == 0 ? "avc1.64001f" : "unknown",
                    bytes: place, sha256: String(repeating: "1", count: 64), durationMs: 0, index: Data(feed.rest()),
                    objects: objects)
            ], events: [])
    }
}
