/// Cameras that are not in vigil.yaml yet.
public protocol DiscoverySite: Sendable {
    /// Looks for devices of ONVIF, or asks the one that is named; keeps nothing. `invalid` where the address is none, `unavailable`
    /// where too many look at a time.
    func discover(_ command: DiscoverCommand, by caller: Caller) async throws -> [FoundDevice]
    /// A JPEG of the first key frame of a stream. `conflict` where the camera refuses or sends none in time.
    func picture(_ command: PictureCommand, by caller: Caller) async throws -> [UInt8]
    /// Writes a camera into vigil.yaml, its login into a file of its own, and gives it as it is in force then. `conflict` where there
    /// is such a camera or login, or the file cannot be changed; `invalid` where it, or what it leads to, is refused: nothing is
    /// kept then.
    func add(_ command: NewCameraCommand, by caller: Caller) async throws -> CameraInfo
}
