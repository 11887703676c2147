internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle

extension Reply {
    /// A JPEG; `at`: of which moment it is, for the field `Vigil-At`.
    static func picture(_ jpeg: [UInt8], at: WallTime? = nil) -> Response {
        var headers: HTTPFields = [.contentType: "image/jpeg", .cacheControl: "no-store"]
        if let at, let name = HTTPField.Name("Vigil-At") { headers[name] = at.rfc3339 }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: jpeg)))
    }

    /// An export, sent as it is read. Where it breaks off, its reader does not take it, or the daemon stops, the connection is
    /// closed before all of its bytes were sent, so that no client takes a torn file for a whole one.
    ///
    /// Clips that were left out are named in the field `Vigil-Skipped`. What turns out to be unreadable later is zeros, and is
    /// named in a box behind the movie and in the trailer `Vigil-Damaged`, for a client that says `TE: trailers`. For others the
    /// connection is closed: they would take the movie for a good one.
    static func media(_ export: ExportBytes, over channel: any Channel, takesTrailers: Bool = false) -> Response {
        // With a length there are no trailers (RFC 9112, 6.3).
        let length = takesTrailers ? nil : Int(clamping: export.bytes)
        let body = ResponseBody(contentLength: length) { writer in
            try await untilStop(of: channel) {
                for try await chunk in export.chunks {
                    if !takesTrailers, let damage = export.damaged().first { throw DamagedExport(damage: damage) }
                    try await writer.write(ByteBuffer(bytes: chunk))
                }
            }
            let damaged = export.damaged()
            var trailers: HTTPFields?
            if let name = DamageField.damaged, !damaged.isEmpty {
                trailers = [name: field(damaged)]
                try await writer.write(ByteBuffer(bytes: DamageNote.box(field(damaged))))
            }
            try await writer.finish(trailers)
        }
        var headers: HTTPFields = [.contentType: "video/mp4", .cacheControl: "no-store"]
        if !export.skipped.isEmpty { skipped(export.skipped, &headers) }
        if takesTrailers { headers[.trailer] = DamageField.damaged?.rawName }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Sends by `body`; where the daemon stops meanwhile, the connection is closed.
    static func untilStop(of channel: any Channel, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await gracefulShutdown()
                channel.close(promise: nil)
            }
            try await body()
        }
    }

    /// Names what was left out, with the reasons.
    static func skipped(_ reasons: [String], _ headers: inout HTTPFields) {
        if let name = DamageField.skipped { headers[name] = field(reasons) }
    }

    /// The most characters of a list in a field.
    private static let fieldMax = 2_048

    /// Several sentences as the value of a field, in visible ASCII.
    private static func field(_ sentences: [String]) -> String {
        var text = ""
        for (index, sentence) in sentences.enumerated() {
            let next = String(
                decoding: sentence.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
            guard text.count + next.count <= fieldMax else { return text + "; and \(sentences.count - index) more" }
            text += (text.isEmpty ? "" : "; ") + next
        }
        return text
    }
}

/// Fields that say what of an export is not as it was recorded.
private enum DamageField {
    /// Clips that are left out because they cannot be read.
    static let skipped = HTTPField.Name("Vigil-Skipped")
    /// What is zeros because it could not be read; a trailer.
    static let damaged = HTTPField.Name("Vigil-Damaged")
}

/// An export that is damaged, for a client that could not be told.
private struct DamagedExport: Error, CustomStringConvertible {
    let damage: String
    var description: String { damage }
}
