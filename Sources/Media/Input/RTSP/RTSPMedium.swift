/// A medium that has been set up.
struct RTSPMedium {
    /// Where its packets lie in the connection.
    struct Channels: Hashable {
        let packets: UInt8
        let control: UInt8
    }

    let track: RTSPTrack
    let payloadType: UInt8
    let address: String
    /// The channels that the camera named first, and those that were asked for where it named another medium's. Empty over UDP.
    let channels: [Channels]
    /// Its sockets over UDP.
    let pair: DatagramPair?
}
