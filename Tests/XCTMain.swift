import Testing

/// Where the built tests begin. SwiftPM would write one of its own, for which it reads the index of every file in search of tests of
/// XCTest; there are none, and an index takes a fifth to a third of what compiling takes.
@main
struct Tests {
    static func main() async {
        // `swift test` asks for tests of XCTest first.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
