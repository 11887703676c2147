internal import Policies
internal import Server

/// The topics of one site; all begin with the name that the configuration gives it.
struct SiteTopics: Hashable, Sendable {
    /// What they begin with.
    let base: String

    /// `online`, or `offline` from the broker itself when the connection breaks.
    var status: String { "\(base)/status" }
    /// The storage.
    var site: String { "\(base)/site" }

    /// A topic of one camera.
    func camera(_ camera: String, _ leaf: String) -> String { "\(base)/camera/\(camera)/\(leaf)" }

    /// The topics of a camera's pictures.
    func pictures(_ camera: String) -> [String] { ["picture", "still"].map { self.camera(camera, $0) } }

    /// All topics of a camera that the broker keeps.
    func kept(_ camera: String) -> [String] {
        pictures(camera) + ["event", "motion", "state"].map { self.camera(camera, $0) }
            + CameraSwitch.allCases.map { self.camera(camera, $0.rawValue) }
    }

    /// Where a switch of a camera is turned.
    func command(_ camera: String, _ name: CameraSwitch) -> String { self.camera(camera, "\(name.rawValue)/set") }

    /// Where a camera is set.
    func command(_ camera: String, _ name: CameraSettings.Key) -> String { self.camera(camera, "\(name.rawValue)/set") }

    /// What fits every topic of a command.
    var commandFilters: [String] {
        ["\(base)/camera/+/+/set", "\(base)/camera/+/trigger", "\(base)/camera/+/source/+"]
    }

    /// The parts behind `base/camera/`; nil where a topic is not below it.
    func parts(_ topic: String) -> [Substring]? {
        let parts = topic.split(separator: "/", maxSplits: 8, omittingEmptySubsequences: false)
        return parts.count > 3 && parts[0] == base && parts[1] == "camera" ? Array(parts[2...]) : nil
    }
}

/// What can be switched at a camera, as its topic names it.
enum CameraSwitch: String, Hashable, Sendable, CaseIterable {
    /// The recording toggle.
    case recording
    /// Hard privacy: everything stops, the link too.
    case privacy
    /// Nothing is recorded.
    case softRecording
    /// Nothing is shown live.
    case softLive
}

extension CameraSettings.Key {
    /// What can be set by messages.
    static let byMessage: [Self] = [.sensitivity, .maxEventLength]

    /// The value that a payload stands for, as a `SettingsCommand` has it; nil where it is none. Lengths come in seconds.
    func value(_ payload: String) -> String? {
        if payload == SettingsCommand.standard { return payload }
        var settings = CameraSettings()
        guard self == .maxEventLength else {
            return (try? settings.set(self, payload)) == nil ? nil : settings[self]
        }
        guard (try? settings.set(self, payload + "s")) != nil, let ms = settings.maxEventLengthMs else { return nil }
        // Written in one way alone.
        return "\(ms / 1_000)" == payload ? settings[self] : nil
    }
}
