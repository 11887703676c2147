/// Who asks, what they may do, and on which cameras. Made by the gate, looked at by `Access` alone.
public struct Principal: Hashable, Sendable {
    /// Who it is, for the journal.
    public let caller: Caller
    /// What it may do.
    public let right: Right
    /// On which cameras.
    public let cameras: CameraScope
    /// The login of the page by which it was admitted, if it was.
    package internal(set) var login: LoginID?

    /// A principal.
    public init(caller: Caller, right: Right, cameras: CameraScope) {
        self.caller = caller
        self.right = right
        self.cameras = cameras
    }
}
