import Machines

/// A job, the clock of its shell, and the records and notices on its disk.
struct UploadJob {
    static let seal = Upload.Seal(digest: "ab12", bytes: 1_000_000)

    var upload: Upload
    var now = Instant(ms: 1_000_000)
    var durable: Upload.Record
    /// The table of notices: a number that is there already is not written again.
    var notices: [UInt32: Upload.Phase] = [:]

    init(encode: Bool = false, allowed: Bool = true, open: Bool = false) {
        upload = Upload(encode: encode, seal: open ? nil : Self.seal)
        durable = upload.record
        write(upload.record, Upload.Notice(number: 1, stage: .queued))
        if allowed { send(.allow(true)) }
    }

    @discardableResult
    mutating func send(_ event: Upload.Event, after ms: Int64 = 0) -> [Upload.Effect] {
        now = now + ms
        let effects = upload.step(event, at: now)
        for case .save(let record, let notice) in effects { write(record, notice) }
        return effects
    }

    /// One transaction.
    mutating func write(_ record: Upload.Record, _ notice: Upload.Notice?) {
        durable = record
        if let notice, notices[notice.number] == nil { notices[notice.number] = notice.stage }
    }

    /// The stages that were told, in their order.
    var told: [Upload.Phase] { notices.sorted { $0.key < $1.key }.map(\.value) }

    /// The process dies, and the next one reads the record.
    mutating func crash() {
        upload = Upload(restoring: durable, encode: upload.encode, at: now)
    }

    /// The latest order.
    var order: Upload.OrderNumber { Upload.OrderNumber(upload.orders) }

    /// Makes the acknowledgement durable.
    mutating func acknowledge(_ effects: [Upload.Effect]) {
        for case .recordAck(_, let record, let notice) in effects { write(record, notice) }
    }

    /// Brings the clip to the cloud.
    @discardableResult
    mutating func store() -> [Upload.Effect] {
        acknowledge(send(.uploaded(order)))
        return send(.acked(order))
    }

    /// Lets time pass until the next deadline.
    @discardableResult
    mutating func wait() -> [Upload.Effect] {
        guard let next = upload.nextDeadline else { return [] }
        return send(.tick, after: next - now)
    }
}
