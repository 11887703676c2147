public import Machines
public import Replay

/// Why a moment of a camera was recorded or not, and what would have recorded it: one total answer.
public struct Explanation: Sendable {
    /// What the moment was.
    public enum Label: Sendable, Hashable {
        /// Its label of coverage.
        case known(Coverage)
        /// The trace does not tell.
        case unknown(Ignorance)
    }

    /// Why the trace does not tell.
    public enum Ignorance: String, Sendable, Hashable, Codable, CaseIterable {
        /// No record of the camera was read.
        case noTrace
        /// The trace begins later.
        case beforeTrace
        /// The trace ends before, and the machine would have made a step since.
        case afterTrace
        /// Records are missing or differ, and no whole state was read since.
        case broken
    }

    /// What would have recorded the moment.
    public enum Remedy: Sendable, Hashable {
        /// It was recorded.
        case none
        /// The smallest change of what was asked of the camera.
        case change([Change])
        /// No policy: what was in force asked for it already, or no change could.
        case noPolicy
        /// It cannot be told: what was in force, simulated, would have recorded it, but it was not.
        case undecided
        /// Nothing is known of the camera at the moment.
        case unknown
    }

    /// The camera.
    public let camera: String
    /// The moment, milliseconds since 1970.
    public let wallMs: Int64
    /// What the moment was, by the trace: the machine's label, and `recorded` where a clip holds it.
    public let label: Label
    /// The stretch of the trace that has the label, milliseconds since 1970; nil where that is not known.
    public let stretch: Range<Int64>?
    /// The machine's own label at the moment; nil where it is not known.
    public let machineLabel: Coverage?
    /// What failed of the conditions of recording.
    public let failed: [Condition]
    /// What would have recorded it.
    public let remedy: Remedy
    /// Nobody wanted a connection at the moment: what a change would have recorded is told as if the camera could have been
    /// reached, and a detector without media noticed nothing.
    let wasUnasked: Bool
    /// Around the moment nothing began or prolonged an event, nor was anything suppressed: milliseconds since 1970 of the
    /// time that was looked at. Nil where something did.
    public let quiet: Range<Int64>?
    /// No detection was read at all, of any time: perhaps no detector ran.
    let isWithoutDetections: Bool
    /// Detections near the moment that did not count.
    let suppressed: [(wallMs: Int64?, notice: CameraHistory.Notice)]
    /// The interval of the schedule that the moment lay in, milliseconds since 1970.
    let interval: Range<Int64>?
    /// The machine at the moment and what led there.
    public let moment: MomentReplay
}
