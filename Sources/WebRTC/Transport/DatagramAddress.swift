internal import CDatagrams

extension vigil_endpoint {
    /// The sixteen bytes of the address.
    var bytes: [UInt8] { withUnsafeBytes(of: (first, last)) { Array($0) } }

    /// Whether it is an address of IPv4.
    var isFour: Bool { bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] }

    /// Whether both are the same address, whatever the port.
    func isSame(_ other: vigil_endpoint) -> Bool { first == other.first && last == other.last }
}

/// A place to which datagrams go and from which they come.
struct DatagramAddress: Hashable {
    let first: UInt64
    let last: UInt64
    let port: UInt16

    init(_ endpoint: vigil_endpoint) { (first, last, port) = (endpoint.first, endpoint.last, endpoint.port) }
}
