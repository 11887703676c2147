internal import Policies

/// Where pictures and states were published that a broker keeps, and of which cameras. What nobody publishes any more is taken away
/// by it, also where that happened while Vigil was stopped.
struct PublishedPlaces: Codable, Hashable, Sendable {
    /// The most places, and the most cameras of one that are remembered: beyond that the oldest place is forgotten.
    static let (placesMax, camerasMax) = (16, 4_096)

    /// A name at a broker below which there are topics of these cameras.
    struct Place: Codable, Hashable, Sendable {
        var access: BrokerAccess
        /// What the topics begin with.
        var topic: String
        var cameras: Set<String>

        /// The broker and the name, for people.
        var address: String { access.address + "/" + topic }

        /// Whether it is the same one, however it is reached.
        func isSame(as other: Self) -> Bool {
            (access.host, access.port, topic) == (other.access.host, other.access.port, other.topic)
        }
    }

    /// What is to be taken away of a place, in one connection.
    struct Removal: Hashable, Sendable {
        /// With the cameras that it is about.
        let place: Place
        /// Whether everything of the cameras goes; else their pictures.
        let isWhole: Bool

        /// What the broker is to keep no more.
        var topics: [String] {
            let topics = SiteTopics(base: place.topic)
            return place.cameras.sorted().flatMap { isWhole ? topics.kept($0) : topics.pictures($0) }
        }
    }

    private(set) var places: [Place] = []

    /// What is published to from now on, with the cameras of the configuration; nil: no broker.
    mutating func use(_ current: Place?) {
        if var place = current {
            let known = places.first { $0.isSame(as: place) }?.cameras ?? []
            let gone = known.subtracting(place.cameras).sorted()
            place.cameras.formUnion(gone.prefix(max(0, Self.camerasMax - place.cameras.count)))
            places.removeAll { $0.isSame(as: place) }
            places.append(place)
        }
        places.removeFirst(max(0, places.count - Self.placesMax))
    }

    /// What is to be taken away where `current` is published to: of cameras that left it everything, and of places that were left
    /// the pictures.
    func removals(besides current: Place?) -> [Removal] {
        places.compactMap { place in
            guard let current, place.isSame(as: current) else { return Removal(place: place, isWhole: false) }
            var gone = place
            gone.cameras.subtract(current.cameras)
            return gone.cameras.isEmpty ? nil : Removal(place: gone, isWhole: true)
        }
    }

    /// Of these cameras the place keeps nothing.
    mutating func forget(_ cameras: Set<String>, at place: Place) {
        guard let index = places.firstIndex(where: { $0.isSame(as: place) }) else { return }
        places[index].cameras.subtract(cameras)
        if places[index].cameras.isEmpty { places.remove(at: index) }
    }
}

extension PublishedPlaces.Place {
    /// What a configuration publishes to.
    init(_ settings: MQTTSettings, _ cameras: Set<String>) {
        self.init(access: BrokerAccess(settings), topic: settings.topic, cameras: cameras)
    }
}
