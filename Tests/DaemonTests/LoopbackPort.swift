import Foundation
import Testing

/// Ports for servers of the tests.
enum LoopbackPort {
    /// A loopback port that was free just now.
    static func free() throws -> UInt16 {
        let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(handle) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(handle, $0, length) == 0 && getsockname(handle, $0, &length) == 0
            }
        }
        try #require(isBound)
        return UInt16(bigEndian: address.sin_port)
    }
}
