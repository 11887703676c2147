/// What a transport records and when, by the names that Matter gives it (Push AV Stream Transport). What is absent is kept as it is
/// where a transport is modified; docs/design/transports.md says what is needed where one is allocated.
public struct TransportOptions: Hashable, Sendable, Codable {
    /// What for: `recording`.
    public var streamUsage: String?
    /// One video stream by its number, or chosen by the daemon; not beside ``videoStreams``.
    public var videoStreamID: TransportStreamID?
    /// One audio stream by its number, or chosen by the daemon; not beside ``audioStreams``.
    public var audioStreamID: TransportStreamID?
    /// The video streams, each with the name of its track.
    public var videoStreams: [TransportStream]?
    /// The audio streams, each with the name of its track.
    public var audioStreams: [TransportStream]?
    /// The TLS endpoint of ``url``: 0 for the system's authorities, else one of the daemon's configuration.
    public var tlsEndpointID: Int?
    /// The address to which what it records is pushed, `https://HOST/…/`; absent: it is pushed nowhere. A login in it is never shown:
    /// `***` stands in its place, and keeps it where that is sent back.
    public var url: String?
    /// What makes it record.
    public var triggerOptions: TransportTriggerOptions?
    /// `cmafIngest`.
    public var ingestMethod: String?
    /// How the media is cut.
    public var containerOptions: TransportContainerOptions?
    /// For how long the transport is there, in seconds from now, 1…4 294 967 295; absent: until it is deallocated.
    public var expiryTime: Int64?

    /// Options; what is absent is not said.
    public init(
        streamUsage: String? = nil, videoStreamID: TransportStreamID? = nil, audioStreamID: TransportStreamID? = nil,
        videoStreams: [TransportStream]? = nil, audioStreams: [TransportStream]? = nil, tlsEndpointID: Int? = nil,
        url: String? = nil, triggerOptions: TransportTriggerOptions? = nil, ingestMethod: String? = nil,
        containerOptions: TransportContainerOptions? = nil, expiryTime: Int64? = nil
    ) {
        (self.streamUsage, self.videoStreamID, self.audioStreamID) = (streamUsage, videoStreamID, audioStreamID)
        (self.videoStreams, self.audioStreams) = (videoStreams, audioStreams)
        (self.tlsEndpointID, self.url, self.triggerOptions) = (tlsEndpointID, url, triggerOptions)
        (self.ingestMethod, self.containerOptions, self.expiryTime) = (ingestMethod, containerOptions, expiryTime)
    }

    /// Decoded from JSON, in which a stream's number that is null is not one that is absent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func id(_ key: CodingKeys) throws -> TransportStreamID? {
            container.contains(key) ? try container.decode(TransportStreamID.self, forKey: key) : nil
        }
        streamUsage = try container.decodeIfPresent(String.self, forKey: .streamUsage)
        videoStreamID = try id(.videoStreamID)
        audioStreamID = try id(.audioStreamID)
        videoStreams = try container.decodeIfPresent([TransportStream].self, forKey: .videoStreams)
        audioStreams = try container.decodeIfPresent([TransportStream].self, forKey: .audioStreams)
        tlsEndpointID = try container.decodeIfPresent(Int.self, forKey: .tlsEndpointID)
        url = try container.decodeIfPresent(String.self, forKey: .url)
        triggerOptions = try container.decodeIfPresent(TransportTriggerOptions.self, forKey: .triggerOptions)
        ingestMethod = try container.decodeIfPresent(String.self, forKey: .ingestMethod)
        containerOptions = try container.decodeIfPresent(TransportContainerOptions.self, forKey: .containerOptions)
        expiryTime = try container.decodeIfPresent(Int64.self, forKey: .expiryTime)
    }
}
