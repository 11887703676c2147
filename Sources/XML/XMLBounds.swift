/// How much of a document is taken. What goes beyond makes the document a defect.
package struct XMLBounds: Hashable, Sendable {
    /// How many bytes it may have.
    package var bytes: Int
    /// How many elements may be open at a time.
    package var depth: Int
    /// How many attributes an element may have.
    package var attributes: Int
    /// How many elements there may be in all.
    package var elements: Int
    /// Whether bytes that are no UTF-8 become U+FFFD in place of making the document a defect.
    package var repairsText: Bool

    /// Bounds; without words those of what object stores answer: a page of 1,000 keys has some 10,000 elements.
    package init(
        bytes: Int = 8 << 20, depth: Int = 16, attributes: Int = 16, elements: Int = 50_000, repairsText: Bool = false
    ) {
        self.bytes = bytes
        self.depth = depth
        self.attributes = attributes
        self.elements = elements
        self.repairsText = repairsText
    }
}
