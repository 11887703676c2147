/// The container of an array.
struct JSONArray: UnkeyedEncodingContainer {
    let node: JSONNode
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.count }

    func encodeNil() throws {
        node.part()
        node.output.word("null")
    }

    func encode(_ value: Bool) throws {
        node.part()
        node.output.word(value ? "true" : "false")
    }

    func encode(_ value: String) throws {
        node.part()
        node.output.append(quoted: value)
    }

    func encode(_ value: Double) throws {
        node.part()
        try node.output.append(value)
    }

    func encode(_ value: Float) throws {
        node.part()
        try node.output.append(value)
    }

    private func write(_ value: some BinaryInteger) {
        node.part()
        node.output.append(value)
    }

    func encode(_ value: Int) throws { write(value) }
    func encode(_ value: Int8) throws { write(value) }
    func encode(_ value: Int16) throws { write(value) }
    func encode(_ value: Int32) throws { write(value) }
    func encode(_ value: Int64) throws { write(value) }
    func encode(_ value: UInt) throws { write(value) }
    func encode(_ value: UInt8) throws { write(value) }
    func encode(_ value: UInt16) throws { write(value) }
    func encode(_ value: UInt32) throws { write(value) }
    func encode(_ value: UInt64) throws { write(value) }

    func encode<T: Encodable>(_ value: T) throws {
        node.part()
        try node.write(value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        node.part()
        return node.nest().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        node.part()
        return node.nest().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        node.part()
        return node.nest()
    }
}
