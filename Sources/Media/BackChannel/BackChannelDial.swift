import Machines

/// Dials a camera's loudspeaker over RTSP, by ONVIF's back channel (ONVIF Streaming Specification, 5.3): on a connection of its own,
/// so that the one that is recorded knows nothing of it.
final class BackChannelDial {
    /// What ONVIF asks a camera to say about its loudspeaker.
    static let requirement = ("Require", "www.onvif.org/ver20/backchannel")

    /// The most bytes of sound that wait in the connection: half a second of G.711 at 8 kHz, which the kernel doubles.
    static let unsentBytesMax: Int32 = 4_096

    /// The way to a loudspeaker that takes packets.
    struct Line {
        let client: RTSPClient
        let format: BackChannelFormat
        /// The channel of its packets in the connection.
        let channel: UInt8
    }

    private let camera: RTSPAddress
    private let credential: CameraCredential?
    private let tls: TLSRules
    private let limits: InputLimits
    private let stop: StopSignal
    private let bounds: LoopBounds
    private var client: RTSPClient?
    /// The address of the whole stream.
    private(set) var address: String

    init(
        _ camera: RTSPAddress, credential: CameraCredential?, tls: TLSRules, limits: InputLimits, stop: StopSignal
    ) {
        (self.camera, self.credential, self.tls, self.limits) = (camera, credential, tls, limits)
        (self.stop, address) = (stop, camera.text)
        bounds = LoopBounds(stop: stop, limits: limits)
    }

    /// Asks the camera how its loudspeaker takes sound.
    func look(deadline: Int64) throws(InputFault) -> BackChannelFormat {
        try describe(deadline: deadline).format
    }

    /// Dials until packets can be sent.
    func run(deadline: Int64) throws(InputFault) -> Line {
        let (client, format, uri) = try describe(deadline: deadline)
        let answer = try client.success(
            "SETUP", uri, [("Transport", "RTP/AVP/TCP;unicast;interleaved=0-1"), Self.requirement], deadline: deadline)
        let given = TransportField(answer.first("transport") ?? "")
        guard given.transport != .udp else {
            throw .failed(.unsupported, "the camera takes the sound of its loudspeaker only in datagrams")
        }
        let channels = given.channels ?? .init(packets: 0, control: 1)
        client.connection.expect(channel: channels.packets)
        client.connection.expect(channel: channels.control)
        _ = try client.success("PLAY", address, [("Range", "npt=0.000-"), Self.requirement], deadline: deadline)
        // Nothing that the camera sends is wanted.
        _ = client.takeEarlyPackets()
        // What the kernel would keep for a camera that takes nothing are minutes, heard late.
        client.connection.transport.boundUnsent(bytes: Self.unsentBytesMax, ms: Int32(BackChannelSender.writeMs))
        return Line(client: client, format: format, channel: channels.packets)
    }

    /// Says good-bye.
    func hangUp() {
        client?.teardown(address)
        client = nil
    }

    /// Connects, and reads what the camera says of its loudspeaker.
    private func describe(
        deadline: Int64
    ) throws(InputFault) -> (client: RTSPClient, format: BackChannelFormat, uri: String) {
        let (client, answer) = try described(deadline: deadline)
        if answer.status == 551 {
            throw .failed(.unsupported, "the camera offers no back channel: it does not know ONVIF's")
        }
        if let fault = RTSPClient.fault(answer, to: "DESCRIBE") { throw fault }
        let sdp = SDP(String(decoding: answer.body, as: UTF8.self), mediaMax: limits.tracksMax)
        let (medium, format) = try sdp.backChannel()
        let bases = ControlAddress.bases(
            told: ["content-base", "content-location"].map { answer.first($0) }, control: sdp.control, request: camera)
        address = bases.stream
        return (client, format, ControlAddress.resolve(medium.control, base: bases.media, request: camera))
    }

    /// The answer to DESCRIBE. Some cameras close the connection behind their 401, and take the login on a new one.
    private func described(deadline: Int64) throws(InputFault) -> (RTSPClient, RTSPMessage) {
        var login = credential.map { CameraLogin(credential: $0, isSecure: camera.isSecure) }
        var hasReturned = false
        while true {
            let client = try RTSPClient.connect(
                camera, tls: tls, login: login, limits: limits, bounds: bounds, stop: stop, deadline: deadline)
            self.client = client
            do throws(InputFault) {
                _ = try client.answer("OPTIONS", camera.text, deadline: deadline)
                let fields = [("Accept", "application/sdp"), Self.requirement]
                return (client, try client.answer("DESCRIBE", camera.text, fields, deadline: deadline))
            } catch {
                guard case .failed(.closed, _) = error, client.isChallenged, !hasReturned else { throw error }
                (hasReturned, login) = (true, client.login)
            }
        }
    }
}
