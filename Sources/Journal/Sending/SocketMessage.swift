internal import Glibc

/// A message that carries a file descriptor (SCM_RIGHTS, unix(7)).
enum SocketMessage {
    /// Sends one descriptor, with no bytes beside it, as journald expects for a large record. May block as long as the
    /// socket's send timeout.
    static func send(descriptor: Int32, over socket: Int32, to address: UnixAddress) -> Delivery {
        // The C macros for this layout cannot be imported: the header, padded to a machine word, then the descriptor.
        let word = MemoryLayout<Int>.size
        let headerBytes = (MemoryLayout<cmsghdr>.size + word - 1) / word * word
        let payloadBytes = MemoryLayout<Int32>.size
        let spaceBytes = headerBytes + (payloadBytes + word - 1) / word * word
        let control = UnsafeMutableRawPointer.allocate(byteCount: spaceBytes, alignment: word)
        defer { control.deallocate() }
        control.initializeMemory(as: UInt8.self, repeating: 0, count: spaceBytes)
        var header = cmsghdr()
        header.cmsg_len = numericCast(headerBytes + payloadBytes)
        header.cmsg_level = SOL_SOCKET
        header.cmsg_type = Int32(SCM_RIGHTS)
        withUnsafeBytes(of: header) {
            control.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(control), byteCount: $0.count)
        }
        control.storeBytes(of: descriptor, toByteOffset: headerBytes, as: Int32.self)
        let sent = address.withPointer { pointer, length in
            var message = msghdr()
            message.msg_name = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(pointer))
            message.msg_namelen = length
            message.msg_control = control
            message.msg_controllen = numericCast(spaceBytes)
            return sendmsg(socket, &message, Int32(MSG_NOSIGNAL))
        }
        return sent < 0 ? Delivery(sendErrno: errno) : .delivered
    }
}
