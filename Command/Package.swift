// swift-tools-version:6.1
import PackageDescription

// The command is a separate package, so that programs that use the library do not fetch the command's dependencies.
// The rows are those of the layer table in ARCHITECTURE.md.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let library: Target.Dependency = .product(name: "Concordance", package: "Concordance")
let jsonText: Target.Dependency = .product(name: "_JSONText", package: "Concordance")
let replication: Target.Dependency = .product(name: "_Replication", package: "Concordance")
let blip: Target.Dependency = .product(name: "_BLIP", package: "Concordance")
let testSupport: Target.Dependency = .product(name: "_TestSupport", package: "Concordance")
let sqliteAccess: Target.Dependency = .product(name: "_SQLiteAccess", package: "Concordance")
let queryModel: Target.Dependency = .product(name: "_QueryModel", package: "Concordance")

let package = Package(
  name: "Command",
  products: [.executable(name: "concord", targets: ["concord"])],
  dependencies: [
    .package(name: "Concordance", path: ".."),
    .package(name: "Server", path: "../Server"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // Row 0: C libraries.
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    .target(name: "CSandbox"),

    // Row 2: text of documents in binary formats.
    .target(
      name: "DocumentFormats", dependencies: [sqliteAccess, "CArchive", "CLibXML2", "CSandbox"], swiftSettings: strict),

    // Row 3: the reader of corpora.
    .target(
      name: "CorpusReader", dependencies: [jsonText, "DocumentFormats", "CArchive", "CLibXML2", "CZlib", "Yams"],
      swiftSettings: strict),

    // Row 9: the command.
    .executableTarget(
      name: "concord",
      dependencies: [
        library, jsonText, queryModel, "CorpusReader", "DocumentFormats",
        .product(name: "ConcordanceServer", package: "Server"),
        .product(name: "ConcordanceNetwork", package: "Server"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // Answers requests of the fuzzer, Scripts/fuzz, one per line. A program for tests, not a product.
    .executableTarget(
      name: "concord-fuzz", dependencies: [library, replication, blip, "CorpusReader", "DocumentFormats"],
      path: "Tests/FuzzTarget", swiftSettings: strict),

    // Attempts operations that the limits of the worker forbid. A program for tests, not a product.
    .executableTarget(name: "SandboxProbe", dependencies: ["CSandbox"], path: "Tests/SandboxProbe"),

    // Small files of each format, for tests.
    .target(
      name: "DocumentBuilders", dependencies: ["CArchive"], path: "Tests/DocumentBuilders", swiftSettings: strict),
    .testTarget(
      name: "DocumentFormatsTests",
      dependencies: ["DocumentFormats", "DocumentBuilders", "SandboxProbe", sqliteAccess],
      swiftSettings: strict),
    .testTarget(
      name: "CorpusReaderTests", dependencies: ["CorpusReader", "DocumentFormats", jsonText, library, testSupport],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests", dependencies: ["concord", "DocumentBuilders", "DocumentFormats", library, testSupport],
      swiftSettings: strict),
  ]
)
