// swift-tools-version: 6.1
// Vigil: one pure core (Machines), border modules that each own one foreign library, and a daemon that wires them.
// Which module may import what is decided here; docs/ARCHITECTURE.md says why.
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Optimised in a debug build, too.
let optimised: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Generic code of theirs is specialised in the modules that call it, too.
let optimisedAcross: [SwiftSetting] =
    optimised + [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .debug))]

// Optimised are the daemon's own modules, too, in CI: tests and trials run what is installed, as far as the compiler changes it, and the
// simulation takes half of the time.
let optimisedInCI = Context.environment["VIGIL_OPTIMISED"] == nil ? strict : optimised

let package = Package(
    name: "vigil",
    // What VigilKit needs; the recorder itself runs on Linux.
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        // For apps that show cameras: Foundation and swift-http-types only.
        .library(name: "VigilKit", targets: ["VigilKit", "VigilURLSession"]),
        .executable(name: "vigil", targets: ["vigil"]),
    ],
    dependencies: [
        // vigil: commands, help, completion.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Journal, and whoever logs through it.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // Catalog: SQLite.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Media: a deque. swift-nio brings it anyway.
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // Policies: YAML.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // Server: HTTP, sockets and peer credentials, long-lived services.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Exchange: streams of HTTP/2. async-http-client brings it anyway.
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        // Client: HTTP over the Unix socket. ObjectStore: HTTP to stores.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        // The product, from the core outwards. The core has no dependency and no import.
        .target(name: "Machines", swiftSettings: optimisedInCI),

        // What requests and answers of the HTTP interface look like, for both of its ends.
        .target(name: "Wire", dependencies: ["Machines"], swiftSettings: strict),

        // How an app, or the command line, speaks to the daemon. It builds for Linux, macOS and iOS.
        .target(
            name: "VigilKit",
            dependencies: [
                "Machines", "Wire",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        // VigilKit over Foundation's URLSession. Apart, because on Linux it links libcurl, which the recorder does without.
        .target(
            name: "VigilURLSession",
            dependencies: [
                "VigilKit",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
            ],
            swiftSettings: strict),

        // C libraries from Debian.
        .systemLibrary(
            name: "CLibav", pkgConfig: "libavformat libavcodec libavutil libswresample",
            providers: [
                .apt([
                    "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev",
                ])
            ]),
        .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
        .systemLibrary(name: "CSRTP", pkgConfig: "libsrtp2", providers: [.apt(["libsrtp2-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

        // Memory that two processes see, and descriptors over a socket, in C.
        .target(name: "CSharedMemory"),

        // SHA-256 and other sums, for revisions, chains and what is sent. A debug build optimises it too: a trace is hashed whole.
        // CHashing has the processor's own instructions for them, in C, and is optimised there as well.
        .target(name: "CHashing", cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
        .target(
            name: "Hashing", dependencies: ["CHashing"],
            swiftSettings: optimised),

        // The steps of the machines on the disk: one chain of records, written, read and verified.
        .target(name: "Trace", dependencies: ["Hashing", "Machines"], swiftSettings: optimisedInCI),

        // The borders. Media is optimised in the debug build too: a detector that is 30 times slower keeps up with no camera.
        .target(
            name: "Media",
            dependencies: [
                "Hashing", "Machines", "CGnuTLS", "CLibav", "CSharedMemory",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: optimised),
        .target(
            name: "Catalog", dependencies: ["Machines", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: optimisedInCI),
        .target(
            name: "Policies", dependencies: ["Hashing", "Machines", .product(name: "Yams", package: "Yams")],
            swiftSettings: optimisedInCI),
        .target(
            name: "Journal",
            dependencies: [
                "Hashing", "Machines", "Trace", "CSystemd", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: optimisedInCI),
        // The trace of the machines, run again.
        .target(name: "Replay", dependencies: ["Journal", "Machines", "Trace"], swiftSettings: strict),
        .target(
            name: "Server",
            dependencies: [
                "CSharedMemory", "Hashing", "Machines", "Wire",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ],
            // The web page is no code of the program: it is read at the start.
            exclude: ["Page"], swiftSettings: strict),
        .target(
            name: "Client",
            dependencies: [
                "VigilKit",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),

        // XML that stores and cameras send, read within bounds.
        .target(name: "XML", swiftSettings: strict),

        // A client of S3-compatible stores.
        .target(
            name: "ObjectStore",
            dependencies: [
                "Exchange", "Hashing", "Machines", "XML",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: optimisedInCI),

        // What lies in the bucket, and what makes it play.
        .target(
            name: "Cloud", dependencies: ["Catalog", "Hashing", "Machines", "Media", "Wire"],
            swiftSettings: optimisedInCI),

        // Requests to services that others run, bounded in time.
        .target(
            name: "Exchange",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),

        // Finds cameras and asks them what they are, by ONVIF.
        .target(
            name: "ONVIF",
            dependencies: [
                "Exchange", "Hashing", "Machines", "Media", "XML",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),

        // Asks the provider of cloud plans, over HTTP.
        .target(
            name: "Provider",
            dependencies: [
                "Exchange", "Hashing", "Machines",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),

        // Speaks to a remote encoder, over HTTP.
        .target(
            name: "Encoder",
            dependencies: [
                "Exchange",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),

        // Tells a webhook's receiver, over HTTP.
        .target(
            name: "Webhook",
            dependencies: [
                "Exchange", "Hashing",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),

        // Puts what transports record at publishing points, by CMAF ingest.
        .target(
            name: "Ingest",
            dependencies: [
                "Exchange", "Hashing", "Machines", "Media",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),

        // Speaks to a broker of MQTT.
        .target(
            name: "MQTT",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),

        // Sends live pictures to viewers of WebRTC. CDatagrams has the calls of the system that Swift cannot say.
        .target(name: "CDatagrams"),
        .target(name: "WebRTC", dependencies: ["CDatagrams", "CGnuTLS", "CSRTP"], swiftSettings: strict),

        // What was recorded or not and why, and what another policy would have recorded.
        .target(
            name: "Explain", dependencies: ["Journal", "Machines", "Policies", "Replay", "Server", "Trace"],
            swiftSettings: strict),

        // The daemon wires them all; the program starts it or talks to it.
        .target(
            name: "Daemon",
            dependencies: [
                "CSystemd", "Catalog", "Cloud", "Encoder", "Explain", "Hashing", "Ingest", "Journal", "MQTT",
                "Machines", "Media", "ONVIF", "ObjectStore", "Policies", "Provider", "Replay", "Server", "Trace",
                "WebRTC", "Webhook",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: optimisedInCI),
        .executableTarget(
            name: "vigil",
            dependencies: [
                "Catalog", "Client", "Daemon", "Explain", "Journal", "Machines", "Media", "ONVIF", "Policies", "Replay",
                "Server", "Trace", "Wire", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        // From here on: what proves the product. Nobody installs it.

        // Numbers at random from a seed.
        .target(name: "RandomSource", path: "model/RandomSource", swiftSettings: strict),

        // The checker of the machines. No dependency either: it sees only a transition system. A debug build optimises it and the
        // worlds too: the tests walk through whole graphs.
        .target(
            name: "Explorer", path: "model/Explorer",
            swiftSettings: optimisedAcross),

        // The machines' worlds for the checker, and what must hold in them; the tool prints graphs and diagrams.
        .target(
            name: "Worlds", dependencies: ["Explorer", "Machines", "RandomSource"], path: "model/Worlds",
            swiftSettings: optimisedAcross),
        .executableTarget(
            name: "explore", dependencies: ["Worlds", "Explorer", "Machines"], path: "model/explore",
            swiftSettings: strict),

        // The daemon's shell under virtual time, with scripted cameras and a failing disk; `make simulate` runs it. Optimised in a
        // debug build, it takes half the time.
        .target(name: "CFaults", path: "model/CFaults"),
        .target(
            name: "SiteSimulation",
            dependencies: [
                "CFaults", "Catalog", "Cloud", "Daemon", "Hashing", "Journal", "Machines", "Media", "ObjectStore",
                "Policies", "Provider", "RandomSource", .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            path: "model/SiteSimulation", swiftSettings: optimised),
        .executableTarget(
            name: "simulate", dependencies: ["SiteSimulation"], path: "model/simulate", swiftSettings: strict),

        // What the core costs; `make bench` runs it.
        .executableTarget(
            name: "bench-machine", dependencies: ["Machines"], path: "bench/machine", swiftSettings: strict),
        .executableTarget(
            name: "bench-catalog", dependencies: ["Catalog", "Machines"], path: "bench/catalog", swiftSettings: strict),
        // The catalog of many cameras and a year; bench/year.py asks a daemon about it.
        .executableTarget(
            name: "bench-year", dependencies: ["Catalog", "Machines", "Media", "RandomSource"], path: "bench/year",
            swiftSettings: strict),
        // The motion detector over files; bench/motion judges what it says.
        .executableTarget(
            name: "bench-detect", dependencies: ["Machines", "Media"], path: "bench/detect", swiftSettings: strict),

        // How old live frames are in an app; bench/live.py runs it.
        .executableTarget(name: "bench-frames", dependencies: ["Client"], path: "bench/frames", swiftSettings: strict),

        // How fast what is sent to a store is encrypted.
        .executableTarget(
            name: "bench-encryption", dependencies: ["Media"], path: "bench/encryption", swiftSettings: strict),

        // What the trace costs, in time and bytes.
        .executableTarget(
            name: "bench-trace", dependencies: ["Journal", "Machines", "Trace"], path: "bench/trace",
            swiftSettings: strict),

        .testTarget(name: "MachinesTests", dependencies: ["Machines", "RandomSource"], swiftSettings: strict),
        .testTarget(name: "ExplorerTests", dependencies: ["Explorer", "RandomSource"], swiftSettings: strict),
        .testTarget(
            name: "WorldsTests", dependencies: ["Worlds", "Explorer", "Hashing", "Machines", "RandomSource"],
            swiftSettings: optimised
        ),
        .testTarget(
            name: "MediaTests", dependencies: ["CLibav", "CSharedMemory", "Hashing", "Media", "RandomSource"],
            swiftSettings: strict),
        // It shares the makers of media with MediaTests, by links.
        .testTarget(
            name: "CloudTests",
            dependencies: ["Catalog", "Cloud", "Hashing", "Machines", "Media", "RandomSource"],
            exclude: ["range_server.py"], swiftSettings: strict),
        .testTarget(name: "CatalogTests", dependencies: ["CFaults", "Catalog", "RandomSource"], swiftSettings: strict),
        .testTarget(
            name: "PoliciesTests", dependencies: ["Hashing", "Policies", "RandomSource"], swiftSettings: strict),
        .testTarget(
            name: "ONVIFTests", dependencies: ["Hashing", "Media", "ONVIF", "RandomSource", "XML"],
            swiftSettings: strict),
        // A strict receiver is Tests/ingest/receiver.
        .testTarget(
            name: "IngestTests", dependencies: ["Ingest", "Machines", "Media", "RandomSource"],
            swiftSettings: strict),
        .testTarget(name: "MQTTTests", dependencies: ["MQTT", "RandomSource"], swiftSettings: strict),
        .testTarget(
            name: "WebRTCTests", dependencies: ["CDatagrams", "CSRTP", "Media", "RandomSource", "WebRTC"],
            swiftSettings: strict),
        .testTarget(name: "TraceTests", dependencies: ["Hashing", "Machines", "Trace"], swiftSettings: strict),
        .testTarget(name: "JournalTests", dependencies: ["Journal", "RandomSource", "Trace"], swiftSettings: strict),
        .testTarget(
            name: "ReplayTests", dependencies: ["Journal", "Machines", "RandomSource", "Replay", "Trace"],
            exclude: ["Traces"],
            swiftSettings: strict),
        .testTarget(
            name: "ExplainTests",
            dependencies: ["Explain", "Journal", "Machines", "Policies", "RandomSource", "Replay", "Server", "Trace"],
            swiftSettings: strict),
        // A small daemon in memory, for the tests of the interface and of the commands.
        .target(
            name: "MemorySite",
            dependencies: [
                "Machines", "Server",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Tests/MemorySite", swiftSettings: strict),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "Client", "Machines", "Server", "MemorySite", "RandomSource", "Wire",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: strict),
        // The client of object stores by orders on its standard input, for Tests/s3/run and bench/sigv4.py.
        .executableTarget(
            name: "store-tool", dependencies: ["ObjectStore"], path: "Tests/StoreTool", swiftSettings: strict),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: [
                "Hashing", "ObjectStore", "XML", .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SiteSimulationTests",
            dependencies: [
                "Catalog", "Cloud", "Daemon", "Journal", "Machines", "Media", "ObjectStore", "Policies",
                "SiteSimulation",
            ], swiftSettings: strict),
        // The parts of the daemon that are values.
        .testTarget(
            name: "DaemonPartsTests",
            dependencies: [
                "Catalog", "Cloud", "Daemon", "Encoder", "Journal", "MQTT", "Machines", "Media", "Policies", "Provider",
                "Replay",
                "Server",
                "Trace", "Webhook", "MemorySite",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // The code of the library's pages; it sees what an app sees.
        .target(
            name: "KitExamples", dependencies: ["VigilKit", "VigilURLSession"], path: "Tests/KitExamples",
            swiftSettings: strict),
        // Runs those of the cloud at a daemon with a real store, for Tests/cloud/run --app.
        .executableTarget(
            name: "cloud-example", dependencies: ["KitExamples", "VigilKit", "VigilURLSession"],
            path: "Tests/CloudExample", swiftSettings: strict),
        .testTarget(
            name: "VigilKitTests",
            dependencies: [
                "RandomSource", "VigilKit", "Wire", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        // The built program with real cameras, files and signals; and its parts, where it has no door for what is tried.
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "CLibav", "CSharedMemory", "Client", "Daemon", "Journal", "KitExamples", "Machines", "Media",
                "MemorySite", "Policies",
                "Server", "VigilKit", "VigilURLSession", "vigil",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "Client", "Explain", "Journal", "Machines", "Policies", "Server", "Trace", "MemorySite", "vigil",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
