/// The body of `POST /v1/discover/picture`: shows what a stream sends.
public struct PictureCommand: Hashable, Sendable, Codable {
    /// The address of the stream, `rtsp:` or `rtsps:`, without a login.
    public var stream: String
    /// The login at it.
    public var login: DeviceAccount?
    /// The name of a login of vigil.yaml in its place.
    public var credential: String?

    /// A picture of a stream.
    public init(stream: String, login: DeviceAccount? = nil, credential: String? = nil) {
        (self.stream, self.login, self.credential) = (stream, login, credential)
    }

    /// What is wrong with it and what to do; nil where it can be done.
    public var flaw: (reason: String, remedy: String)? {
        let folded = stream.lowercased()
        guard folded.hasPrefix("rtsp://") || folded.hasPrefix("rtsps://"), stream.utf8.count <= 2_048 else {
            return ("stream is no address of RTSP", "give rtsp://HOST/PATH")
        }
        if login != nil, credential != nil { return ("there are two logins", "give login or credential") }
        return login?.flaw
    }
}
