// Reads what was freed: the address sanitizer reports it.
@main struct Freed {
    static func main() {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
        bytes.storeBytes(of: CommandLine.argc, as: Int32.self)
        bytes.deallocate()
        print(bytes.load(as: Int32.self))
    }
}
