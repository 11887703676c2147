/// Where a stream is on its host, whatever name the host has for whoever asks.
struct StreamPlace: Hashable, Sendable {
    /// What stands behind the host.
    let path: String
    /// Nil where the address has no host.
    let port: UInt16?

    /// The place of the stream at an address.
    init(_ address: String) {
        guard let scheme = address.firstRange(of: "://") else {
            path = address
            port = nil
            return
        }
        let rest = address[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end]
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let isSecure = address[..<scheme.lowerBound].lowercased() == "rtsps"
        path = String(rest[end...])
        port = HostAndPort(String(host))?.port ?? (isSecure ? 322 : 554)
    }
}

/// Looks for the channels of cameras: which streams a device is to be asked for, and what follows from its answers. A value that asks
/// nobody.
///
/// A camera is of the channel that has the path of its stream. Where several have it, or not every stream was told, the port has to
/// agree too. What is not known by that is not guessed.
struct ChannelSearch: Sendable {
    /// How many streams a device is asked for.
    static let streamsMax = 2 * DeviceReport.camerasMax

    /// The channels that the device tells.
    let channels: DeviceChannels
    /// The host and port of the device.
    private let device: String
    private let cameras: [String: Set<StreamPlace>]
    /// Whether nothing has to be asked: there is one camera, and one channel at most that Vigil records.
    private let isPlain: Bool
    /// The profiles whose streams are asked for, how many there are beyond the bound too, and which one is next.
    private let profiles: [MediaProfile]
    private let count: Int
    private var index = 0
    /// How many streams the device told, or said that it has not.
    private var answered = 0
    /// The ports of the streams that were told, by their path and their channel.
    private var told: [String: [String: Set<UInt16?>]] = [:]

    /// The search for `cameras`, by the addresses of their streams, among the profiles of the device at `device`.
    init(_ profiles: [MediaProfile], for cameras: [String: [String]], of device: String) {
        let channels = DeviceChannels(profiles)
        let recorded = profiles.filter { $0.isRecorded && $0.videoSource != nil }
        let isPlain = cameras.isEmpty || cameras.count == 1 && channels.recorded.count <= 1
        self.profiles = isPlain ? [] : Array(recorded.prefix(Self.streamsMax))
        count = isPlain ? 0 : recorded.count
        self.cameras = cameras.mapValues { Set($0.map { StreamPlace($0) }) }
        (self.channels, self.isPlain, self.device) = (channels, isPlain, device)
    }

    /// The profile whose stream is to be asked for; nil where there is none any more.
    var next: MediaProfile? { index < profiles.count ? profiles[index] : nil }

    /// Whether the device has answered for any stream.
    var isAnswered: Bool { answered > 0 }

    /// Takes the address of the next stream; nil where the device says that it has none.
    mutating func take(_ address: String?) {
        guard let profile = next else { return }
        (index, answered) = (index + 1, answered + 1)
        guard let address, let source = profile.videoSource else { return }
        let place = StreamPlace(address)
        told[place.path, default: [:]][source, default: []].insert(place.port)
    }

    /// Takes that the device did not answer for the next stream.
    mutating func miss() { if next != nil { index += 1 } }

    /// The channel of each camera, or why it is not known.
    var result: [String: Result<DeviceChannel, ONVIFError>] { cameras.mapValues { channel(at: $0) } }

    private func channel(at places: Set<StreamPlace>) -> Result<DeviceChannel, ONVIFError> {
        if isPlain {
            guard channels.areSeveral else { return .success(.only) }
            if let source = channels.recorded.first { return .success(.one(source, of: channels)) }
        }
        guard !channels.recorded.isEmpty else { return .failure(noPicture) }
        let isWhole = answered == count
        var (sources, isAmbiguous) = (Set<String>(), false)
        for place in places {
            guard let named = told[place.path] else { continue }
            let agreeing = named.filter { $0.value.contains(place.port) }
            let possible = agreeing.isEmpty && isWhole ? named : agreeing
            if possible.count == 1 { sources.formUnion(possible.keys) }
            if possible.count > 1 { isAmbiguous = true }
        }
        if sources.count == 1, let source = sources.first {
            return .success(channels.areSeveral ? .one(source, of: channels) : .only)
        }
        if isAmbiguous || sources.count > 1 { return .failure(ambiguous) }
        return .failure(isWhole ? noStream : notWhole)
    }

    // MARK: Why a channel is not known

    /// The device tells no channel at all.
    var noSource: ONVIFError { error("the device tells no video source") }

    /// It tells channels, and none that Vigil records.
    var noPicture: ONVIFError { error("no channel of the device has a picture in H.264 or H.265") }

    private var noStream: ONVIFError {
        let count = channels.recorded.count
        return error(
            count == 1
                ? "the one channel of the device has another stream than this camera"
                : "none of the \(count) channels of the device has the stream of this camera")
    }

    private var ambiguous: ONVIFError { error("several channels of the device have the stream of this camera") }

    private var notWhole: ONVIFError {
        ONVIFError(
            .unreachable, "GetStreamUri", of: device,
            "of the \(count) streams of the device \(count - answered) are not known: they were not asked for, or not told in time",
            remedy: "look at the network between, and at what else asks the device")
    }

    private func error(_ cause: String) -> ONVIFError {
        ONVIFError(
            .unsupported, "GetProfiles", of: device, cause,
            remedy: "take the address of the stream that \"vigil discover\" prints")
    }
}
