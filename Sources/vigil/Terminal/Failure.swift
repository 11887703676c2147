/// A command that did not do what was asked; ends the program with status 1.
struct Failure: Error, Equatable {
    /// What was not done, why, and what to do about it.
    var message: String

    init(_ message: String) { self.message = message }
}
