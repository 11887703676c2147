internal import Catalog
internal import Daemon
internal import Foundation
internal import Machines
internal import Policies

/// What the site is configured to be, as text, and how it changes.
struct Scenario {
    /// Free space that the configuration reserves.
    static let reserveBytes: Int64 = 1_000_000_000

    /// The policies that cameras change between.
    static let policies: [String] = [
        """
        name: round
        recording: { mode: continuous, clipLength: 10m, preRoll: 5s }
        retention: { continuous: 6h, events: 12h }
        """,
        """
        name: short
        recording: { mode: continuous, clipLength: 1m, maxEventLength: 15s, blind: 10s }
        retention: { continuous: 30m, events: 2h, maxSize: 100KB }
        """,
        """
        name: still
        recording: { mode: event, preRoll: 5s, maxEventLength: 60s }
        retention: { events: 3h, maxSize: 200KB }
        """,
        """
        name: alert
        recording: { mode: event, sensitivity: high, preRoll: 60s, initial: 20s, maxEventLength: 180s, clipLength: 30s }
        retention: { events: 1h }
        """,
        """
        name: blind
        recording: { mode: event, sensitivity: low, preRoll: 10s, maxEventLength: 30s, blind: 25s }
        retention: { events: 90m }
        """,
        """
        name: battery
        recording: { mode: event, connection: onDemand, maxEventLength: 30s }
        retention: { events: 4h }
        """,
        """
        name: nothing
        recording: { mode: "off" }
        """,
        """
        name: hours
        recording: { mode: continuous, clipLength: 5m, preRoll: 20s }
        schedule:
          - { days: daily, from: "08:00", to: "09:00", mode: event }
          - { days: daily, from: "10:30", to: "11:15", mode: "off" }
          - { days: daily, from: "12:00", to: "12:20", sensitivity: high, mode: event, preRoll: 30s }
          - { days: daily, from: "14:00", to: "18:00", mode: event }
          - { days: daily, from: "20:10", to: "20:25", mode: "off" }
        retention: { continuous: 4h, events: 8h }
        """,
    ]

    /// What the policies say of the cloud, by their names, where the site has one.
    static let clouds = [
        "round": "{ upload: all }",
        "short": "{ upload: events }",
        "still": "{ upload: events, keepLocal: untilUploaded }",
        "alert": "{ upload: events, live: true }",
        "blind": "{ upload: events, live: true, keepLocal: untilUploaded, retention: 1h }",
        "battery": "{ upload: all, retention: 30m }",
        "hours": "{ upload: all, keepLocal: untilUploaded, live: true }",
    ]

    /// Policies by which clips stay until the store has them.
    static let guarding = ["still", "blind", "hours"]

    static let policyNames = ["round", "short", "still", "alert", "blind", "battery", "nothing", "hours"]

    /// The policy of each camera; a camera without one is not configured.
    var assigned: [String: String]
    /// Every camera's name.
    let names: [String]
    /// Whether clips are sent to a store.
    let hasCloud: Bool
    /// The address changes with this, so that the link is made anew.
    var revision = 0

    /// The policy that holds for a camera at a moment; nil if it is not configured.
    func policy(of camera: String, atUnixMs moment: Int64) -> Policy? {
        guard let name = assigned[camera], case .success(let loaded) = load().result else { return nil }
        return loaded.policies[name]?.effective(atUnixMs: moment, in: .gmt).policy
    }

    /// The configuration as the loader finds it.
    func load() -> LoadOutcome {
        var text = """
            storage: { root: /var/lib/vigil, reserve: 1GB, syncInterval: 5s }
            http: { listen: none }
            timezone: UTC
            policies: [ policies/ ]
            cameras:

            """
        if hasCloud {
            text =
                "cloud: { store: { endpoint: 'http://192.0.2.9:9000', bucket: \(SimulatedStore.bucket) }, parallel: 2 }\n"
                + text
        }
        for name in names {
            guard let policy = assigned[name] else { continue }
            text += """
                  \(name):
                    main: { lan: "rtsp://192.0.2.1/\(name)/\(revision)", internet: "rtsp://192.0.2.2/\(name)" }
                    policy: \(policy)

                """
        }
        var files = ["/etc/vigil/vigil.yaml": text]
        // What no camera follows would take most of the time that this does.
        for (name, policy) in zip(Self.policyNames, Self.policies) where assigned.values.contains(name) {
            let cloud = hasCloud ? Self.clouds[name].map { "\ncloud: \($0)" } ?? "" : ""
            files["/etc/vigil/policies/\(name).yaml"] = policy + cloud
        }
        return ConfigurationLoader(files: TextFiles(contents: files)).load("/etc/vigil/vigil.yaml")
    }
}

/// Files in memory.
private struct TextFiles: FileReading {
    let contents: [String: String]

    func kind(of path: String) -> FoundFile {
        if contents[path] != nil { return .file }
        return contents.keys.contains { $0.hasPrefix(path + "/") } ? .folder : .nothing
    }

    func read(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
        // The loader asks for what `kind` has said to be there.
        let text = contents[path] ?? ""
        return Array(text.utf8.prefix(limit + 1))
    }

    func list(_ folder: String) throws(FileProblem) -> [String] {
        contents.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }.sorted()
    }
}
