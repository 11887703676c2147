/// The encoder of one value: what it asks for first says whether it is an object, an array or something single.
///
/// A value is over when its `encode(to:)` returns, so a node serves one value after the other.
final class JSONNode: Encoder, SingleValueEncodingContainer {
    private enum Shape { case unknown, single, array, object }

    let output: JSONOutput
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    @exclusivity(unchecked) private var shape = Shape.unknown
    @exclusivity(unchecked) private var isClosed = false
    /// The parts of an array or object so far.
    @exclusivity(unchecked) private(set) var count = 0
    /// Of an object: its keys, and where each part begins, as they came.
    @exclusivity(unchecked) private var parts: [(key: String, begin: Int)] = []
    @exclusivity(unchecked) private var isSorted = true
    /// The nested container under way.
    @exclusivity(unchecked) private var nested: JSONNode?
    /// For the next value in this one.
    @exclusivity(unchecked) private var spare: JSONNode?
    /// The type of the value.
    @exclusivity(unchecked) private var type: ObjectIdentifier?

    init(_ output: JSONOutput) { self.output = output }

    // MARK: What the value asks for

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        begin(.object, "{")
        return KeyedEncodingContainer(JSONObject(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        begin(.array, "[")
        return JSONArray(node: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func begin(_ shape: Shape, _ mark: Unicode.Scalar) {
        // A value may ask for its container again, and goes on in it.
        guard self.shape != shape else { return }
        if isClosed || self.shape != .unknown { output.isBroken = true }
        self.shape = shape
        output.mark(mark)
    }

    // MARK: Parts

    /// The next part of an array begins.
    func part() {
        closeNested()
        if isClosed { output.isBroken = true }
        if count > 0 { output.mark(",") }
        count += 1
    }

    /// The part of an object with this key begins.
    func part(_ key: some CodingKey) {
        part()
        let key = key.stringValue
        if isSorted, let last = parts.last, !Self.precedes(last.key, key) { isSorted = false }
        parts.append((key, output.bytes.count))
        output.append(quoted: key)
        output.mark(":")
    }

    /// A part that is a value of its own.
    func write<Value: Encodable>(_ value: Value) throws {
        if Value.self == WallTime.self, let time = value as? WallTime { return output.append(time) }
        let node = spare ?? JSONNode(output)
        spare = nil
        node.type = ObjectIdentifier(Value.self)
        try value.encode(to: node)
        node.close()
        node.reopen()
        spare = node
    }

    /// A part that is a container, filled until the next part begins.
    func nest() -> JSONNode {
        let node = JSONNode(output)
        nested = node
        return node
    }

    // MARK: The end

    /// The value is over.
    func close() {
        closeNested()
        switch shape {
        case .unknown: output.word("{}")
        case .single: break
        case .array: output.mark("]")
        case .object:
            if !isSorted { sort() }
            output.mark("}")
        }
        isClosed = true
    }

    private func closeNested() {
        nested?.close()
        nested = nil
    }

    private func reopen() {
        shape = .unknown
        isClosed = false
        count = 0
        parts.removeAll(keepingCapacity: true)
        isSorted = true
    }

    /// Puts the parts into the order of their keys. Of two with one key, the later one holds.
    private func sort() {
        let (first, end) = (parts[0].begin, output.bytes.count)
        let order = order()
        // Not behind the bytes themselves: a slice of them that is appended to them copies all of them.
        output.sorted.removeAll(keepingCapacity: true)
        for (place, index) in order.enumerated() {
            if place + 1 < order.count, parts[order[place + 1]].key == parts[index].key { continue }
            if !output.sorted.isEmpty { output.sorted.append(UInt8(ascii: ",")) }
            let partEnd = index + 1 < parts.count ? parts[index + 1].begin - 1 : end
            output.sorted.append(contentsOf: output.bytes[parts[index].begin..<partEnd])
        }
        output.bytes.removeSubrange(first...)
        output.bytes.append(contentsOf: output.sorted)
    }

    /// The places of the parts in the order of their keys. The values of a list mostly have the same keys.
    private func order() -> [Int] {
        if let type, let known = output.orders[type], known.keys.count == parts.count,
            parts.indices.allSatisfy({ known.keys[$0] == parts[$0].key })
        {
            return known.order
        }
        // Stable: a later one of the same key stays behind.
        let order = parts.indices.sorted { Self.precedes(parts[$0].key, parts[$1].key) }
        if let type { output.orders[type] = (parts.map(\.key), order) }
        return order
    }

    /// Whether a key comes before another by its UTF-8.
    private static func precedes(_ key: String, _ other: String) -> Bool {
        var (key, other) = (key, other)
        return key.withUTF8 { key in other.withUTF8 { key.lexicographicallyPrecedes($0) } }
    }

    // MARK: A single value

    private func single(_ write: () throws -> Void) rethrows {
        if isClosed || shape != .unknown { output.isBroken = true }
        shape = .single
        try write()
    }

    func encodeNil() throws { single { output.word("null") } }
    func encode(_ value: Bool) throws { single { output.word(value ? "true" : "false") } }
    func encode(_ value: String) throws { single { output.append(quoted: value) } }
    func encode(_ value: Double) throws { try single { try output.append(value) } }
    func encode(_ value: Float) throws { try single { try output.append(value) } }
    func encode(_ value: Int) throws { single { output.append(value) } }
    func encode(_ value: Int8) throws { single { output.append(value) } }
    func encode(_ value: Int16) throws { single { output.append(value) } }
    func encode(_ value: Int32) throws { single { output.append(value) } }
    func encode(_ value: Int64) throws { single { output.append(value) } }
    func encode(_ value: UInt) throws { single { output.append(value) } }
    func encode(_ value: UInt8) throws { single { output.append(value) } }
    func encode(_ value: UInt16) throws { single { output.append(value) } }
    func encode(_ value: UInt32) throws { single { output.append(value) } }
    func encode(_ value: UInt64) throws { single { output.append(value) } }
    func encode<T: Encodable>(_ value: T) throws { try value.encode(to: self) }
}
