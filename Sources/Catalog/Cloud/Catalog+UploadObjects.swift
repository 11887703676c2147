import GRDB

/// One object of a job that does not count yet.
public struct UploadObject: Hashable, Sendable {
    /// Its name below the job's key.
    public var name: String
    /// The track whose bytes it holds; nil if it holds no media.
    public var track: Int?
    /// Where in the track file its bytes begin.
    public var firstByte: Int64
    /// Its size.
    public var bytes: Int64
    /// SHA-256 of its bytes, hexadecimal; empty until it is known.
    public var sha256: String
    /// The store's id of the multipart upload; nil if there is none under way.
    public var multipart: String?
    /// Whether the store has it, verified.
    public var isThere: Bool

    /// An object.
    public init(
        name: String, track: Int? = nil, firstByte: Int64 = 0, bytes: Int64, sha256: String = "",
        multipart: String? = nil, isThere: Bool = false
    ) {
        self.name = name
        self.track = track
        self.firstByte = firstByte
        self.bytes = bytes
        self.sha256 = sha256
        self.multipart = multipart
        self.isThere = isThere
    }
}

/// What is kept of a transfer under way, so that a restart does not send again what the store has.
extension Catalog {
    /// Keeps an object of a job; replaces what was known of it. Which parts of a multipart upload the store has is asked there.
    public func recordObject(_ object: UploadObject, of id: UploadID) throws(CatalogError) {
        try write(.write) { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO upload_object (upload, name, track, first_byte, bytes, sha256, multipart, there)
                    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM upload WHERE id = ?1 AND counted = 0
                    ON CONFLICT (upload, name) DO UPDATE SET track = excluded.track, first_byte = excluded.first_byte,
                        bytes = excluded.bytes, sha256 = excluded.sha256, multipart = excluded.multipart,
                        there = excluded.there
                    """
            ).execute(arguments: [
                id.rawValue, object.name, object.track, object.firstByte, object.bytes, object.sha256,
                object.multipart, object.isThere,
            ])
            guard db.changesCount == 1 else { throw self.refusal(.write, "upload \(id) counts already, or is gone") }
        }
    }

    /// Forgets the objects of a job: what the store has of them is sent again.
    public func forgetObjects(of id: UploadID) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(sql: "DELETE FROM upload_object WHERE upload = ?", arguments: [id.rawValue])
        }
    }

    /// The objects of a job, by track and place, those without media last.
    public func objects(of id: UploadID) throws(CatalogError) -> [UploadObject] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT name, track, first_byte, bytes, sha256, multipart, there FROM upload_object WHERE upload = ?
                        ORDER BY track IS NULL, track, first_byte, name
                        """), arguments: [id.rawValue]
            ).map { row in
                try UploadObject(
                    name: row.value(0), track: (row.value(1) as Int64?).map { Int(clamping: $0) },
                    firstByte: row.value(2), bytes: row.value(3), sha256: row.value(4), multipart: row.value(5),
                    isThere: row.value(6))
            }
        }
    }
}
