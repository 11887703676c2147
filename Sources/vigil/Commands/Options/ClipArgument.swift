internal import ArgumentParser

/// The number of a clip. It is below 0 where only the cloud has the clip.
struct ClipArgument: ExpressibleByArgument {
    let value: Int64

    init?(argument: String) {
        guard let value = Int64(argument.replacing(Self.minus, with: "-")) else { return nil }
        self.value = value
    }

    static let minus = "\u{2212}"

    /// Arguments in which a number below 0 is not taken for an option, which it looks like: its sign is the minus of typography.
    /// No option of the program is a digit.
    static func apart(_ arguments: [String]) -> [String] {
        arguments.map { Int64($0).map { $0 < 0 } == true ? minus + $0.dropFirst() : $0 }
    }
}
