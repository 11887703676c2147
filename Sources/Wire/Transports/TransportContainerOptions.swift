/// How the media of a transport is cut.
public struct TransportContainerOptions: Hashable, Sendable, Codable {
    /// The options of CMAF.
    public struct CMAF: Hashable, Sendable, Codable {
        /// Which lists go with the media: `interface1`, `interface2DASH` or `interface2HLS`.
        public var cmafInterface: String?
        /// The length of a segment, 500…65 500 ms, a multiple of the distance between the camera's key frames.
        public var segmentDuration: Int64?
        /// The length of a chunk, at most half of a segment; 0: none.
        public var chunkDuration: Int64?
        /// Which session its media belongs to, 0…255.
        public var sessionGroup: Int?
        /// The name of its track, 1…16 characters.
        public var trackName: String?

        /// Options; what is absent is not said.
        public init(
            cmafInterface: String? = nil, segmentDuration: Int64? = nil, chunkDuration: Int64? = nil,
            sessionGroup: Int? = nil, trackName: String? = nil
        ) {
            (self.cmafInterface, self.segmentDuration) = (cmafInterface, segmentDuration)
            (self.chunkDuration, self.sessionGroup, self.trackName) = (chunkDuration, sessionGroup, trackName)
        }
    }

    /// `cmaf`.
    public var containerType: String?
    /// The options of CMAF.
    public var cmafContainerOptions: CMAF?

    /// Options; what is absent is not said.
    public init(containerType: String? = nil, cmafContainerOptions: CMAF? = nil) {
        (self.containerType, self.cmafContainerOptions) = (containerType, cmafContainerOptions)
    }
}
