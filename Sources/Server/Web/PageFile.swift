internal import Hashing
internal import NIOCore

/// One file of the web page, in memory.
struct PageFile: Sendable {
    /// Its content.
    let bytes: ByteBuffer
    /// Its kind, as `Content-Type` has it.
    let type: String
    /// What names this content: it changes whenever the content does.
    let tag: String

    /// Kinds of files by the end of their name. Others are not served.
    static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "json": "application/json; charset=utf-8", "webmanifest": "application/manifest+json; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "ico": "image/x-icon",
        "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    ]

    /// A file of that name; nil where its kind is not served.
    init?(name: String, bytes: [UInt8]) {
        guard let dot = name.lastIndex(of: "."), let type = Self.types[String(name[name.index(after: dot)...])] else {
            return nil
        }
        self.bytes = ByteBuffer(bytes: bytes)
        self.type = type
        tag = "\"\(SHA256.revision(bytes))\""
    }
}
