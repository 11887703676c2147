internal import Machines
internal import Media

/// The live picture of one session. Until somebody takes it, it is held: the camera is kept, and no frame waits. Confined to
/// `Sessions`.
final class LivePicture {
    private let streams: CameraStreams
    /// Which stream it is of.
    private(set) var name: StreamName
    private(set) var sound: SoundForm = .none
    /// Keeps the camera while nobody has taken the picture.
    private var held: StreamViewer?
    /// Who has taken it, and holds it alive.
    private weak var taken: StreamViewer?
    /// The stream that is to replace it, held until a picture of it comes.
    private var next: (name: StreamName, viewer: StreamViewer)?

    /// Asks for the picture; `observer` is told when one comes, and when it ends. Sound is made beside it from now on where it is
    /// `heldWith` it, and heard only when that is asked for.
    init(
        _ streams: CameraStreams, _ definition: Session.Definition, heldWith sound: SoundForm,
        _ observer: StreamObserver
    ) throws(StreamRefusal) {
        self.streams = streams
        name = StreamName(definition)
        held = try streams.watch(name, sound: sound, isHeld: true, observer: observer)
    }

    /// Hands the picture out. Whoever had it gets nothing more: a session shows one.
    func take(_ observer: StreamObserver) throws(StreamRefusal) -> StreamViewer {
        let before = taken
        let viewer: StreamViewer
        if let held {
            viewer = held
            try viewer.move(to: streams.stream(name), sound: sound)
            try viewer.release()
        } else {
            viewer = try streams.watch(name, sound: sound, observer: observer)
        }
        (held, taken) = (nil, viewer)
        before?.leave()
        return viewer
    }

    /// Whether somebody has taken it, and has not left.
    var isTaken: Bool { taken.map { !$0.hasEnded } ?? false }

    /// Asks for another stream; `observer` is told when a picture of it comes. The one that is shown stays until `replace`.
    func prepare(_ definition: Session.Definition, _ observer: StreamObserver) throws(StreamRefusal) {
        let name = StreamName(definition)
        giveUpNext()
        next = (name, try streams.watch(name, sound: .none, isHeld: true, observer: observer))
    }

    /// Shows the stream that was prepared; false where it has gone meanwhile.
    func replace() -> Bool {
        guard let next else { return false }
        let before = name
        name = next.name
        defer { self.next = nil }
        if held != nil {
            held?.leave()
            held = next.viewer
            return true
        }
        guard (try? taken?.move(to: streams.stream(name), sound: sound)) != nil || taken == nil else {
            name = before
            next.viewer.leave()
            return false
        }
        next.viewer.leave()
        return true
    }

    /// The stream that was prepared is not wanted.
    func giveUpNext() {
        next?.viewer.leave()
        next = nil
    }

    /// Whether the camera sends sound with it, as far as is known: nil without a connection.
    var hasSound: Bool? { streams.stream(name).dial.map { $0.tracks.contains { $0.kind == .audio } } }

    /// Lets the sound be heard, or not.
    func hear(_ sound: SoundForm) {
        self.sound = sound
        // Hidden meanwhile, it is ended anyway.
        try? taken?.move(to: streams.stream(name), sound: sound)
    }

    /// Ends it; nobody gets a frame after this.
    func end(_ why: StreamEnd) {
        giveUpNext()
        held?.end(why)
        taken?.end(why)
        held = nil
    }
}

extension StreamName {
    /// The stream that is shown for a definition.
    init(_ definition: Session.Definition) {
        switch definition {
        case .hd: self = .main
        case .sd: self = .sub
        }
    }
}
