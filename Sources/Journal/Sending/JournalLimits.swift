/// What the journal's queue may hold while journald is slow or gone. Beyond it records are dropped and counted.
public struct JournalLimits: Sendable, Hashable {
    /// Records waiting at most.
    var queuedRecordsMax: Int
    /// Bytes of records waiting at most.
    var queuedBytesMax: Int
    /// The longest record, in bytes; a longer one is dropped and counted as lost.
    var recordBytesMax: Int
    /// The longest value of a field, in bytes of UTF-8; longer ones end in `…`. Values of the trace are never cut.
    var valueBytesMax: Int

    /// Limits; the defaults hold some minutes of a site with 40 cameras.
    public init(
        queuedRecordsMax: Int = 8_192, queuedBytesMax: Int = 16 << 20, recordBytesMax: Int = 4 << 20,
        valueBytesMax: Int = 4_096
    ) {
        self.queuedRecordsMax = queuedRecordsMax
        self.queuedBytesMax = queuedBytesMax
        self.recordBytesMax = recordBytesMax
        self.valueBytesMax = valueBytesMax
    }
}
