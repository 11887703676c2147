public import Machines

/// A clip that only the cloud has is a clip like any other to those who play: its number is below 0, so none of the disk has it.
extension ClipID {
    /// The number of a remote clip among those of the disk.
    public init(remote id: RemoteClipID) { self.init(rawValue: -max(id.rawValue, 1)) }

    /// Which remote clip it is; nil for one of the disk.
    public var remote: RemoteClipID? {
        rawValue < 0 && rawValue > .min ? RemoteClipID(rawValue: -rawValue) : nil
    }
}

extension Clip {
    /// A clip of the cloud, closed; the rest is what its description says.
    public init(
        _ remote: RemoteClip, opened: NewClip, end: Moment, ended: ClipEnd?, isIncomplete: Bool, tracks: [Track]
    ) {
        self.init(
            id: ClipID(remote: remote.id), state: .closed, opened: opened, end: end, ended: ended, protected: false,
            incomplete: isIncomplete, bytes: remote.bytes, damagedFrames: 0, tracks: tracks)
    }
}

extension Clip.Track {
    /// A track of a clip of the cloud; `path` is where its file lay.
    public init(
        remote ordinal: Int, kind: TrackKind, codec: String, path: String, bytes: Int64, fragments: Int64,
        durationMs: Int64
    ) {
        self.init(
            ordinal: ordinal, kind: kind, codec: codec, path: path, bytes: bytes, fragments: fragments,
            durationMs: durationMs)
    }
}
