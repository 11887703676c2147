import Glibc

/// One program holds every target; the environment says which one runs: VIGIL_FUZZ_TARGET names it, VIGIL_FUZZ_FOLDER is an
/// empty folder for the files it writes. With VIGIL_FUZZ_LIST it prints the targets. Its arguments are libFuzzer's.
@main
enum Entry {
    static func main() {
        guard getenv("VIGIL_FUZZ_LIST") == nil else { return Target.allCases.forEach { print($0.rawValue) } }
        Target.chosen.prepare()
        var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
        exit(runDriver(&count, &arguments, testOneInput))
    }
}

/// libFuzzer's loop over the inputs.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Runs the target on one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Target.chosen.run(UnsafeRawBufferPointer(start: data, count: count))
    return 0
}

/// A property of the target that does not hold ends the process, which libFuzzer reports with the input.
func hold(_ isTrue: Bool, _ rule: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
    guard !isTrue else { return }
    complain("BROKEN \(file):\(line): \(rule())\n")
    abort()
}

/// Writes a line to standard error.
func complain(_ text: String) {
    let line = Array(text.utf8)
    _ = write(2, line, line.count)
}
