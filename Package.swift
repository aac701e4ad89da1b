// swift-tools-version:6.1
import PackageDescription

// The library. The command is the package in Command, so that programs that use the library do not fetch its
// dependencies. The rows are those of the layer table in ARCHITECTURE.md, bottom first. A target depends only on
// targets in lower rows; Tests/ArchitectureTests reads the imports and checks the same rule.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let grdb: [Target.Dependency] = [.product(name: "GRDB", package: "GRDB.swift")]

// `make test-thread` and `make test-address` recompile everything, so they build only the tests that they run.
let isSanitized = Context.environment["CONCORDANCE_SANITIZER"] != nil
let threadTests = [
  "Asynchronous", "LiveQueries", "ChangeListenerTests.swift", "ChangeStreamTests.swift", "DocumentListenerTests.swift",
  "ListenerRemovalTests.swift", "ExpirationTests.swift", "ImportTests.swift", "PreparedImportTests.swift",
  "ConcurrentImportTests.swift",
  "TimeoutTests.swift", "DeferredAnalysisTests.swift", "Documents/ThreadTests.swift", "Documents/ReleaseTests.swift",
  "Queries/ParallelQueryTests.swift", "Patterns/PatternSearchTests.swift", "Predictions/TestModel.swift",
  "Received.swift", "TemporaryDatabase.swift", "TestStore.swift",
]

let package = Package(
  name: "Concordance",
  products: [
    .library(name: "Concordance", targets: ["Concordance"]),
    // For the packages of the command and the server. The underscore means that these are not public API.
    .library(name: "_JSONText", targets: ["JSONText"]),
    .library(name: "_PatternMatching", targets: ["PatternMatching"]),
    .library(name: "_TestSupport", targets: ["TestSupport"]),
    .library(name: "_SQLiteAccess", targets: ["SQLiteAccess"]),
    .library(name: "_QueryModel", targets: ["QueryModel"]),
    .library(name: "_Replication", targets: ["Replication"]),
    .library(name: "_BLIP", targets: ["BLIP"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  ],
  targets: [
    // Row 0: C libraries. Module maps and shims, no logic.
    .target(name: "CICU", linkerSettings: [.linkedLibrary("icuuc"), .linkedLibrary("icui18n")]),
    .systemLibrary(name: "CSnowball", providers: [.apt(["libstemmer-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "CRawDeflate", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CGzip", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "CStack"),
    .target(name: "CSQLite"),
    .target(name: "CPostgres"),
    .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),

    // Row 1: text without a database, and SQLite without documents.
    .target(name: "JSONText", dependencies: ["CSimdJSON"], swiftSettings: strict),
    .target(name: "VersionVectors", swiftSettings: strict),
    .target(name: "BLIP", dependencies: ["CRawDeflate"], swiftSettings: strict),
    .target(name: "TextAnalysis", dependencies: ["CICU", "CSnowball"], swiftSettings: strict),
    .target(name: "PatternMatching", dependencies: ["CPCRE2"], swiftSettings: strict),
    .target(
      name: "SQLiteAccess",
      dependencies: ["CSQLite", .product(name: "GRDBSQLite", package: "GRDB.swift")] + grdb,
      swiftSettings: strict),

    .target(name: "PostgresAccess", dependencies: ["CPostgres"], swiftSettings: strict),

    // Row 2: the file, and queries as data.
    .target(name: "QueryModel", dependencies: ["JSONText", "CStack"], swiftSettings: strict),
    .target(
      name: "DocumentStore",
      dependencies: ["SQLiteAccess", "JSONText", "VersionVectors", "PatternMatching", "CCrypto"] + grdb,
      swiftSettings: strict),

    .target(name: "Replication", dependencies: ["JSONText", "VersionVectors", "BLIP"], swiftSettings: strict),
    .target(name: "Fleece", dependencies: ["JSONText"], swiftSettings: strict),

    // Row 3: full-text indexes; searches and measures without a database; databases of other programs.
    .target(
      name: "CouchbaseLiteFile", dependencies: ["CGzip", "SQLiteAccess", "JSONText", "Fleece"] + grdb,
      swiftSettings: strict),
    .target(name: "LineSearch", dependencies: ["PatternMatching"], swiftSettings: strict),
    .target(name: "Relevance", dependencies: ["JSONText"], swiftSettings: strict),
    .target(
      name: "TextIndex",
      dependencies: ["SQLiteAccess", "JSONText", "TextAnalysis", "QueryModel", "DocumentStore"] + grdb,
      swiftSettings: strict),

    .target(
      name: "MapReduce", dependencies: ["SQLiteAccess", "JSONText", "TextAnalysis", "DocumentStore"] + grdb,
      swiftSettings: strict),

    // Row 4: pattern indexes, which are also FTS5 tables.
    .target(
      name: "TrigramIndex", dependencies: ["SQLiteAccess", "JSONText", "PatternMatching", "TextIndex"] + grdb,
      swiftSettings: strict),

    // Row 5: queries; databases on PostgreSQL.
    .target(
      name: "PostgresStore",
      dependencies: ["PostgresAccess", "SQLiteAccess", "DocumentStore", "TextIndex", "TrigramIndex"] + grdb,
      swiftSettings: strict),
    .target(
      name: "QueryCompiler",
      dependencies: [
        "SQLiteAccess", "JSONText", "TextAnalysis", "PatternMatching", "QueryModel", "DocumentStore", "TextIndex",
        "TrigramIndex",
      ] + grdb,
      swiftSettings: strict),

    // Row 6: the public library.
    .target(
      name: "Concordance",
      dependencies: [
        "SQLiteAccess", "JSONText", "TextAnalysis", "PatternMatching", "LineSearch", "Relevance", "QueryModel",
        "DocumentStore",
        "TextIndex", "MapReduce", "TrigramIndex", "QueryCompiler", "CouchbaseLiteFile", "Replication", "VersionVectors",
        "BLIP", "PostgresStore",
        .product(name: "Logging", package: "swift-log"),
      ] + grdb,
      swiftSettings: strict),

    // Code that the tests of several targets share.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    // A slow evaluator of queries, and a generator of random queries. It must not import the compiler that it checks.
    .target(
      name: "QueryOracle", dependencies: ["QueryModel", "JSONText", "TestSupport"], path: "Tests/QueryOracle",
      swiftSettings: strict),

    .testTarget(name: "JSONTextTests", dependencies: ["JSONText"], swiftSettings: strict),
    .testTarget(
      name: "TextAnalysisTests", dependencies: ["TextAnalysis", "CICU"], swiftSettings: strict),
    .testTarget(name: "PatternMatchingTests", dependencies: ["PatternMatching", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "LineSearchTests", dependencies: ["LineSearch", "PatternMatching", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CouchbaseLiteFileTests",
      dependencies: ["CouchbaseLiteFile", "Concordance", "JSONText", "SQLiteAccess", "TestSupport"] + grdb,
      swiftSettings: strict),
    .testTarget(name: "VersionVectorsTests", dependencies: ["VersionVectors", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ReplicationTests", dependencies: ["Replication", "VersionVectors", "BLIP", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "BLIPTests", dependencies: ["BLIP", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "FleeceTests", dependencies: ["Fleece", "JSONText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PostgresAccessTests", dependencies: ["PostgresAccess", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PostgresStoreTests",
      dependencies: [
        "PostgresStore", "PostgresAccess", "Concordance", "DocumentStore", "SQLiteAccess", "TextIndex", "JSONText",
        "QueryModel", "TextAnalysis", "TestSupport", .product(name: "Logging", package: "swift-log"),
      ] + grdb,
      swiftSettings: strict),
    .testTarget(name: "RelevanceTests", dependencies: ["Relevance", "JSONText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "QueryModelTests", dependencies: ["QueryModel", "JSONText", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "QueryOracleTests", dependencies: ["QueryOracle", "QueryModel", "JSONText", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteAccessTests", dependencies: ["SQLiteAccess", "TestSupport"] + grdb, swiftSettings: strict),
    .testTarget(
      name: "DocumentStoreTests", dependencies: ["DocumentStore", "SQLiteAccess", "JSONText", "TestSupport"] + grdb,
      swiftSettings: strict),
    .testTarget(
      name: "TextIndexTests",
      dependencies: ["TextIndex", "DocumentStore", "JSONText", "QueryModel", "TextAnalysis", "TestSupport"] + grdb,
      swiftSettings: strict),
    .testTarget(
      name: "MapReduceTests",
      dependencies: ["MapReduce", "DocumentStore", "JSONText", "TextAnalysis", "TestSupport"] + grdb,
      swiftSettings: strict),
    .testTarget(
      name: "TrigramIndexTests", dependencies: ["TrigramIndex", "TextIndex", "PatternMatching", "TestSupport"] + grdb,
      swiftSettings: strict),
    .testTarget(
      name: "QueryCompilerTests",
      dependencies: [
        "QueryCompiler", "JSONText", "TextAnalysis", "PatternMatching", "QueryModel", "DocumentStore", "QueryOracle",
        "TestSupport",
      ] + grdb,
      swiftSettings: strict),
    .testTarget(
      name: "ConcordanceTests",
      dependencies: [
        "Concordance", "DocumentStore", "JSONText", "PatternMatching", "QueryModel", "QueryCompiler", "QueryOracle",
        "TestSupport", "TextIndex", "SQLiteAccess", "CSQLite", "Replication", "VersionVectors", "BLIP",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ] + grdb,
      sources: isSanitized ? threadTests : nil, swiftSettings: strict),
    // Reads the sources and documents of this checkout; it links none of them.
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
  ]
)

if isSanitized {
  let others: Set = [
    "QueryModelTests", "QueryOracleTests", "QueryCompilerTests", "ArchitectureTests", "RelevanceTests",
  ]
  package.targets.removeAll { others.contains($0.name) }
}
