internal import Machines
internal import Synchronization

/// What the files of a clip that is being written hold so far, for readers on any thread.
public final class WrittenClip: Sendable {
    private let tracks = Mutex<[(kind: TrackKind, written: WrittenTrack)]>([])

    init() {}

    func add(_ kind: TrackKind, _ written: WrittenTrack) { tracks.withLock { $0.append((kind, written)) } }

    /// The files as their reader needs them: below `root`, at `stem` plus what tells their kind.
    public func files(root: String, stem: String) -> ClipFiles {
        ClipFiles(
            root: root,
            tracks: tracks.withLock { $0 }.map { track in
                let durable = track.written.durable
                return ClipFiles.Track(
                    kind: track.kind, path: stem + track.kind.fileExtension, index: track.written.index,
                    durable: durable)
            })
    }
}

extension TrackKind {
    /// What the name of its file ends with.
    var fileExtension: String {
        switch self {
        case .video: ".cmfv"
        case .audio: ".cmfa"
        }
    }
}
