/// A command that did not do what was asked; ends the program with status 1, unless the command says otherwise.
struct Failure: Error, Equatable {
    /// What was not done, why, and what to do about it.
    var message: String

    /// The status with which the program ends.
    var status: Int32

    init(_ message: String, status: Int32 = 1) {
        self.message = message
        self.status = status
    }
}
