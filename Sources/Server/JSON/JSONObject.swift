/// The container of an object.
struct JSONObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: JSONNode
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws {
        node.part(key)
        node.output.word("null")
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        node.part(key)
        node.output.word(value ? "true" : "false")
    }

    func encode(_ value: String, forKey key: Key) throws {
        node.part(key)
        node.output.append(quoted: value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        node.part(key)
        try node.output.append(value)
    }

    func encode(_ value: Float, forKey key: Key) throws {
        node.part(key)
        try node.output.append(value)
    }

    private func write(_ value: some BinaryInteger, _ key: Key) {
        node.part(key)
        node.output.append(value)
    }

    func encode(_ value: Int, forKey key: Key) throws { write(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { write(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { write(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { write(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { write(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { write(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { write(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { write(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { write(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { write(value, key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        node.part(key)
        try node.write(value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        node.part(key)
        return node.nest().container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        node.part(key)
        return node.nest().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        node.part(SuperKey.super)
        return node.nest()
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        node.part(key)
        return node.nest()
    }
}

/// The key that `Codable` gives to what a superclass writes.
private enum SuperKey: String, CodingKey { case `super` }
