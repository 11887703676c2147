internal import Server

extension MemorySite {
    /// Nothing is kept.
    public func keepAccounts() async throws {}

    /// Where a page would be.
    public var pageAddress: String? { "http://127.0.0.1:8080" }
}
