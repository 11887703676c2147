/// One field as it goes to journald: the value is bytes, whatever they are.
struct JournalField: Sendable, Hashable {
    let name: FieldName
    let value: [UInt8]

    init(_ name: FieldName, _ value: some Sequence<UInt8>) {
        self.name = name
        self.value = Array(value)
    }

    init(_ field: Field, _ value: String) {
        self.init(FieldName(field), value.utf8)
    }
}
