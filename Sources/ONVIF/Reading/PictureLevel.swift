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
    /// What the device told, which may lie beyond ``range``.
    let said: Double
    /// The levels that the device has.
    let range: ClosedRange<Double>

    /// The ranges of an answer of GetOptions; one that is none is left out.
    static func ranges(_ options: XMLNode) -> [Part: ClosedRange<Double>] {
        let offered = options.child("ImagingOptions")
        var ranges: [Part: ClosedRange<Double>] = [:]
        for part in Part.allCases {
            let range = offered?.child(part.rawValue)
            guard let least = number(range?.text("Min")), let most = number(range?.text("Max")),
                most - least >= spanMin
            else { continue }
            ranges[part] = least...most
        }
        return ranges
    }

    /// The levels of an answer of GetImagingSettings; one without a range is left out.
    static func read(_ settings: XMLNode, within ranges: [Part: ClosedRange<Double>]) -> [Part: PictureLevel] {
        let told = settings.child("ImagingSettings")
        var levels: [Part: PictureLevel] = [:]
        for (part, range) in ranges {
            guard let said = number(told?.text(part.rawValue)) else { continue }
            let value = min(max(said, range.lowerBound), range.upperBound)
            levels[part] = PictureLevel(value: value, said: said, range: range)
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

    /// A level as a request has it: the same number when it is read.
    static func text(_ level: Double) -> String { Int(exactly: level).map { "\($0)" } ?? "\(level)" }
}
