public import Machines

/// What a scan found in a track file.
public struct ScannedTrack: Hashable, Sendable {
    /// Video or audio.
    public let kind: TrackKind
    /// What a decoder must know; nil when another program wrote the file with a codec that Vigil does not store.
    public let configuration: CodecConfiguration?
    /// Bytes up to the end of the last whole fragment: the size of the file after a repair.
    public let bytes: UInt64
    /// Bytes after that, which belong to no whole fragment. A repair cuts them off.
    let tornBytes: UInt64
    /// What is wrong where the sound part ends; nil when nothing is.
    public let damage: String?
    /// Whether the torn bytes were cut off by this scan.
    let isRepaired: Bool
    /// Where the fragments are.
    public let index: FragmentIndex

    /// How many whole fragments there are.
    public var fragments: Int { index.entries.count }
    /// Ticks from the first sample to the end of the last.
    public var durationTicks: UInt64 { index.durationTicks }
    /// The same in milliseconds, rounded.
    public var durationMs: Int64 { index.durationMs }
    /// The RFC 6381 codec string; empty when the configuration is not known.
    public var codec: String { configuration?.codec ?? "" }
}
