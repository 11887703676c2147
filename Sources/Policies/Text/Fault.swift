/// Why a value is not acceptable, without its place.
struct Fault: Error, Hashable {
    /// What is wrong.
    let reason: String
    /// What to write instead.
    let remedy: String
}
