internal import XML

/// How fast a camera turns and zooms, each -1…1 of what it can: pan to the right, tilt upwards, zoom inwards (ONVIF PTZ, 5.7).
package struct PTZVelocity: Hashable, Sendable {
    /// To the right; 0 stands still.
    package let pan: Double
    /// Upwards; 0 stands still.
    package let tilt: Double
    /// Inwards; 0 stands still.
    package let zoom: Double

    /// A velocity; what is beyond -1…1 is taken as that, and what is no number as 0.
    package init(pan: Double = 0, tilt: Double = 0, zoom: Double = 0) {
        func bounded(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, -1), 1) }
        (self.pan, self.tilt, self.zoom) = (bounded(pan), bounded(tilt), bounded(zoom))
    }

    /// As a request has it. A part that stands still is left out: not every camera has it.
    fileprivate var element: String {
        (pan != 0 || tilt != 0 ? "<tt:PanTilt x=\"\(pan)\" y=\"\(tilt)\"/>" : "")
            + (zoom != 0 ? "<tt:Zoom x=\"\(zoom)\"/>" : "")
    }
}

/// Where a camera looks, as far as it says so.
package struct PTZStatus: Hashable, Sendable {
    /// Its position, -1…1 each in most cameras; nil where it does not tell.
    package let pan: Double?
    package let tilt: Double?
    package let zoom: Double?
    /// Whether it moves; nil where it does not tell.
    package let isMoving: Bool?

    init(_ response: XMLNode) {
        let status = response.child("PTZStatus")
        let (turn, zoom) = (status?.child("Position")?.child("PanTilt"), status?.child("Position")?.child("Zoom"))
        func number(_ text: String?) -> Double? {
            text.flatMap { Double($0.trimmed) }.flatMap { $0.magnitude <= 1_000_000 ? $0 : nil }
        }
        (pan, tilt) = (number(turn?.attributes["x"]), number(turn?.attributes["y"]))
        self.zoom = number(zoom?.attributes["x"])
        let words = ["PanTilt", "Zoom"].compactMap { status?.child("MoveStatus")?.text($0)?.trimmed }
        isMoving = words.contains("MOVING") ? true : words.contains("IDLE") ? false : nil
    }
}

/// A position that a camera keeps.
package struct PTZPreset: Hashable, Sendable {
    /// How many presets of one camera are read.
    static let countMax = 512

    /// By which the camera knows it, at most 256 bytes.
    package let token: String
    /// What people call it, in one line of at most 64 scalars.
    package let name: String

    static func read(_ response: XMLNode) -> [PTZPreset] {
        response.all("Preset").prefix(countMax).compactMap { node in
            guard let token = node.attributes["token"]?.line(max: MediaProfile.tokenMax) else { return nil }
            return PTZPreset(token: token, name: node.text("Name")?.line(max: 64) ?? token)
        }
    }
}

/// Turns and zooms a camera (ONVIF PTZ 17.06). `profile` is the token that ``profileOfPTZ(of:)`` found.
extension DeviceClient {
    /// The profile by which the camera with streams at these addresses is turned: of those of its channel that can be, the first that
    /// Vigil records.
    package func profileOfPTZ(of addresses: [String]) async throws(ONVIFError) -> String {
        guard place(of: .ptz) != nil else { throw unturned("the device cannot be turned") }
        let (all, service) = try await profiles()
        var profiles = all.filter(\.hasPTZ)
        if profiles.isEmpty {
            // Some devices tell of it in version 1 of the media service alone.
            profiles = MediaProfile.read(try await ask(Operation("GetProfiles", of: .media))).filter(\.hasPTZ)
        }
        let turns = !profiles.isEmpty
        if turns, DeviceChannels(all).areSeveral {
            let source = try await videoSource(of: addresses, among: all, by: service)
            profiles = profiles.filter { $0.videoSource == source }
        }
        guard let profile = profiles.first(where: \.isRecorded) ?? profiles.first else {
            throw unturned(turns ? "the channel of this camera cannot be turned" : "the device cannot be turned")
        }
        return profile.token
    }

    private func unturned(_ why: String) -> ONVIFError {
        ONVIFError(
            .unsupported, "GetProfiles", of: address.authority, why, remedy: "take a camera that turns and zooms (PTZ)")
    }

    /// Begins to move. The device itself stops after `forMs` milliseconds, if it heeds that: ``stop(_:)`` as well.
    package func move(_ profile: String, at velocity: PTZVelocity, forMs: Int64) async throws(ONVIFError) {
        let (seconds, rest) = (max(forMs, 0) / 1_000, max(forMs, 0) % 1_000)
        let thousandths = String("00\(rest)".suffix(3))
        try await order(
            "ContinuousMove", profile,
            "<t:Velocity>\(velocity.element)</t:Velocity><t:Timeout>PT\(seconds).\(thousandths)S</t:Timeout>")
    }

    /// Stops whatever moves. `boundMs`: a shorter bound for the answer.
    package func stop(_ profile: String, within boundMs: Int64 = .max) async throws(ONVIFError) {
        try await order("Stop", profile, "<t:PanTilt>true</t:PanTilt><t:Zoom>true</t:Zoom>", within: boundMs)
    }

    /// Where the camera looks.
    package func status(_ profile: String) async throws(ONVIFError) -> PTZStatus {
        PTZStatus(try await order("GetStatus", profile))
    }

    /// The positions that it keeps.
    package func presets(_ profile: String) async throws(ONVIFError) -> [PTZPreset] {
        PTZPreset.read(try await order("GetPresets", profile))
    }

    /// Turns to a position that it keeps.
    package func turn(_ profile: String, to preset: PTZPreset) async throws(ONVIFError) {
        try await order("GotoPreset", profile, Self.element(of: preset))
    }

    /// Turns to where it looks when nobody turns it.
    package func turnHome(_ profile: String) async throws(ONVIFError) {
        try await order("GotoHomePosition", profile)
    }

    /// Keeps where it looks now under a name; in place of `preset` where there is one.
    package func keep(_ profile: String, as name: String, in preset: PTZPreset?) async throws(ONVIFError) {
        try await order(
            "SetPreset", profile,
            "<t:PresetName>\(XMLNode.escaped(name))</t:PresetName>" + (preset.map(Self.element) ?? ""))
    }

    /// Keeps a position no longer.
    package func forget(_ profile: String, _ preset: PTZPreset) async throws(ONVIFError) {
        try await order("RemovePreset", profile, Self.element(of: preset))
    }

    @discardableResult
    private func order(
        _ name: String, _ profile: String, _ content: String = "", within boundMs: Int64 = .max
    ) async throws(ONVIFError) -> XMLNode {
        try await ask(
            Operation(
                name, of: .ptz, content: "<t:ProfileToken>\(XMLNode.escaped(profile))</t:ProfileToken>" + content),
            within: boundMs)
    }

    private static func element(of preset: PTZPreset) -> String {
        "<t:PresetToken>\(XMLNode.escaped(preset.token))</t:PresetToken>"
    }
}
