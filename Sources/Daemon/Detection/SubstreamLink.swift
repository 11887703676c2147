internal import Machines
internal import Media

/// What one dial of a sub-stream delivers: frames for the detector, and word of its beginning and its end.
///
/// It is no link of the machine's: it is dialled when the main link streams and closed with it, and nothing depends on it.
final class SubstreamLink: InputSink {
    /// What a dial says.
    enum Word: Sendable {
        case frame(Frame)
        case ended(InputEnd)
    }

    private let tell: @Sendable (Word) -> Void

    /// `tell` is called on the dial's own thread.
    init(_ tell: @escaping @Sendable (Word) -> Void) { self.tell = tell }

    func dialed(_ streams: [StreamDescription]) {}
    func frame(_ frame: Frame) { if frame.kind == .video { tell(.frame(frame)) } }
    func repaired(_ report: RepairReport) {}
    func ended(_ end: InputEnd, counts: InputCounts) { tell(.ended(end)) }
}
