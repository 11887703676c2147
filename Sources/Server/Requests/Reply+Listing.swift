internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Reply {
    /// A listing: one page, or every element where the filter asks for that, a page at a time, so that however many there are no
    /// more than two pages are in memory. Where it breaks off, the connection closes before the end of the answer.
    static func listing<Element: Encodable & Sendable>(
        _ filter: ListFilter, _ fetch: @escaping @Sendable (ListFilter) async throws -> Page<Element>
    ) async throws -> Response {
        let first = try await fetch(filter)
        guard filter.isWhole else { return try page(first) }
        let body = ResponseBody { writer in
            var (page, filter) = (first, filter)
            var separator = "["
            while true {
                if !page.items.isEmpty {
                    // The array of the page without its brackets.
                    let array = try bytes(page.items)
                    var part = ByteBuffer(string: separator)
                    part.writeImmutableBuffer(
                        array.getSlice(at: array.readerIndex + 1, length: array.readableBytes - 2) ?? ByteBuffer())
                    try await writer.write(part)
                    separator = ","
                }
                guard let next = page.next else { break }
                filter.after = next
                filter.conditions.offset = 0
                page = try await fetch(filter)
            }
            try await writer.write(ByteBuffer(string: separator == "[" ? "[]" : "]"))
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: body)
    }
}
