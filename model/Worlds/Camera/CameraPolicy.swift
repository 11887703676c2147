internal import Machines

/// The policies that the worlds of the camera know (`Table` of model/Camera.tla).
public enum CameraPolicy: String, Hashable, Sendable, CaseIterable {
    case off, offS, ev, evLow, evA0, evShort, evNoB, onD, cont, contEnd, evEnd

    /// When the schedule changes it, in ticks after it came into force.
    var next: Int? {
        switch self {
        case .offS: 1
        case .contEnd, .evEnd: 4
        default: nil
        }
    }

    /// The policy itself, without a clip length.
    var policy: Policy {
        switch self {
        case .off: Self.policy(.off, 1, 0, 1, 0)
        case .offS: Self.policy(.off, 1, 0, 1, 0, offBySchedule: true)
        case .ev: Self.policy(.event, 2, 2, 5, 2)
        case .evLow: Self.policy(.event, 1, 1, 3, 0, .low)
        case .evA0: Self.policy(.event, 2, 0, 5, 1)
        case .evShort: Self.policy(.event, 1, 1, 2, 1)
        case .evNoB: Self.policy(.event, 1, 1, 2, 0)
        case .onD: Self.policy(.event, 1, 1, 2, 1, connection: .onDemand)
        case .cont: Self.policy(.continuous, 1, 1, 2, 1)
        case .contEnd: Self.policy(.continuous, 1, 1, 2, 0)
        case .evEnd: Self.policy(.event, 2, 2, 5, 0)
        }
    }

    /// The only zone of the camera that the policies care for.
    static let zone = Zones(inside: 1, outside: false)
    /// Another one.
    static let otherZone = Zones(inside: 2, outside: true)

    private static func policy(
        _ mode: Mode, _ i: Int, _ a: Int, _ m: Int, _ b: Int, _ sensitivity: Sensitivity = .medium,
        offBySchedule: Bool = false, connection: ConnectionMode = .always
    ) -> Policy {
        Policy(
            mode: mode, offBySchedule: offBySchedule, sensitivity: sensitivity, zones: zone,
            timeControl: TimeControl(
                initialMs: CameraConfiguration.ms(i), augmentationMs: CameraConfiguration.ms(a),
                maxMs: CameraConfiguration.ms(m), blindMs: CameraConfiguration.ms(b)),
            preRollMs: 5_000, connection: connection)
    }
}
