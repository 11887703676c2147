/// Parameter sets of one kind by their id: a later one with the same id replaces the earlier (H.264 clause 7.4.1.2.1).
/// Two collections are equal when they hold the same bytes for the same ids, whatever the order they came in.
struct ParameterSets: Hashable, Sendable {
    private var byID: [Int: [UInt8]] = [:]

    /// The sets in the order of their ids.
    var ordered: [[UInt8]] { byID.sorted { $0.key < $1.key }.map(\.value) }
    var isEmpty: Bool { byID.isEmpty }

    /// Remembers `nal` under `id`; sets longer than the 65535 bytes of `avcC` and `hvcC` fields are refused.
    mutating func insert(_ nal: UnsafeRawBufferPointer, id: Int, subject: String) throws(BitstreamError) {
        guard nal.count <= Int(UInt16.max) else {
            throw BitstreamError(subject, .outOfRange(field: "length", value: Int64(nal.count)))
        }
        byID[id] = Array(nal)
    }
}
