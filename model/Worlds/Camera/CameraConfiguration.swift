package import Machines

/// One view of the camera: which world, and which bounds, in ticks. Each mirrors the constants of a `model/cfg/Camera-*.cfg`.
public struct CameraConfiguration: Sendable, CustomStringConvertible {
    /// What can come in (`Kind` of model/Camera.tla).
    public enum Kind: String, Sendable {
        case link, trigger, recorder, product, linkView, triggerView, recorderView, keyframeView, small
        /// The clips of events with toggle and storage; it has no configuration of the model.
        case diskView
        /// A schedule, storage that is low or lost, the switch for live pictures, and a cut that waits more than once; it has no
        /// configuration of the model either.
        case timetableView
    }

    /// A bound that the view leaves out: it never comes. Printed `*`.
    public static let never = 99

    /// The name of the configuration file, without `Camera-` and its ending.
    public let name: String
    /// The alphabet.
    package var kind: Kind
    /// The policies that may come into force.
    package var policies: [CameraPolicy]
    /// The first state: its policy, storage and toggle.
    package var start: CameraPolicy
    package var storage = Storage.ok
    package var enabled = false
    /// Which endpoints are dialled.
    package var connect = DialOrder.lan
    /// The bounds of the link.
    package var dial = 99
    package var silence = 99
    package var hangBound = 99
    package var keyWarn = 99
    package var keyLong = 99
    package var keyShift = 1
    /// After which streaming the failures are forgotten; 0: with the key frame.
    package var steady = 0
    /// The back-off: the longest wait of the link, the cap of failures, the wait after a refused login.
    package var waitCap = 1
    package var failMax = 2
    package var unauthorized = 1
    /// How long a source holds without being refreshed.
    package var stale = 1
    /// The bounds of the recorder, and its longest wait.
    package var openBound = 1
    package var closeBound = 1
    package var grace = 1
    package var moreGraces = 1
    package var rest = 1
    package var clipLength = 1
    package var retryCap = 1
    /// The time control of a command.
    package var commandI = 1
    package var commandM = 1

    /// Its name.
    public var description: String { name }

    /// A view; every bound that is not set keeps the least value that makes sense.
    init(
        _ name: String, _ kind: Kind, _ policies: [CameraPolicy], _ more: (inout CameraConfiguration) -> Void = { _ in }
    ) {
        self.name = name
        self.kind = kind
        self.policies = policies
        start = policies[0]
        more(&self)
    }

    /// Ticks as milliseconds: a tick is a second, which is the least window and the least clip length of the machine.
    static func ms(_ ticks: Int) -> Int64 { ticks == never ? .max : Int64(ticks) * 1_000 }

    /// The bounds of the machine.
    var timing: Timing {
        func waits(_ cap: Int) -> [Int64] { (0..<max(failMax, 1)).map { Self.ms(min(1 << $0, cap)) } }
        return Timing(
            dialMs: Self.ms(dial), silenceMs: Self.ms(silence), keyframeMs: Self.ms(keyWarn),
            patienceMs: Self.ms(keyLong), steadyMs: steady == 0 ? nil : Self.ms(steady), hangUpMs: Self.ms(hangBound),
            unauthorizedMs: Self.ms(unauthorized),
            openMs: Self.ms(openBound), graceMs: Self.ms(grace), moreGraces: UInt8(moreGraces),
            closeMs: Self.ms(closeBound), restMs: Self.ms(rest),
            redialMs: waits(waitCap), retryMs: waits(retryCap), failureCap: UInt8(failMax),
            patienceDoublings: UInt8(keyShift), jitterPercent: 0)
    }

    /// A policy of the table with the clip length of this view.
    func policy(_ name: CameraPolicy) -> Policy {
        var policy = name.policy
        policy.clipLengthMs = Self.ms(clipLength)
        return policy
    }
}
