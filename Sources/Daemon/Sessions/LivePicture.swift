internal import Machines
internal import Media

/// The live picture of one session. Until somebody takes it, it is held: the camera is kept, and no frame waits. Confined to
/// `Sessions`.
final class LivePicture {
    private let streams: CameraStreams
    /// Which stream is wished.
    private(set) var name: StreamName
    /// The stream that is shown instead to who has taken it, because the network carries no more.
    private(set) var carried: StreamName?
    /// Whether the viewer has chosen a stream while it looked: then no other one is shown.
    private(set) var isChosen = false
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
        // Another viewer has another network.
        (held, taken, carried) = (nil, viewer, nil)
        before?.leave()
        return viewer
    }

    /// Whether somebody has taken it, and has not left.
    var isTaken: Bool { taken.map { !$0.hasEnded } ?? false }

    /// Asks for another stream; `observer` is told when a picture of it comes. The one that is shown stays until `replace`.
    func prepare(_ definition: Session.Definition, _ observer: StreamObserver) throws(StreamRefusal) {
        let name = StreamName(definition)
        isChosen = true
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
        carried = nil
        next.viewer.leave()
        return true
    }

    /// The stream that was prepared is not wanted.
    func giveUpNext() {
        next?.viewer.leave()
        next = nil
    }

    /// The stream that is shown.
    var shown: StreamName { carried ?? name }

    /// Asks for another stream beside the one that is shown, and holds it; `observer` is told when a picture of it comes.
    func hold(_ stream: StreamName, _ observer: StreamObserver) throws(StreamRefusal) -> StreamViewer {
        try streams.watch(stream, sound: .none, isHeld: true, observer: observer)
    }

    /// Shows another stream to who has taken it, and leaves the wish as it is; false where nobody has, or it is hidden.
    func carry(_ stream: StreamName) -> Bool {
        guard !isChosen, let taken, (try? taken.move(to: streams.stream(stream), sound: sound)) != nil else {
            return false
        }
        carried = stream == name ? nil : stream
        return true
    }

    /// The viewer has chosen the stream that it wishes already: that one is shown from now on. Whether another one was.
    func choose() -> Bool {
        isChosen = true
        guard carried != nil else { return false }
        if let taken, (try? taken.move(to: streams.stream(name), sound: sound)) == nil { return false }
        carried = nil
        return true
    }

    /// Whether the camera sends sound with it, as far as is known: nil without a connection.
    var hasSound: Bool? { streams.stream(shown).dial.map { $0.tracks.contains { $0.kind == .audio } } }

    /// Lets the sound be heard, or not.
    func hear(_ sound: SoundForm) {
        self.sound = sound
        // Hidden meanwhile, it is ended anyway.
        try? taken?.move(to: streams.stream(shown), sound: sound)
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
