public import Machines

/// One configured camera, as `GET /v1/cameras` tells it. Addresses carry no user name and no password.
public struct CameraInfo: Hashable, Sendable, Codable {
    /// The addresses of one stream, by endpoint; credentials removed.
    public struct Addresses: Hashable, Sendable, Codable {
        /// The address in the local network.
        public var lan: String?
        /// The address over the internet.
        public var internet: String?

        /// Addresses; none unless named.
        public init(lan: String? = nil, internet: String? = nil) {
            self.lan = lan
            self.internet = internet
        }
    }

    /// The camera's name in the configuration.
    public var camera: String
    /// The recording toggle.
    public var enabled: Bool
    /// The privacy switches.
    public var privacy: Privacy
    /// The name of its policy.
    public var policy: String
    /// Which endpoints may be dialled.
    public var connect: ConnectMode
    /// The stream that is recorded.
    public var main: Addresses
    /// The stream for detection and small views, where there is one.
    public var sub: Addresses?
    /// The name under which its credential is looked up; never the credential.
    public var credential: String?

    /// One camera.
    public init(
        camera: String, enabled: Bool, privacy: Privacy, policy: String, connect: ConnectMode, main: Addresses,
        sub: Addresses? = nil, credential: String? = nil
    ) {
        self.camera = camera
        self.enabled = enabled
        self.privacy = privacy
        self.policy = policy
        self.connect = connect
        self.main = main
        self.sub = sub
        self.credential = credential
    }
}
