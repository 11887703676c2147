/// What kind of machine a step is of, as its record has it. A version to come may know others.
public struct MachineKind: RawRepresentable, Sendable, Hashable {
    /// The name in the record.
    public let rawValue: String

    /// A kind of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The machine of a camera.
    public static let camera = MachineKind(rawValue: "camera")
    /// The machine of a viewer's session. Its name is the camera's, a slash, and the session's id.
    public static let session = MachineKind(rawValue: "session")
    /// The machine of a job of the upload queue. Its name is the camera's, a slash, the job's id, a
    /// point, and a number that no other machine of the run has: a job may be taken in hand again.
    public static let upload = MachineKind(rawValue: "upload")
    /// The machine of a camera's cloud subscription. Its name is the camera's.
    public static let subscription = MachineKind(rawValue: "subscription")
    /// The machine of a transport. Its name is the camera's, a slash, the transport's number, a point,
    /// and a number that no other machine of the run has: a camera may be removed and added again.
    public static let transport = MachineKind(rawValue: "transport")
}
