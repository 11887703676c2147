/// The sensors or channels (video sources) of one device, and by which tokens each is named. A value made of its profiles.
package struct DeviceChannels: Hashable, Sendable {
    /// What a token is of. A device may give tokens of different kinds the same text.
    enum Kind: CaseIterable {
        case source, configuration, analytics, profile
    }

    /// The tokens of the channels with a picture that Vigil records, in the order of the profiles.
    let recorded: [String]
    /// Of which channels each token is, by its kind.
    private let tables: [Kind: [String: Set<String>]]

    /// The channels of these profiles; those that tell no video source are left out.
    init(_ profiles: [MediaProfile]) {
        var (recorded, tables) = ([String](), [Kind: [String: Set<String>]]())
        for profile in profiles {
            guard let source = profile.videoSource else { continue }
            if profile.isRecorded, !recorded.contains(source) { recorded.append(source) }
            for (kind, token) in [
                (Kind.source, source), (.configuration, profile.sourceConfiguration), (.analytics, profile.analytics),
                (.profile, profile.token),
            ] {
                if let token { tables[kind, default: [:]][token, default: []].insert(source) }
            }
        }
        (self.recorded, self.tables) = (recorded, tables)
    }

    /// Whether no profile tells its channel.
    var isEmpty: Bool { tables[.source] == nil }

    /// Whether there are several.
    var areSeveral: Bool { (tables[.source]?.count ?? 0) > 1 }

    /// The channels that a token names: as the kind that it should be of, else as another; nil where there is no such token.
    func named(_ token: String, as kind: Kind) -> Set<String>? {
        for kind in [kind] + Kind.allCases {
            if let found = tables[kind]?[token] { return found }
        }
        return nil
    }
}

/// One channel of a device, as a filter of what the device tells.
package enum DeviceChannel: Hashable, Sendable {
    /// The only one: all that the device tells is about it.
    case only
    /// One of several, by the token of its video source.
    case one(String, of: DeviceChannels)

    /// The token of its video source; nil for the only one.
    var source: String? {
        switch self {
        case .only: nil
        case .one(let source, _): source
        }
    }

    /// Whether a message is about it. What is told of the device itself, such as of its inputs, is about each of its channels; what
    /// names no channel that there is, is about none.
    package func concerns(_ message: DeviceNotification) -> Bool {
        guard case .one(let source, let channels) = self, !message.topic.hasPrefix("Device/") else { return true }
        for (key, kind) in Self.kinds {
            guard let token = message.source[key], let named = channels.named(token, as: kind) else { continue }
            return named.contains(source)
        }
        return false
    }

    /// By which items messages name a channel: those of the standard's topics first.
    private static let kinds: [(key: String, kind: DeviceChannels.Kind)] = [
        ("VideoSourceToken", .source), ("Source", .source), ("VideoSource", .source),
        ("VideoSourceConfigurationToken", .configuration), ("VideoSourceConfiguration", .configuration),
        ("VideoAnalyticsConfigurationToken", .analytics), ("VideoAnalyticsConfiguration", .analytics),
        ("ProfileToken", .profile),
    ]
}
