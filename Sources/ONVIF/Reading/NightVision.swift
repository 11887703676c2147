internal import XML

/// How a camera sees at night, as its filter against infrared light stands (ONVIF Imaging, `IrCutFilterMode`).
package enum NightVision: String, Hashable, Sendable, CaseIterable {
    /// The camera decides by the light that there is.
    case auto
    /// By night all the time: the filter is away, most cameras show no colours and light their own lamps.
    case on
    /// By day all the time: the filter is before the sensor.
    case off

    /// The word of the standard for the filter: `ON` is a filter that is before the sensor, so by day.
    var filter: String {
        switch self {
        case .auto: "AUTO"
        case .on: "OFF"
        case .off: "ON"
        }
    }

    private init?(filter text: String?) {
        guard let word = text?.trimmed, let one = Self.allCases.first(where: { $0.filter == word }) else { return nil }
        self = one
    }

    /// How it stands, of an answer of GetImagingSettings; nil where the device has no such filter.
    init?(settings response: XMLNode) {
        self.init(filter: response.child("ImagingSettings")?.text("IrCutFilter"))
    }

    /// What can be chosen, of an answer of GetOptions; none where the device has no such filter.
    static func choices(_ response: XMLNode) -> Set<NightVision> {
        let modes = response.child("ImagingOptions")?.all("IrCutFilterModes") ?? []
        return Set(modes.compactMap { NightVision(filter: $0.text) })
    }
}
