internal import XML

/// A level of how a device makes its picture (ONVIF Imaging, `ImagingSettings20`), and which levels the device has.
package struct PictureLevel: Hashable, Sendable {
    /// What is set by a level, as the standard calls it.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case brightness = "Brightness"
        case saturation = "ColorSaturation"
        case contrast = "Contrast"
        case sharpness = "Sharpness"
    }

    /// How far from 0 a level may be, and how far the least level from the greatest at the least, in the device's own unit.
    static let magnitudeMax: Double = 1_000_000
    static let spanMin: Double = 0.01
    /// Levels of a greater span whose ends are whole are whole: devices round what is between.
    private static let fractionSpanMax: Double = 2

    /// What is set, in the device's own unit, of ``range``.
    let value: Double
    /// The levels that the device has.
    let range: ClosedRange<Double>

    /// The levels of answers of GetImagingSettings and GetOptions; one without a range, or with one that is none, is left out.
    static func read(settings: XMLNode, options: XMLNode) -> [Part: PictureLevel] {
        let (told, offered) = (settings.child("ImagingSettings"), options.child("ImagingOptions"))
        var levels: [Part: PictureLevel] = [:]
        for part in Part.allCases {
            let range = offered?.child(part.rawValue)
            guard let value = number(told?.text(part.rawValue)), let least = number(range?.text("Min")),
                let most = number(range?.text("Max")), most - least >= spanMin
            else { continue }
            levels[part] = PictureLevel(value: min(max(value, least), most), range: least...most)
        }
        return levels
    }

    private static func number(_ text: String?) -> Double? {
        guard let text, let number = Double(text.trimmed), number.magnitude <= magnitudeMax else { return nil }
        return number
    }

    private var span: Double { range.upperBound - range.lowerBound }

    private var isWhole: Bool {
        span > Self.fractionSpanMax && range.lowerBound == range.lowerBound.rounded()
            && range.upperBound == range.upperBound.rounded()
    }

    /// It as a part of the levels that the device has, 0…100.
    package var share: Int { Int(((value - range.lowerBound) / span * 100).rounded()) }

    /// The level for a share, 0…100, in the device's own unit.
    func level(share: Int) -> Double {
        let wanted = range.lowerBound + span * Double(min(max(share, 0), 100)) / 100
        return isWhole ? wanted.rounded() : min(wanted, range.upperBound)
    }

    /// Whether it is what a share sets, but for half a hundredth of the levels.
    package func agrees(share: Int) -> Bool { (level(share: share) - value).magnitude <= span / 200 }

    /// As a request has it, with the level for a share.
    func element(_ part: Part, share: Int) -> String {
        let wanted = level(share: share)
        return "<tt:\(part.rawValue)>\(isWhole ? "\(Int(wanted))" : "\(wanted)")</tt:\(part.rawValue)>"
    }
}
