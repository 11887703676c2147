internal import ArgumentParser

/// A number that may be below 0, also a whole one, whose sign ``ClipArgument/apart(_:)`` has changed.
struct SignedArgument: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        guard let value = Double(argument.replacing(ClipArgument.minus, with: "-")) else { return nil }
        self.value = value
    }
}
