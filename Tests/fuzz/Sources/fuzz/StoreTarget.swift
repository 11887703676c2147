@testable import ObjectStore
@testable import XML

/// What an object store may answer: documents, listings, parts, errors, times and keys as they are encoded.
enum StoreTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        switch feed.byte() % 3 {
        case 0: document(Array(feed.rest()))
        case 1: text(&feed)
        default: plan(&feed)
        }
    }

    private static func document(_ bytes: [UInt8]) {
        let told = ErrorAnswer(bytes)
        line(told.code)
        line(told.message)
        line(told.region)
        guard let root = try? XMLNode.parse(bytes) else { return }
        hold(size(root, depth: 1) <= bytes.count, "more than came")
        hold((try? XMLNode.parse(Array(written(root).utf8))) == root, "what is written is read back")
        if let page = ListPage(root) {
            hold(!page.entries.contains { $0.key.isEmpty }, "an object without a key")
            hold(page.continuation != "", "a page that leads nowhere")
        }
        if let page = PartsPage(root) {
            hold(
                page.parts.allSatisfy { PartPlan.numbers.contains($0.number) && !$0.etag.isEmpty },
                "a part that none is")
        }
        if let page = UploadsPage(root) {
            hold(!page.uploads.contains { $0.key.isEmpty || $0.id.isEmpty }, "an upload without a name")
        }
        if let answer = DeletionAnswer(root) {
            for error in answer.failed.values { line(error.message) }
        }
        if let id = UploadIdentity.created(root) { hold((1...2048).contains(id.utf8.count), "a name of an upload") }
    }

    /// How many elements and bytes of text there are.
    private static func size(_ node: XMLNode, depth: Int) -> Int {
        hold(depth <= XMLBounds().depth, "\(depth) deep")
        return node.children.reduce(1 + node.text.utf8.count) { $0 + size($1, depth: depth + 1) }
    }

    private static func written(_ node: XMLNode) -> String {
        let attributes = node.attributes.map { " \($0)=\"\(XMLNode.escaped($1))\"" }.joined()
        return
            "<\(node.name)\(attributes)>\(XMLNode.escaped(node.text))\(node.children.map(written).joined())</\(node.name)>"
    }

    private static func line(_ text: String?) {
        guard let text else { return }
        hold(text.unicodeScalars.count <= ErrorAnswer.messageMax, "a long line")
        hold(
            !text.unicodeScalars.contains { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) }, "a control character"
        )
    }

    private static func text(_ feed: inout Feed) {
        let (first, second) = (feed.line(), feed.line())
        if let time = ServerTime(iso: first) { hold(ServerTime(iso: time.iso) == time, "\(time.iso) is read back") }
        if let time = ServerTime(http: first) { hold(ServerTime(iso: time.iso) == time, "\(time.iso) is read back") }
        hold(PercentCode.decode(PercentCode.encode(second)) == second, "what is encoded is decoded")
        _ = PercentCode.decode(first)
        if let tag = EntityTagText.bare(first) { hold(!tag.isEmpty && !tag.contains("\""), "a tag without quotes") }
    }

    private static func plan(_ feed: inout Feed) {
        let time = ServerTime(clamping: feed.number())
        hold(ServerTime(iso: time.iso) == time, "\(time.iso) is read back")
        let (bytes, preferred): (UInt64, UInt64) = (feed.number(), feed.number())
        guard let plan = PartPlan(bytes: bytes, preferred: preferred) else { return }
        hold(PartPlan.numbers.contains(plan.count), "\(plan.count) parts")
        hold(plan.range(plan.count)?.upperBound == bytes && plan.range(plan.count)?.isEmpty == false, "a last part")
    }
}
