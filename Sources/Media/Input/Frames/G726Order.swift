/// How the codes of G.726 sound lie in its bytes. Nothing in a packet tells which, and some cameras do other than the name
/// that their description uses.
public enum G726Order: String, Hashable, Sendable, CaseIterable {
    /// As the name in the description says: `G726-32` is RFC 3551, `AAL2-G726-32` is AAL2.
    case auto
    /// The first code in the lowest bits (RFC 3551, 4.5.4).
    case rfc3551
    /// The first code in the highest bits (ITU-T I.366.2, Annex E).
    case aal2
}
