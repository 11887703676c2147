public import Foundation
public import VigilKit

/// Downloads a clip into a file, from its begin or from where an earlier download stopped. `tell` gets each step of the progress;
/// keep the last one beside the file.
public func save(
    _ slice: CloudSlice, of camera: String, with downloads: Downloads, into file: FileHandle,
    after earlier: DownloadProgress? = nil, tell: @escaping @Sendable (DownloadProgress) async throws -> Void
) async throws -> DownloadEnd {
    let sink: Downloads.Sink = { bytes, progress in
        try file.write(contentsOf: bytes)
        try await tell(progress)
    }
    if let earlier {
        do {
            // Bytes that came behind the last progress come again.
            try file.truncate(atOffset: UInt64(clamping: earlier.bytes))
            return try await downloads.resume(earlier, sink: sink)
        } catch VigilError.refused(let refusal) where refusal.kind == .conflict {
            // What is recorded of that time is not the same any more.
        }
    }
    try file.truncate(atOffset: 0)
    return try await downloads.download(DownloadRequest(camera: camera, slice), sink: sink)
}

/// Sends a clip to the cloud that the policy leaves at home; gives where it will play from, or why it is not sent.
public func send(_ vigil: Vigil, clip: Int64, note: String) async throws -> String {
    do {
        return try await vigil.push(clip: clip, note: note).url
    } catch VigilError.refused(let refusal) where refusal.kind == .conflict {
        // It is there already, or on the way, or is still being written.
        return refusal.why
    }
}

/// Tries every clip of a camera again that could not be sent, and gives up those that wait; gives the words for each.
public func clearQueue(_ vigil: Vigil, camera: String) async throws -> [String] {
    var lines: [String] = []
    var filter = UploadFilter(cameras: [camera], standings: [.failed, .due])
    repeat {
        let page = try await vigil.uploads(filter)
        for job in page.items {
            if job.phase == .uploadFailed {
                let why = job.why ?? "no reason was told"
                lines.append("again: \(job.start.rfc3339), which failed: \(why)")
                _ = try await vigil.retry(upload: job.id)
            } else {
                let part = "\(job.sentBytes) of \(job.bytes) bytes were sent"
                lines.append("given up: \(job.start.rfc3339), \(part)")
                _ = try await vigil.cancel(upload: job.id)
            }
        }
        filter.after = page.next
    } while filter.after != nil
    return lines
}
