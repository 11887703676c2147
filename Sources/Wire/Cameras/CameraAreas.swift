/// The zones and masks of a camera, as `GET /v1/cameras/{camera}/areas` tells them.
public struct CameraAreas: Hashable, Sendable, Codable {
    /// A named part of the picture.
    public struct Area: Hashable, Sendable, Codable {
        /// Its name.
        public var name: String
        /// Its corners in order, each `[x, y]` from 0 to 1 from the picture's top left.
        public var corners: [[Double]]

        /// An area.
        public init(name: String, corners: [[Double]]) {
            self.name = name
            self.corners = corners
        }
    }

    /// The camera.
    public var camera: String
    /// The file that has them.
    public var path: String
    /// The revision of that file; a change names the revision it was made from.
    public var revision: String
    /// The parts that policies may name, in the order of the file.
    public var zones: [Area]
    /// The parts in which movement is never looked at.
    public var masks: [Area]

    /// The zones and masks of a camera.
    public init(camera: String, path: String, revision: String, zones: [Area], masks: [Area]) {
        self.camera = camera
        self.path = path
        self.revision = revision
        self.zones = zones
        self.masks = masks
    }
}

/// The body of `PUT /v1/cameras/{camera}/areas`: all that the camera is to have.
public struct AreasCommand: Hashable, Sendable, Codable {
    /// The zones, at most 31.
    public var zones: [CameraAreas.Area]
    /// The masks, at most 64.
    public var masks: [CameraAreas.Area]
    /// The revision from which they were made.
    public var expectedRevision: String

    /// Zones and masks to write.
    public init(zones: [CameraAreas.Area], masks: [CameraAreas.Area], expectedRevision: String) {
        self.zones = zones
        self.masks = masks
        self.expectedRevision = expectedRevision
    }
}
