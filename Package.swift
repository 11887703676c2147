// swift-tools-version: 6.1
// Vigil: one pure core (Machines), border modules that each own one foreign library, and a daemon that wires them.
// Which module may import what is decided here; docs/ARCHITECTURE.md says why.
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "vigil",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // The core. No dependency, no import.
        .target(name: "Machines", swiftSettings: strict),

        // The checker of the machines. No dependency either: it sees only a transition system.
        .target(name: "Explorer", swiftSettings: strict),

        // C libraries from Debian.
        .systemLibrary(
            name: "CLibav", pkgConfig: "libavformat libavcodec libavutil libswresample libswscale",
            providers: [
                .apt([
                    "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev", "libswscale-dev",
                ])
            ]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

        // The borders.
        .target(name: "Media", dependencies: ["Machines", "CLibav"], swiftSettings: strict),
        .target(
            name: "Catalog", dependencies: ["Machines", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict),
        .target(
            name: "Policies", dependencies: ["Machines", .product(name: "Yams", package: "Yams")],
            swiftSettings: strict),
        .target(
            name: "Journal",
            dependencies: ["Machines", "CSystemd", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict),

        // What the core costs; `make bench` runs it.
        .executableTarget(name: "bench-machine", dependencies: ["Machines"], path: "bench/machine", swiftSettings: strict),

        .testTarget(name: "MachinesTests", dependencies: ["Machines"], swiftSettings: strict),
        .testTarget(name: "ExplorerTests", dependencies: ["Explorer"], swiftSettings: strict),
        .testTarget(name: "MediaTests", dependencies: ["Media"], swiftSettings: strict),
        .testTarget(name: "CatalogTests", dependencies: ["Catalog"], swiftSettings: strict),
        .testTarget(name: "PoliciesTests", dependencies: ["Policies"], swiftSettings: strict),
        .testTarget(name: "JournalTests", dependencies: ["Journal"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
