internal import ArgumentParser

extension [String] {
    /// The one time among the words of an argument that is parsed as `.allUnrecognized`, so that it may begin with a dash, as
    /// -10m does; nil where there is no word. Throws a `ValidationError` for more words than one, and for a long option.
    func oneTime() throws -> String? {
        if let option = first(where: { $0.hasPrefix("--") }) { throw ValidationError("Unknown option '\(option)'") }
        guard count <= 1 else { throw ValidationError("name one time; put it in quotes where it has a blank") }
        return first
    }
}
