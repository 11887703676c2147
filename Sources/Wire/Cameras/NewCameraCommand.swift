/// The body of `POST /v1/cameras`: a camera to write into vigil.yaml.
public struct NewCameraCommand: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// The address of its main stream, without a login.
    public var main: String
    /// The address of its sub-stream; absent: none.
    public var sub: String?
    /// The address of its device of ONVIF; absent: it is not asked.
    public var onvif: String?
    /// Its login, which is kept in a file of its own under the camera's name.
    public var login: DeviceAccount?
    /// The name of a login that vigil.yaml or the environment knows, in its place.
    public var credential: String?
    /// The name of its policy.
    public var policy: String

    /// A camera.
    public init(name: String, main: String, policy: String) {
        (self.name, self.main, self.policy) = (name, main, policy)
    }

    /// What is wrong with it and what to do; nil where it can be written.
    public var flaw: (reason: String, remedy: String)? {
        if login != nil, credential != nil { return ("there are two logins", "give login or credential") }
        for text in [main, sub, onvif] where (text?.utf8.count ?? 0) > 2_048 {
            return ("an address is longer than 2048 bytes", "give the one that POST /v1/discover names")
        }
        for text in [main, sub] where text.map({ !$0.lowercased().hasPrefix("rtsp") }) ?? false {
            return (
                "a stream is no address of RTSP", "give rtsp://HOST/PATH; write other sources into vigil.yaml by hand"
            )
        }
        return login?.flaw
    }
}
