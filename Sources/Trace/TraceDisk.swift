internal import Glibc

/// The calls by which a trace reaches the disk; a test gives others, which fail or take their time.
public protocol TraceDisk: Sendable {
    /// Writes at the end of the file, as write(2): how many bytes were taken, or the negative error number.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int
    /// Makes what was written durable, as fdatasync(2): 0 or the error number.
    func sync(_ file: Int32) -> Int32
}

/// The disk of this machine.
public struct SystemTraceDisk: TraceDisk {
    /// It holds nothing.
    public init() {}

    /// write(2).
    public func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int {
        let count = Glibc.write(file, bytes.baseAddress, bytes.count)
        return count < 0 ? -Int(errno) : count
    }

    /// fdatasync(2).
    public func sync(_ file: Int32) -> Int32 { fdatasync(file) == 0 ? 0 : errno }
}
