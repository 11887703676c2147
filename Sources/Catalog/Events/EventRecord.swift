import GRDB

/// An event with all that the catalog knows of it.
public struct EventRecord: Hashable, Sendable, Identifiable {
    /// The event.
    public let event: RecordedEvent
    /// What was learnt of it; nil until it has ended.
    public let detail: EventDetail?
    /// The clip that was opened for it first; nil where there is none.
    public let firstClip: Clip?
    /// The clips in which it lies, by time: those that were opened for it, and those of continuous mode that were recorded
    /// meanwhile; those being deleted left out. An event that is active lasts until now.
    public let clips: [ClipID]
    /// The runs of suppressed detections during the event and its blind time, by time.
    public let suppressed: [SuppressedRun]

    /// Its id.
    public var id: EventID { event.id }
}

extension Catalog {
    /// One page of events with all that is known of them, in one consistent view.
    public func records(_ query: EventQuery) throws(CatalogError) -> [EventRecord] {
        try read { db in try Self.events(db, query).map { try Self.record(db, $0) } }
    }

    /// The same of one event; nil if there is none of that number.
    public func record(_ id: EventID) throws(CatalogError) -> EventRecord? {
        try read { db in try Self.event(db, id).map { try Self.record(db, $0) } }
    }

    private static func record(_ db: Database, _ event: RecordedEvent) throws -> EventRecord {
        let opened = try opened(db, for: event.id)
        let clips = try opened.map { (id: $0.id, startMs: $0.start.monotonicMs) } + withoutEvent(db, event)
        let sorted = clips.sorted { ($0.startMs, $0.id) < ($1.startMs, $1.id) }.map(\.id)
        return try EventRecord(
            event: event, detail: detail(db, of: event.id),
            firstClip: opened.min { ($0.start.monotonicMs, $0.id) < ($1.start.monotonicMs, $1.id) }, clips: sorted,
            suppressed: suppressed(db, of: event.id))
    }
}
