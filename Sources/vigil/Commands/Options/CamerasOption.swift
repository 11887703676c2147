internal import ArgumentParser

/// Which cameras a listing is of.
struct CamerasOption: ParsableArguments {
    @Option(name: .long, help: "Only this camera; several are separated by commas.")
    var camera: String?

    /// Their names; nil for all.
    var names: [String]? { camera?.split(separator: ",").map(String.init) }
}
