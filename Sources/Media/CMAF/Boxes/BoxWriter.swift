/// Builds ISO base media boxes in memory, big endian. Sizes are patched when a box is closed.
struct BoxWriter {
    private(set) var bytes: [UInt8] = []

    /// A box with its contents written by `body`.
    mutating func box(_ type: String, _ body: (inout BoxWriter) -> Void) {
        let start = bytes.count
        u32(0)
        bytes.append(contentsOf: type.utf8)
        body(&self)
        patch32(at: start, UInt32(truncatingIfNeeded: bytes.count - start))
    }

    /// A box that begins with version and flags.
    mutating func fullBox(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ body: (inout BoxWriter) -> Void) {
        box(type) { writer in
            // Widens a byte.
            writer.u32(UInt32(version) << 24 | flags & 0xff_ffff)
            body(&writer)
        }
    }

    mutating func u8(_ value: UInt8) { bytes.append(value) }

    mutating func u16(_ value: UInt16) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }

    mutating func u32(_ value: UInt32) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }

    mutating func u64(_ value: UInt64) { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }

    mutating func raw(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

    /// A four-character code, or any short text as it is.
    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Overwrites four bytes that are already there.
    mutating func patch32(at offset: Int, _ value: UInt32) {
        guard offset >= 0, offset + 4 <= bytes.count else { return }
        withUnsafeBytes(of: value.bigEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
    }

    /// The matrix of `tkhd` that turns by 180°, and moves what is turned back to where it was. The size is in 16.16 pixels.
    mutating func halfTurnMatrix(_ width: UInt32, _ height: UInt32) {
        for value: UInt32 in [0xffff_0000, 0, 0, 0, 0xffff_0000, 0, width, height, 0x4000_0000] { u32(value) }
    }

    /// The unity transformation matrix of `mvhd` and `tkhd`.
    mutating func unityMatrix() {
        for value: UInt32 in [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] { u32(value) }
    }
}
