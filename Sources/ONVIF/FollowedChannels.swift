/// Of which channels the cameras of one device are while it is followed, and when that is asked for again. A value: it is given what the
/// device answered.
struct FollowedChannels: Sendable {
    /// What the device answered.
    struct Answer {
        /// The channel of each camera, or why it is not known.
        let channels: [String: Result<DeviceChannel, ONVIFError>]
        /// Whether the device told its channels: else this is what holds until it does.
        let isTold: Bool
    }

    /// What an answer changes.
    struct Changes {
        /// The cameras whose channel is known from now on, by name.
        var found: [String] = []
        /// The cameras whose channel is not known, by name.
        var unknown: [(camera: String, error: ONVIFError)] = []
        /// The cameras that are not of the channel any more of which they were, by name: what was told of them does not hold.
        var gone: [String] = []
    }

    /// The addresses of the streams of the cameras that the device was asked about; nil for one without a name.
    private(set) var cameras: [String: [String]]?
    /// The channels that are known, in the order of the names of the cameras.
    var known: [(camera: String, channel: DeviceChannel)] {
        channels.sorted { $0.key < $1.key }.map { (camera: $0.key, channel: $0.value) }
    }
    private var channels: [String: DeviceChannel] = [:]
    /// The channels of which something was told last, also by subscriptions before.
    private var last: [String: DeviceChannel] = [:]
    /// How often the device was asked in vain since the cameras changed.
    private var failures = 0

    /// Begins a subscription: what an earlier one knew does not hold.
    mutating func begin() { (cameras, channels, failures) = (nil, [:], 0) }

    /// After how long the device is to be asked again, in milliseconds; nil where all is known.
    var againMs: Int64? { failures == 0 ? nil : DeviceEvents.wait(after: failures - 1) }

    /// Takes what the device answered about `wanted`. What is known is kept where the device tells nothing, or too late.
    mutating func take(_ answer: Answer, of wanted: [String: [String]]?) -> Changes {
        if wanted != cameras { failures = 0 }
        let before = channels.filter { wanted?[$0.key] == cameras?[$0.key] }
        var changes = Changes()
        (cameras, channels) = (wanted, [:])
        for (camera, result) in answer.channels.sorted(by: { $0.key < $1.key }) {
            switch result {
            case .success(let channel):
                channels[camera] = channel
                if before[camera] == nil { changes.found.append(camera) }
            case .failure(let error):
                channels[camera] = answer.isTold && error.isOfOneOperation ? nil : before[camera]
                if channels[camera] == nil { changes.unknown.append((camera, error)) }
            }
        }
        let isSettled = answer.isTold && changes.unknown.isEmpty
        failures = isSettled ? 0 : failures + 1
        changes.gone = last.filter { camera, channel in
            guard let now = channels[camera] else { return true }
            return now.source != channel.source
        }.keys.sorted()
        last = channels
        return changes
    }
}
