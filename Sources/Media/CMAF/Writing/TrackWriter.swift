import Glibc

/// Writes one track file, fragment by fragment. Every call blocks on the file system: it belongs on an owned thread, one at a
/// time. After a failed `append` the file still ends with its last whole fragment and the next `append` may be tried; after
/// a failed `sync` the kernel may have dropped data, so the writer refuses everything but `abandon`.
///
///     create ──► append* ──► finish
///        (header)   │ ▲
///                   └─┴ sync at a bounded interval
public final class TrackWriter {
    private let file: RawFile
    private let header: TrackHeader
    /// What is in the file so far, for those who read it meanwhile.
    public let written: WrittenTrack
    private var bytes: UInt64
    private var isTailUnknown = false
    private var failure: TrackFileError?

    /// Creates the file at `path`, which must not exist, with mode 0640, and writes the header. On failure nothing is left
    /// behind. The caller makes the new name durable with `syncDirectory`.
    public static func create(path: String, header: TrackHeader) throws(TrackFileError) -> TrackWriter {
        let file = try RawFile(path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o640, as: .create)
        do throws(TrackFileError) {
            return try TrackWriter(writingHeaderTo: file, header)
        } catch {
            unlink(path)
            throw error
        }
    }

    init(writingHeaderTo file: RawFile, _ header: TrackHeader) throws(TrackFileError) {
        self.file = file
        self.header = header
        let encoded = header.encoded()
        bytes = UInt64(encoded.count)
        written = WrittenTrack(
            FragmentIndex(
                timescale: header.timescale, primingTicks: header.primingTicks, headerBytes: UInt64(encoded.count)))
        try Self.write(encoded, [], to: file, at: 0, as: .create)
    }

    /// Bytes written so far, in whole fragments.
    var bytesWritten: UInt64 { bytes }

    private var index: FragmentIndex { written.index }

    /// Appends a fragment whose samples' data is `data`, in order, cut anyhow: the header and all data go out in one
    /// gathered write. The decode time must not lie before the end of the fragment before, and the first fragment of a
    /// video track must begin with a sync sample.
    public func append(_ fragment: Fragment, data: [UnsafeRawBufferPointer]) throws(TrackFileError) {
        if let failure { throw failure }
        try check(fragment, data)
        try dropUnknownTail()
        let head = fragment.encodedHeader(sequence: UInt32(truncatingIfNeeded: index.entries.count + 1))
        do throws(TrackFileError) {
            try Self.write(head, data, to: file, at: bytes, as: .append)
        } catch {
            isTailUnknown = true
            // If this fails too the tail is dropped before the next append, or by the scan after a restart.
            try? dropUnknownTail()
            throw error
        }
        let size = UInt64(head.count) + fragment.dataBytes
        written.append(
            FragmentIndex.Entry(
                offset: bytes, size: size, decodeTime: fragment.decodeTime, durationTicks: fragment.durationTicks,
                sampleCount: UInt32(truncatingIfNeeded: fragment.samples.count),
                startsWithKey: fragment.samples.first?.isSync ?? false,
                damagedCount: UInt32(truncatingIfNeeded: fragment.damagedCount)))
        bytes += size
    }

    /// Makes everything appended so far durable (fdatasync).
    public func sync() throws(TrackFileError) {
        if let failure { throw failure }
        do throws(TrackFileError) {
            try dropUnknownTail()
            try file.sync()
            written.synced()
        } catch {
            failure = error
            throw error
        }
    }

    /// Makes the file durable, closes it and says what it holds. The writer is done after it, whether it throws or not.
    public func finish() throws(TrackFileError) -> TrackSummary {
        try sync()
        failure = TrackFileError(.append, file.path, .refused("the track is finished"))
        try file.close()
        return summary
    }

    /// Closes without making anything durable, after a failure that cannot be repaired: what is in the file is found by
    /// a scan.
    public func abandon() {
        failure = failure ?? TrackFileError(.append, file.path, .refused("the track is abandoned"))
        try? file.close()
    }

    /// What the file holds so far.
    public var summary: TrackSummary {
        let index = index
        return TrackSummary(
            bytes: bytes, durationTicks: index.durationTicks, durationMs: index.durationMs,
            codec: header.configuration.codec, index: index)
    }

    /// Makes the names in the directory at `path` durable (fsync of the directory).
    static func syncDirectory(_ path: String) throws(TrackFileError) {
        let directory = try RawFile(path, flags: O_RDONLY | O_DIRECTORY, as: .syncDirectory)
        guard RawFile.retry({ fsync(directory.number) }) == 0 else { throw .system(.syncDirectory, path) }
    }

    private func check(_ fragment: Fragment, _ data: [UnsafeRawBufferPointer]) throws(TrackFileError) {
        let problem: String? =
            if fragment.samples.isEmpty {
                "a fragment without samples"
            } else if fragment.dataBytes != data.reduce(0, { $0 &+ UInt64($1.count) }) {
                "sample sizes and data differ"
            } else if fragment.dataBytes > UInt64(UInt32.max) - 8 {
                "a fragment of more than 4 GiB"
            } else if fragment.samples.count > ParsedFragment.maxSamples {
                "a fragment of more than \(ParsedFragment.maxSamples) samples"
            } else if fragment.decodeTime > ParsedFragment.maxDecodeTime {
                "a decode time beyond \(ParsedFragment.maxDecodeTime)"
            } else if fragment.decodeTime < index.entries.last?.endTime ?? 0 {
                "a decode time before the end of the fragment before"
            } else if index.entries.isEmpty, fragment.samples.first?.isSync != true {
                "a first fragment that does not begin with a sync sample"
            } else {
                nil
            }
        if let problem { throw TrackFileError(.append, file.path, .refused(problem)) }
    }

    private func dropUnknownTail() throws(TrackFileError) {
        guard isTailUnknown else { return }
        try file.truncate(to: bytes)
        isTailUnknown = false
    }

    private static func write(
        _ head: [UInt8], _ data: [UnsafeRawBufferPointer], to file: RawFile, at offset: UInt64,
        as operation: TrackFileError.Operation
    ) throws(TrackFileError) {
        let result = head.withUnsafeBytes { bytes in
            do throws(TrackFileError) {
                return Result<Void, TrackFileError>.success(try file.write([bytes] + data, at: offset, as: operation))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
