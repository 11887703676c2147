/// Why a value is not acceptable, without its place.
package struct Fault: Error, Hashable {
    /// What is wrong.
    package let reason: String
    /// What to write instead.
    package let remedy: String
}
