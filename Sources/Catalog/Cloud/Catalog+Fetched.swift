import Foundation
import GRDB
import Machines

/// A clip whose files came back from the store, whole and read through.
public struct FetchedClip: Hashable, Sendable {
    /// A track file.
    public struct File: Hashable, Sendable {
        /// What it is, and where it goes.
        public var track: NewTrack
        /// Where it is now, relative to the root.
        public var path: String

        /// A track file at `path`.
        public init(track: NewTrack, path: String) {
            self.track = track
            self.path = path
        }
    }

    /// An event that lies in it and is over.
    public struct Event: Hashable, Sendable {
        /// When it began.
        public var begun: NewEvent
        /// When it ended, milliseconds since the boot of its begin.
        public var endedMonotonicMs: Int64
        /// Why it ended.
        public var why: EventEnd
        /// What was learnt of it.
        public var detail: EventDetail

        /// An event.
        public init(begun: NewEvent, endedMonotonicMs: Int64, why: EventEnd, detail: EventDetail) {
            self.begun = begun
            self.endedMonotonicMs = endedMonotonicMs
            self.why = why
            self.detail = detail
        }
    }

    /// What was known of it when it was begun.
    public var opened: NewClip
    /// What is known of its end; its tracks are those of `files`, in their order.
    public var closed: ClosedClip
    /// Its track files, 1 to 16.
    public var files: [File]
    /// The events that lie in it and are over; those are entered of which the disk has no row.
    public var events: [Event]

    /// A clip that came back.
    public init(opened: NewClip, closed: ClosedClip, files: [File], events: [Event] = []) {
        self.events = events
        self.opened = opened
        self.closed = closed
        self.files = files
    }
}

extension Catalog {
    /// Puts the files of a remote clip in their place on the disk and enters the clip, protected: it is older than what the rules
    /// keep, and somebody wants it kept. Its jobs are about it again, and coverage does not call its time deleted any more. Durable
    /// when it returns. A crash before the row is written leaves files that no row claims, which the next recovery sets aside.
    /// Blocking.
    ///
    /// - Throws: `CatalogError`; `refused` where the cloud does not have the clip any more, or the disk has it. The files are then
    ///   where they were.
    public func enterFetched(_ fetched: FetchedClip, of id: RemoteClipID) throws -> ClipID {
        try enterFetched(fetched, of: id) { _ in }
    }

    /// The same; calls `hook` at each of its steps.
    package func enterFetched(_ fetched: FetchedClip, of id: RemoteClipID, hook: StepHook) throws -> ClipID {
        guard let key = try remoteClip(id)?.key else {
            throw refusal(.openClip, "the cloud's copy was deleted meanwhile")
        }
        guard (1...16).contains(fetched.files.count),
            fetched.files.allSatisfy({ ClipPaths(parsing: $0.track.path)?.stem == key })
        else { throw refusal(.openClip, "these are not the files of \(key)") }
        for file in fetched.files { try check(file.track, of: fetched.opened.camera) }
        if let clip = try localClips(of: [id])[id] { throw refusal(.openClip, "the disk has it as clip \(clip)") }
        let folder = String(key[..<(key.lastIndex(of: "/") ?? key.endIndex)])
        var moved: [FetchedClip.File] = []
        do {
            for file in fetched.files { try root.sync(file.path, folder: false) }
            try hook("synced")
            try root.makeFolder(folder)
            for file in fetched.files {
                try root.move(file.path, to: file.track.path)
                moved.append(file)
                try hook("moved \(file.track.kind)")
            }
            try root.sync(folder, folder: true)
            try hook("durable")
            let clip = try write(.openClip) { db in try self.insert(fetched, of: id, key: key, db) }
            try hook("entered")
            return clip
        } catch let error as CatalogError {
            // What is left in the clip's folder where even this fails is set aside by the next recovery.
            for file in moved { try? root.move(file.track.path, to: file.path) }
            throw error
        }
    }

    private func insert(_ fetched: FetchedClip, of id: RemoteClipID, key: String, _ db: Database) throws -> ClipID {
        guard try Self.remoteID(of: key, db) == id else {
            throw refusal(.openClip, "the cloud's copy was deleted meanwhile")
        }
        for event in fetched.events where try !Self.hasRow(of: event.begun, db) {
            try Self.insert(event, newEventID(), db)
        }
        var opened = fetched.opened
        if opened.cause != .continuous { opened.event = try Self.firstEvent(in: id, db) }
        let clip = try Self.insert(opened, fetched.files.map(\.track), db)
        try close(clip, fetched.closed, ordinals: Array(fetched.files.indices), db)
        try db.execute(sql: "UPDATE clip SET protected = 1 WHERE id = ?", arguments: [clip.rawValue])
        try db.execute(
            sql: "UPDATE upload SET clip = ?, source_gone = 0 WHERE key = ?", arguments: [clip.rawValue, key])
        try db.execute(
            sql: "DELETE FROM deletion WHERE camera = ? AND start_wall_ms = ? AND end_wall_ms = ?",
            arguments: [opened.camera, opened.start.wallMs, fetched.closed.end.wallMs])
        return clip
    }

    /// Inserts the rows of an event that is over. It counts as seen: somebody has looked for it.
    private static func insert(_ event: FetchedClip.Event, _ id: EventID, _ db: Database) throws {
        let begun = event.begun
        let lengthMs = max(0, event.endedMonotonicMs.addingClamped(-max(begun.began.monotonicMs, -.max)))
        try db.execute(
            sql: """
                INSERT INTO event (id, camera, boot_id, began_monotonic_ms, began_wall_ms, cause, level, ended_monotonic_ms,
                    ended_wall_ms, why)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.rawValue, begun.camera, begun.bootID, begun.began.monotonicMs, begun.began.wallMs, begun.cause,
                begun.level?.rawValue, begun.began.monotonicMs.addingClamped(lengthMs),
                begun.began.wallMs.addingClamped(lengthMs), event.why.rawValue,
            ])
        try insert(event.detail, of: id, db)
    }

    private static func hasRow(of event: NewEvent, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM event INDEXED BY event_by_camera WHERE camera = ? AND began_wall_ms = ?
                        AND boot_id = ? AND began_monotonic_ms = ?)
                    """),
            arguments: [event.camera, event.began.wallMs, event.bootID, event.began.monotonicMs]) ?? false
    }

    /// The disk's row of the first event that lies in a remote clip; nil where the disk has none.
    private static func firstEvent(in id: RemoteClipID, _ db: Database) throws -> EventID? {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT e.id FROM remote_event_clip l JOIN remote_event o ON o.id = l.event
                JOIN event e INDEXED BY event_by_camera ON e.camera = o.camera AND e.began_wall_ms = o.began_wall_ms
                    AND e.boot_id = o.boot_id AND e.began_monotonic_ms = o.began_monotonic_ms
                WHERE l.remote = ? ORDER BY e.began_wall_ms, e.id LIMIT 1
                """, arguments: [id.rawValue]
        ).map(EventID.init(rawValue:))
    }
}
