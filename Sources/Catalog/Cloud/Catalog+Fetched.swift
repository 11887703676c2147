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
        /// How long it lasted, in milliseconds, 0 or more.
        public var lengthMs: Int64
        /// Why it ended.
        public var why: EventEnd
        /// What was learnt of it.
        public var detail: EventDetail
        /// What was recognised in it.
        public var labels: [EventLabel]

        /// An event.
        public init(
            begun: NewEvent, lengthMs: Int64, why: EventEnd, detail: EventDetail, labels: [EventLabel] = []
        ) {
            self.begun = begun
            self.lengthMs = lengthMs
            self.why = why
            self.detail = detail
            self.labels = labels
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
        self.opened = opened
        self.closed = closed
        self.files = files
        self.events = events
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
        var opened = fetched.opened
        let first = try enter(fetched.events, of: id, db)
        if opened.cause != .continuous { opened.event = first }
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

    /// Enters those of the events in a remote clip of which the disk has no row. Gives the first event that lies in it.
    private func enter(_ events: [FetchedClip.Event], of id: RemoteClipID, _ db: Database) throws -> EventID? {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT o.boot_id, o.began_monotonic_ms, (\(Self.localEventSQL)) FROM remote_event_clip l
                JOIN remote_event o ON o.id = l.event WHERE l.remote = ? ORDER BY o.began_wall_ms, o.id
                """, arguments: [id.rawValue])
        var first: EventID?
        for row in rows {
            let (boot, beganMs) = try (row.value(0) as String, row.value(1) as Int64)
            var local = try (row.value(2) as Int64?).map(EventID.init(rawValue:))
            if local == nil,
                let event = events.first(where: { $0.begun.bootID == boot && $0.begun.began.monotonicMs == beganMs })
            {
                let new = newEventID()
                try Self.insert(event, new, db)
                local = new
            }
            first = first ?? local
        }
        return first
    }

    /// Inserts the rows of an event that is over. It counts as seen: somebody has looked for it. Nothing is sent for it.
    private static func insert(_ event: FetchedClip.Event, _ id: EventID, _ db: Database) throws {
        let begun = event.begun
        try db.execute(
            sql: """
                INSERT INTO event (id, camera, boot_id, began_monotonic_ms, began_wall_ms, cause, level, ended_monotonic_ms,
                    ended_wall_ms, why)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.rawValue, begun.camera, begun.bootID, begun.began.monotonicMs, begun.began.wallMs, begun.cause,
                begun.level?.rawValue, begun.began.monotonicMs.addingClamped(event.lengthMs),
                begun.began.wallMs.addingClamped(event.lengthMs), event.why.rawValue,
            ])
        try insert(event.detail, of: id, db)
        for label in event.labels { try insert(label, of: id, db) }
    }
}
