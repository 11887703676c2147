/// What is to be set of how a device makes the picture of one video source; all else of it stays as it is.
package struct ImagingChange: Hashable, Sendable {
    /// What the elements of `ImagingSettings20` say, by their names; no text needs to be escaped.
    private var texts: [String: String] = [:]

    /// Chooses night vision.
    package init(_ nightVision: NightVision) { texts["IrCutFilter"] = nightVision.filter }

    /// Sets a level of the picture; `share` is 0…100 of the levels that the device has.
    package init(_ part: PictureLevel.Part, of level: PictureLevel, share: Int) {
        texts[part.rawValue] = PictureLevel.text(level.level(share: share))
    }

    /// Sets a level of the picture back to the very number that the device told.
    package init(_ part: PictureLevel.Part, backTo level: PictureLevel) {
        texts[part.rawValue] = PictureLevel.text(level.said)
    }

    /// All of these at once; of two that set the same the later one counts.
    package init(_ changes: [ImagingChange]) {
        for change in changes { texts.merge(change.texts) { _, later in later } }
    }

    /// As a request has it. The standard has these elements in a fixed order, which is that of the alphabet.
    var element: String {
        let elements = texts.sorted { $0.key < $1.key }.map { "<tt:\($0.key)>\($0.value)</tt:\($0.key)>" }
        return "<t:ImagingSettings>\(elements.joined())</t:ImagingSettings>"
    }
}
