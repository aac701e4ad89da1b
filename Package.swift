// swift-tools-version:6.1
import PackageDescription

// The rows of the layer table in ARCHITECTURE.md, bottom first. A target depends only on targets of
// lower rows; Tests/ArchitectureTests reads the import lists and checks the same rule.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let grdb: [Target.Dependency] = [
  .product(name: "GRDB", package: "GRDB.swift"),
  .product(name: "GRDBSQLite", package: "GRDB.swift"),
]

let package = Package(
  name: "Concordance",
  products: [
    .library(name: "Concordance", targets: ["Concordance"]),
    .executable(name: "concord", targets: ["concord"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // Row 0: C libraries. Module maps and shims, no logic.
    .target(name: "CICU", linkerSettings: [.linkedLibrary("icuuc"), .linkedLibrary("icui18n")]),
    .systemLibrary(name: "CSnowball", providers: [.apt(["libstemmer-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "CStack"),
    .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),

    // Row 1: text, without a database.
    .target(name: "JSONText", dependencies: ["CSimdJSON"], swiftSettings: strict),
    .target(name: "TextAnalysis", dependencies: ["CICU", "CSnowball"], swiftSettings: strict),
    .target(name: "PatternMatching", dependencies: ["CPCRE2"], swiftSettings: strict),

    // Row 2: the file, queries as data, and the readers of corpora.
    .target(name: "QueryModel", dependencies: ["JSONText", "CStack"], swiftSettings: strict),
    .target(name: "DocumentStore", dependencies: ["JSONText", "CCrypto"] + grdb, swiftSettings: strict),
    .target(name: "CorpusReader", dependencies: ["JSONText", "CLibXML2", "Yams"], swiftSettings: strict),

    // Row 3: the indexes in the file.
    .target(
      name: "TextIndex", dependencies: ["JSONText", "TextAnalysis", "PatternMatching", "QueryModel"] + grdb,
      swiftSettings: strict),

    // Row 4: queries.
    .target(
      name: "QueryCompiler",
      dependencies: ["JSONText", "TextAnalysis", "PatternMatching", "QueryModel", "DocumentStore", "TextIndex"] + grdb,
      swiftSettings: strict),

    // Row 5: the public library.
    .target(
      name: "Concordance",
      dependencies: [
        "JSONText", "TextAnalysis", "PatternMatching", "QueryModel", "DocumentStore", "TextIndex", "QueryCompiler",
      ] + grdb,
      swiftSettings: strict),

    // Row 6: the command.
    .executableTarget(
      name: "concord",
      dependencies: [
        "Concordance", "CorpusReader",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // What tests of several targets need.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    // A slow evaluator of queries and random ones for it. It must not know the compiler that it checks.
    .target(
      name: "QueryOracle", dependencies: ["QueryModel", "JSONText", "TestSupport"], path: "Tests/QueryOracle",
      swiftSettings: strict),

    .testTarget(name: "JSONTextTests", dependencies: ["JSONText"], swiftSettings: strict),
    .testTarget(
      name: "TextAnalysisTests", dependencies: ["TextAnalysis", "CICU"], swiftSettings: strict),
    .testTarget(name: "PatternMatchingTests", dependencies: ["PatternMatching", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "QueryModelTests", dependencies: ["QueryModel", "JSONText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "QueryOracleTests", dependencies: ["QueryOracle", "QueryModel", "JSONText", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentStoreTests", dependencies: ["DocumentStore", "JSONText"] + grdb, swiftSettings: strict),
    .testTarget(
      name: "TextIndexTests", dependencies: ["TextIndex", "JSONText", "QueryModel", "TextAnalysis"] + grdb,
      swiftSettings: strict),
    .testTarget(
      name: "QueryCompilerTests",
      dependencies: [
        "QueryCompiler", "JSONText", "TextAnalysis", "PatternMatching", "QueryModel", "QueryOracle", "TestSupport",
      ] + grdb,
      swiftSettings: strict),
    .testTarget(name: "CorpusReaderTests", dependencies: ["CorpusReader", "JSONText"], swiftSettings: strict),
    .testTarget(
      name: "ConcordanceTests",
      dependencies: [
        "Concordance", "DocumentStore", "JSONText", "PatternMatching", "QueryModel", "QueryCompiler", "QueryOracle",
        "TestSupport",
      ] + grdb,
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests", dependencies: ["concord", "Concordance"], swiftSettings: strict),
    // Reads the sources and documents of this checkout; it links none of them.
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
  ]
)
