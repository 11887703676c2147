/// Why a dial failed or a link was lost, as far as the decision to try again and the operator's report need it.
/// Media maps every libav and socket error to one of these, once, at the border.
public enum LinkFailure: String, Hashable, Sendable, Codable, CaseIterable {
    /// The name does not resolve, or no route leads to the host.
    case unreachable
    /// The host answers, but nothing listens on the port.
    case refused
    /// No answer within the dial deadline.
    case timeout
    /// The connection before has not ended: its thread is in a call that nothing interrupts. Nothing was dialled.
    case stuck
    /// Login refused: wrong or missing credential. Tried again only after a long wait, so that the camera
    /// does not lock the account.
    case unauthorized
    /// The camera does not know the path.
    case notFound
    /// TLS failed: unknown authority, wrong name, or no TLS at all.
    case tls
    /// What answers does not speak RTSP, or breaks its rules.
    case garbage
    /// The camera offers nothing that can be recorded (no video or audio codec that Vigil stores).
    case unsupported
    /// No packet for the silence bound.
    case silence
    /// Packets, but no key frame for the patience bound.
    case noKeyFrame
    /// The camera has no session left for one more who watches it.
    case busy
    /// The camera closed the connection, or the connection broke.
    case closed
    /// The source ended (a file that is not looped).
    case ended
    /// The camera sent more than one camera may: it has passed a bound of its budget. Tried again only after a long wait.
    case budget
    /// Memory, threads or another resource of this machine ran out.
    case resources
}
