/// The head of a packet of RTP (RFC 3550, 5.1) without sources or extensions.
struct RTPHeader {
    /// Its size, in bytes.
    static let bytes = 12

    var payloadType: UInt8
    var isLast: Bool
    var sequence: UInt16
    var stamp: UInt32
    var source: UInt32

    /// Writes it at the begin of `bytes`, which hold it.
    func write(into bytes: UnsafeMutableRawBufferPointer) {
        bytes[0] = 0x80
        bytes[1] = payloadType & 0x7F | (isLast ? 0x80 : 0)
        bytes.storeBytes(of: sequence.bigEndian, toByteOffset: 2, as: UInt16.self)
        bytes.storeBytes(of: stamp.bigEndian, toByteOffset: 4, as: UInt32.self)
        bytes.storeBytes(of: source.bigEndian, toByteOffset: 8, as: UInt32.self)
    }
}
