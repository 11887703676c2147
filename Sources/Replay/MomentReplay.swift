internal import Machines
public import Trace

/// Finds out what a camera's machine was doing at a moment: takes the camera's records up to the first one after it.
public struct MomentReplay: Sendable {
    /// The camera.
    public let camera: String
    /// The moment, wall time in milliseconds since 1970.
    public let wallMs: Int64
    /// The run that was on at the moment; nil where no record was taken before it.
    public private(set) var replay: CameraReplay?
    /// What led there.
    public private(set) var history = StepHistory()
    /// The first record after the moment; nil while none was read.
    public private(set) var next: TraceRecord?

    private var site = SiteReplay()
    private var place: Int?

    /// Asks about a camera and a moment.
    public init(camera: String, wallMs: Int64) {
        self.camera = camera
        self.wallMs = wallMs
    }

    /// Takes the next record; false where nothing more is needed.
    public mutating func take(_ record: TraceRecord) -> Bool {
        guard record.camera == camera, let taken = record.wallMs else { return true }
        if taken > wallMs {
            next = record
            return false
        }
        let before = place.flatMap { site.replays[$0].machine }
        let (verdict, place) = site.take(record)
        let after = site.replays[place]
        switch verdict {
        case .repeated, .late: break
        case .agrees where place == self.place && before != nil:
            history.note(after.lastStep, before: before, after: after.machine)
        case .agrees where record.seq == 1:
            history = StepHistory()
            history.note(after.lastStep, before: after.machine, after: after.machine)
        case .agrees, .differs, .adopted, .unchecked: history.note(nil, before: nil, after: nil)
        }
        self.place = place
        replay = after
        return true
    }
}
