internal import Machines
internal import Synchronization

/// The dials of the site that have not ended: at most one of each stream of a camera (H2).
///
/// A dial keeps its place until its thread is over, however long ago it was stopped and whoever stopped it: in a call that
/// nothing interrupts (the resolver, a file system that hangs) it may stay for long. Its camera is not dialled meanwhile,
/// not even by a camera of the same name that was configured after it. So each camera has at most `perCameraMax` threads
/// that read, and the sockets of as many.
final class OpenDials: Sendable {
    /// One stream of a camera.
    private struct Place: Hashable {
        let camera: String
        let stream: StreamName
    }

    /// Dials of one camera at a time: of its main stream and of its sub-stream.
    static let perCameraMax = StreamName.allCases.count
    /// How long a dial may take to end after it was stopped before that is called overdue, in milliseconds.
    static let hangUpMs = Timing().hangUpMs

    /// When each was stopped; nil: it was not.
    private let places = Mutex<[Place: Instant?]>([:])

    /// Takes the place of a stream. If the dial before has not ended, nothing is taken: gives when that was stopped.
    func take(_ camera: String, _ stream: StreamName, at now: Instant) -> Instant? {
        places.withLock { places in
            let place = Place(camera: camera, stream: stream)
            if let open = places[place] { return open ?? now }
            places[place] = .some(nil)
            return nil
        }
    }

    /// The dial was stopped; how long it takes to end counts from the first time.
    func stopped(_ camera: String, _ stream: StreamName, at now: Instant) {
        places.withLock { places in
            let place = Place(camera: camera, stream: stream)
            if let open = places[place], open == nil { places[place] = .some(now) }
        }
    }

    /// The dial has ended.
    func ended(_ camera: String, _ stream: StreamName) {
        places.withLock { $0[Place(camera: camera, stream: stream)] = nil }
    }

    /// For how long the hang-ups of a camera have been overdue, in milliseconds: the longest. nil: none is.
    func overdueMs(of camera: String, at now: Instant) -> Int64? {
        places.withLock { places in
            StreamName.allCases.compactMap { places[Place(camera: camera, stream: $0)] ?? nil }.map { now - $0 }
                .filter { $0 >= Self.hangUpMs }.max()
        }
    }

    /// How many dials were stopped and are overdue, of the cameras that are meant, also of those that were removed.
    func overdueCount(at now: Instant, of isMeant: (String) -> Bool = { _ in true }) -> Int {
        places.withLock { places in
            places.count { place, stopped in
                isMeant(place.camera) && stopped.map { now - $0 >= Self.hangUpMs } ?? false
            }
        }
    }
}
