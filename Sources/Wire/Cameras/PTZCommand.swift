/// The body of `POST /v1/cameras/{camera}/ptz`: how a camera is turned. Exactly one of its members is given.
public struct PTZCommand: Hashable, Sendable, Codable {
    /// How long a movement may last, in milliseconds: 0.1 s to 10 s.
    public static let forMsRange: ClosedRange<Int64> = 100...10_000
    /// How long one lasts unless said otherwise, in milliseconds.
    public static let forMsDefault: Int64 = 500
    /// How long the name of a preset may be, in Unicode scalars.
    public static let nameMax = 64

    /// A movement for a time, each -1…1 of the camera's greatest velocity; what is absent stands still.
    public struct Move: Hashable, Sendable, Codable {
        /// To the right.
        public var pan: Double?
        /// Upwards.
        public var tilt: Double?
        /// Inwards.
        public var zoom: Double?
        /// How long it lasts, in milliseconds (``PTZCommand/forMsRange``); half a second where absent.
        public var forMs: Int64?

        /// A movement.
        public init(pan: Double? = nil, tilt: Double? = nil, zoom: Double? = nil, forMs: Int64? = nil) {
            (self.pan, self.tilt, self.zoom, self.forMs) = (pan, tilt, zoom, forMs)
        }
    }

    /// Moves for a time, and ends a movement that has begun before.
    public var move: Move?
    /// Stops at once; true.
    public var stop: Bool?
    /// Turns to the camera's home position; true.
    public var home: Bool?
    /// Turns to the preset of this name or token.
    public var preset: String?
    /// Keeps where the camera looks as the preset of this name, 1…``nameMax`` characters; one that has it is moved there.
    public var save: String?
    /// Removes the preset of this name or token.
    public var remove: String?

    /// A command; one of these is to be given.
    public init(
        move: Move? = nil, stop: Bool? = nil, home: Bool? = nil, preset: String? = nil, save: String? = nil,
        remove: String? = nil
    ) {
        (self.move, self.stop, self.home) = (move, stop, home)
        (self.preset, self.save, self.remove) = (preset, save, remove)
    }

    /// Whether a camera gives a name back as it was given.
    private static func isName(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        guard (1...nameMax).contains(scalars.count), scalars.first != " ", scalars.last != " " else { return false }
        return scalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
            default: true
            }
        }
    }

    /// What is wrong with it and what would be right; nil if it makes sense.
    public var flaw: (reason: String, remedy: String)? {
        let names = [preset, save, remove].compactMap(\.self)
        guard [move != nil, stop != nil, home != nil].filter(\.self).count + names.count == 1 else {
            return ("not exactly one order is given", "give one of move, stop, home, preset, save and remove")
        }
        if stop == false || home == false { return ("an order is false", "leave it out") }
        if let name = names.first, !Self.isName(name) {
            return (
                "the preset has no usable name",
                "give 1 to \(Self.nameMax) characters, without control characters and without blanks at either end"
            )
        }
        guard let move else { return nil }
        let parts = [move.pan, move.tilt, move.zoom].compactMap(\.self)
        if !parts.allSatisfy({ (-1...1).contains($0) }) {
            return ("pan, tilt or zoom is beyond -1 to 1", "give a part of the camera's greatest velocity")
        }
        if parts.allSatisfy({ $0 == 0 }) { return ("nothing would move", "give pan, tilt or zoom, or stop") }
        if let forMs = move.forMs, !Self.forMsRange.contains(forMs) {
            return (
                "forMs is \(forMs)",
                "give \(Self.forMsRange.lowerBound) to \(Self.forMsRange.upperBound) milliseconds, or leave it out"
            )
        }
        return nil
    }
}

/// The answer to `GET` and `POST /v1/cameras/{camera}/ptz`: where a camera looks, and which positions it keeps.
public struct PTZInfo: Hashable, Sendable, Codable {
    /// A position that the camera keeps.
    public struct Preset: Hashable, Sendable, Codable {
        /// By which the camera knows it.
        public var token: String
        /// What people call it.
        public var name: String

        /// A preset.
        public init(token: String, name: String) { (self.token, self.name) = (token, name) }
    }

    /// The camera.
    public var camera: String
    /// Where it looks, in the camera's own measure, mostly -1…1; absent where it does not tell.
    public var pan: Double?
    /// The same, upwards.
    public var tilt: Double?
    /// The same, inwards.
    public var zoom: Double?
    /// Whether it moves; absent where it does not tell.
    public var moving: Bool?
    /// The positions that it keeps, in its order.
    public var presets: [Preset]

    /// What a camera tells.
    public init(
        camera: String, pan: Double? = nil, tilt: Double? = nil, zoom: Double? = nil, moving: Bool? = nil,
        presets: [Preset] = []
    ) {
        (self.camera, self.pan, self.tilt, self.zoom) = (camera, pan, tilt, zoom)
        (self.moving, self.presets) = (moving, presets)
    }
}
