import GRDB

/// An event with all that the catalog knows of it.
public struct EventRecord: Hashable, Sendable, Identifiable {
    /// The event.
    public let event: RecordedEvent
    /// What was learnt of it; nil until it has ended.
    public let detail: EventDetail?
    /// What was recognised during it, in the order in which it was told.
    public let labels: [EventLabel]
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
        try read { db in try Self.records(db, of: Self.events(db, query)) }
    }

    /// The same of one event; nil if there is none of that number.
    public func record(_ id: EventID) throws(CatalogError) -> EventRecord? {
        try read { db in try Self.event(db, id).map { try Self.records(db, of: [$0]) }?.first }
    }

    /// The events that lie in a clip, by time: the one for which it was opened, or those during which it was recorded.
    ///
    /// - Parameter end: the clip's end; of one that is being written, until when.
    public func records(in clip: Clip, until end: Moment) throws(CatalogError) -> [EventRecord] {
        try read { db in
            let events: [RecordedEvent]
            if let own = clip.opened.event {
                events = try Self.event(db, own).map { [$0] } ?? []
            } else {
                events = try Self.events(db, during: clip, until: end)
            }
            // Which clips an event lies in is said in one place.
            return try Self.records(db, of: events).filter { $0.clips.contains(clip.id) }
        }
    }

    /// One statement for what all of them have of a kind: a page has hundreds of events.
    private static func records(_ db: Database, of events: [RecordedEvent]) throws -> [EventRecord] {
        let ids = "[\(events.map { "\($0.id)" }.joined(separator: ","))]"
        let opened = Dictionary(grouping: try opened(db, forAll: ids)) { $0.opened.event }
        let details = try details(db, ofAll: ids)
        let labels = try labels(db, ofAll: ids)
        let suppressed = Dictionary(grouping: try suppressed(db, ofAll: ids)) { $0.event }
        return try events.map { event in
            let first = opened[event.id] ?? []
            let clips = try first.map { (id: $0.id, startMs: $0.start.monotonicMs) } + withoutEvent(db, event)
            let sorted = clips.sorted { ($0.startMs, $0.id) < ($1.startMs, $1.id) }.map(\.id)
            return EventRecord(
                event: event, detail: details[event.id], labels: labels[event.id] ?? [],
                firstClip: first.min { ($0.start.monotonicMs, $0.id) < ($1.start.monotonicMs, $1.id) }, clips: sorted,
                suppressed: suppressed[event.id] ?? [])
        }
    }
}
