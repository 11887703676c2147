internal import Machines

/// Changes the zones and masks of one camera in vigil.yaml, as ``PolicyEditor`` changes a policy: in the text, proven by parsing, and
/// refused where it cannot be proven.
public enum AreaEditor {
    /// Largest text that is edited, in bytes; it is parsed anew for each area that differs.
    public static let maxBytes = ConfigurationEdit.maxBytes

    /// The text with these zones and masks of a camera, and nothing else changed: areas that stay the same stay as they are
    /// written, others are changed, added and removed one by one. Blocking, for as long as parsing takes. Throws an
    /// ``EditProblem``.
    public static func set(
        _ text: String, camera: String, zones: [Configuration.Camera.Area], masks: [Configuration.Camera.Area],
        file: String = "vigil.yaml"
    ) throws(EditProblem) -> String {
        let place: [KeyPath.Step] = [.key("cameras"), .key(camera)]
        guard text.utf8.count <= maxBytes else { throw .tooInvolved(keyPath: "cameras.\(camera)") }
        let before = try YAMLReader.item(text, file: file)
        guard before.at(place[...])?.entries != nil else { throw .absent(keyPath: "cameras.\(camera)") }
        var changed = text
        for (key, areas) in [("zones", zones), ("masks", masks)] {
            let section = place + [.key(key)]
            let known = before.at(section[...])
            if let known, known.entries == nil {
                changed = try ConfigurationEdit.change(changed, section, to: nil, file)
            }
            for area in areas where known?[area.name].flatMap(AreaText.polygon) != area.polygon {
                let path = section + [.key(area.name)]
                changed = try ConfigurationEdit.change(changed, path, to: AreaText.text(area.polygon), file)
            }
            for entry in known?.entries ?? [] where !areas.contains(where: { $0.name == entry.key }) {
                changed = try ConfigurationEdit.change(changed, section + [.key(entry.key)], to: nil, file)
            }
        }
        return changed
    }
}
