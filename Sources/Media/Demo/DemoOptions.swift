/// How the built-in demo camera looks.
public struct DemoOptions: Hashable, Sendable {
    /// Shown in the picture; letters, digits and a few signs.
    public var name: String
    /// Width in pixels, even, 320…1920.
    public var width: Int
    /// Height in pixels, even, 180…1080.
    public var height: Int
    /// Pictures a second, 1…30.
    var framesPerSecond: Int
    /// Distance of key frames in seconds, 1…10.
    var keySeconds: Int
    /// Whether there is sound.
    var hasAudio: Bool
    /// Whether it tells of the figures that move in its picture.
    public var tellsMovement: Bool

    /// A demo camera; what is out of range is forced into it.
    public init(
        name: String = "demo", width: Int = 640, height: Int = 360, framesPerSecond: Int = 15, keySeconds: Int = 2,
        hasAudio: Bool = true, tellsMovement: Bool = true
    ) {
        self.name = name
        self.width = max(320, min(1920, width)) & ~1
        self.height = max(180, min(1080, height)) & ~1
        self.framesPerSecond = max(1, min(30, framesPerSecond))
        self.keySeconds = max(1, min(10, keySeconds))
        self.hasAudio = hasAudio
        self.tellsMovement = tellsMovement
    }
}
