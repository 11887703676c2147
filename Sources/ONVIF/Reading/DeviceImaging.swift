internal import XML

/// How a device makes the picture of one video source, and what of it can be chosen, as it told at one moment (ONVIF Imaging,
/// `ImagingSettings20` and `ImagingOptions20`).
package struct DeviceImaging: Hashable, Sendable {
    /// How it sees at night; nil where the device has no filter against infrared light that can be moved.
    package let nightVision: NightVision?
    /// What of night vision can be chosen; none where the device does not tell.
    package let nightVisionChoices: Set<NightVision>
    /// The levels of its picture, of the parts whose range the device tells.
    package let levels: [PictureLevel.Part: PictureLevel]
    private let ranges: [PictureLevel.Part: ClosedRange<Double>]

    /// Reads answers of GetImagingSettings and GetOptions; `options` is nil where the device does not tell what it offers.
    init(settings: XMLNode, options: XMLNode?) {
        self.init(
            settings, options.map { NightVision.choices($0) } ?? [], options.map { PictureLevel.ranges($0) } ?? [:])
    }

    private init(
        _ settings: XMLNode, _ choices: Set<NightVision>, _ ranges: [PictureLevel.Part: ClosedRange<Double>]
    ) {
        nightVision = NightVision(settings: settings)
        levels = PictureLevel.read(settings, within: ranges)
        nightVisionChoices = choices
        self.ranges = ranges
    }

    /// The same device at another moment, by another answer of GetImagingSettings: what it offers is as it was.
    func with(settings: XMLNode) -> DeviceImaging { DeviceImaging(settings, nightVisionChoices, ranges) }
}
