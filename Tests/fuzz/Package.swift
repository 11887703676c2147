// swift-tools-version: 6.1
// The fuzzing targets (docs/design/outside.md, "How it is attacked"): a package of its own, so that the product's build knows
// nothing of it, and only what reads foreign bytes is built for it. Sources/ holds links to the product's sources.
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
// What is attacked tells the fuzzer which branches an input took.
let attacked = strict + [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library", "-enable-testing"])]
// What is small, or only carried along, is built quickly.
let attackedUnoptimised = attacked + [.unsafeFlags(["-Onone"])]
let carried = strict + [.unsafeFlags(["-Onone", "-enable-testing"])]

let package = Package(
    name: "fuzz",
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        .target(name: "Machines", swiftSettings: carried),
        .systemLibrary(name: "CLibav", pkgConfig: "libavformat libavcodec libavutil libswresample"),
        .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls"),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .target(name: "CHashing"),
        .target(name: "CSharedMemory"),
        .target(name: "Hashing", dependencies: ["CHashing"], swiftSettings: strict),
        .target(name: "Trace", dependencies: ["Hashing", "Machines"], swiftSettings: attacked),
        .target(
            name: "Media",
            dependencies: [
                "Hashing", "Machines", "CGnuTLS", "CLibav", "CSharedMemory",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: attacked),
        .target(
            name: "Policies", dependencies: ["Hashing", "Machines", .product(name: "Yams", package: "Yams")],
            swiftSettings: attacked),
        .target(
            name: "Journal",
            dependencies: [
                "Hashing", "Machines", "Trace", "CSystemd", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: attacked),
        // What requests and answers of the HTTP interface look like; the server itself is Hummingbird's.
        .target(name: "Wire", dependencies: ["Hashing", "Machines"], swiftSettings: attackedUnoptimised),
        // What the library for apps reads of a server's answers; its requests are Foundation's.
        .target(name: "VigilKit", dependencies: ["Wire"], swiftSettings: attackedUnoptimised),
        .target(name: "XML", swiftSettings: attackedUnoptimised),
        // What the client of object stores reads of their answers; its requests are async-http-client's.
        .target(name: "ObjectStore", dependencies: ["Hashing", "Machines", "XML"], swiftSettings: attackedUnoptimised),
        // What the client of cameras of ONVIF reads of them.
        .target(name: "ONVIF", dependencies: ["Hashing", "Machines", "XML"], swiftSettings: attackedUnoptimised),
        // What a client of MQTT reads of a broker; its connections are swift-nio's.
        .target(name: "MQTT", swiftSettings: attackedUnoptimised),
        // What a viewer of WebRTC sends before and after it is known; its transport is the system's and C libraries'.
        .target(name: "CDatagrams"),
        .target(name: "WebRTC", dependencies: ["CDatagrams", "CGnuTLS"], swiftSettings: attackedUnoptimised),
        // The words of the catalog, without SQLite.
        .target(name: "Catalog", dependencies: ["Machines"], swiftSettings: carried),
        // What lies in a bucket, and what a provider says.
        .target(name: "Cloud", dependencies: ["Catalog", "Machines", "Media", "Wire"], swiftSettings: attacked),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Cloud", "Journal", "MQTT", "Machines", "Media", "ONVIF", "ObjectStore", "Policies", "Trace",
                "VigilKit",
                "WebRTC", "Wire", "XML",
            ],
            swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
    ],
    swiftLanguageModes: [.v6]
)
