internal import Foundation
internal import Journal
internal import MQTT
internal import Policies

/// Remembers in `mqtt.json` of the storage root where pictures were published, and takes them away from brokers, names and cameras
/// that the configuration has no more (docs/reference/mqtt.md).
actor LeftTopics {
    /// How long it waits after a failure, at first and at most, in milliseconds.
    static let (waitMs, waitMaxMs): (Int64, Int64) = (5_000, 600_000)
    /// The most bytes of the file: above what `PublishedPlaces` lets it hold.
    private static let bytesMax = 8 << 20

    private let path: String
    private let journal: Journal
    private var places = PublishedPlaces()
    /// What the file holds; nil: it was not read yet.
    private var stored: PublishedPlaces?
    private var current: PublishedPlaces.Place?
    private var references: [String: CredentialReference] = [:]
    private var session: MQTTSession?
    private var work: Task<Void, Never>?
    private var writing: Task<Void, Never>?
    /// The addresses of places at which it failed since the last change.
    private var told: Set<String> = []

    init(root: String, journal: Journal) {
        path = root + "/mqtt.json"
        self.journal = journal
    }

    /// What is published to from now on, and by whom; nil: no broker. It is remembered when this returns. What is left is taken away
    /// beside that, at once and then until it is done.
    func use(
        _ place: PublishedPlaces.Place?, _ references: [String: CredentialReference], _ session: MQTTSession?
    ) async {
        if stored == nil { await read() }
        if current != place { told = [] }
        (current, self.references, self.session) = (place, references, session)
        places.use(place)
        await write()
        let before = work
        before?.cancel()
        work = Task { await run(after: before) }
    }

    /// The broker has been told that it keeps no picture of the cameras that were published last.
    func emptied() async {
        guard let current else { return }
        places.forget(current.cameras, at: current)
        await write()
    }

    /// The end: what is not done yet is done after the next start.
    func end() { work?.cancel() }

    // MARK: What is taken away

    private func run(after before: Task<Void, Never>?) async {
        await before?.value
        var waitMs = Self.waitMs
        while !Task.isCancelled {
            for removal in places.removals(besides: current) where !Task.isCancelled { await take(removal) }
            guard !places.removals(besides: current).isEmpty else { return }
            try? await Task.sleep(for: .milliseconds(Int64.random(in: waitMs / 2...waitMs)))
            waitMs = min(2 * waitMs, Self.waitMaxMs)
        }
    }

    private func take(_ removal: PublishedPlaces.Removal) async {
        let client = TopicRemoval(removal.topics)
        let failure = await attempt(removal, client)
        let place = removal.place
        // One broker may have several addresses, and a camera may have come back: what is published now may have gone with it.
        if client.isConnected, let current, current.topic == place.topic,
            !current.cameras.isDisjoint(with: place.cameras)
        {
            session?.publishAll()
        }
        if Task.isCancelled { return }
        if let failure { return tell(place, failure) }
        let isCurrent = current?.isSame(as: place) == true
        places.forget(isCurrent ? place.cameras.subtracting(current?.cameras ?? []) : place.cameras, at: place)
        await write()
        if told.remove(place.address) != nil { journal.send(.mqttEmptied, fields: [(.url, place.address)]) }
    }

    /// One connection, from its begin to its end; nil: the broker has acknowledged everything.
    private func attempt(_ removal: PublishedPlaces.Removal, _ client: TopicRemoval) async -> String? {
        let (access, id) = (removal.place.access, "vigil-\(removal.place.topic)-left")
        do {
            let connection = try await Blocking.always { [references] in
                try access.connection(id: id, will: nil, filters: [], references)
            }
            return await connection.run(client)?.words ?? client.refusal
        } catch { return "\(error)" }
    }

    private func tell(_ place: PublishedPlaces.Place, _ words: String) {
        if told.insert(place.address).inserted {
            journal.send(.mqttNotEmptied, fields: [(.url, place.address), (.why, words)])
        }
    }

    // MARK: The file

    /// One that is not to be trusted, or cannot be read, is set aside and counts as none.
    private func read() async {
        do {
            places = try await Blocking.always { [path] in
                guard DiskFiles().kind(of: path) != .nothing else { return PublishedPlaces() }
                let bytes = try DiskFiles().readSecret(path, limit: Self.bytesMax)
                return try JSONDecoder().decode(PublishedPlaces.self, from: Data(bytes))
            }
        } catch {
            let aside = path + ".unreadable"
            let isAside: ()? = try? await Blocking.always { [path] in
                try? FileManager.default.removeItem(atPath: aside)
                try FileManager.default.moveItem(atPath: path, toPath: aside)
            }
            journal.send(.writeFailed, fields: [(.detail, "\(error)\(isAside == nil ? "" : "; it is now \(aside)")")])
        }
        stored = places
    }

    /// Writes it, one after another.
    private func write() async {
        let before = writing
        let task = Task {
            await before?.value
            await put()
        }
        writing = task
        await task.value
    }

    private func put() async {
        let now = places
        guard now != stored else { return }
        do {
            try await Blocking.always { [path] in
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
                try AtomicFile.put(path, bytes: Array(try encoder.encode(now)))
            }
            stored = now
        } catch { journal.send(.writeFailed, fields: [(.detail, "\(path): \(error)")]) }
    }
}
