// swift-tools-version:6.1
import PackageDescription

// The HTTP server and replication over a network are a separate package, so that programs that use only the library do
// not fetch Hummingbird and SwiftNIO.
// The rows are those of the layer table in ARCHITECTURE.md.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let library: Target.Dependency = .product(name: "Concordance", package: "Concordance")
let jsonText: Target.Dependency = .product(name: "_JSONText", package: "Concordance")
let patternMatching: Target.Dependency = .product(name: "_PatternMatching", package: "Concordance")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let replication: Target.Dependency = .product(name: "_Replication", package: "Concordance")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")

let nioModules: [Target.Dependency] = [
  nioCore, .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
  .product(name: "NIOTLS", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"), nioSSL,
]

let package = Package(
  name: "Server",
  products: [
    .library(name: "ConcordanceServer", targets: ["ConcordanceServer"]),
    .library(name: "ConcordanceNetwork", targets: ["ConcordanceNetwork"]),
  ],
  dependencies: [
    .package(name: "Concordance", path: ".."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    // The same URL as in the manifest of Hummingbird.
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // Row 0: C libraries.
    .systemLibrary(name: "CSHA256", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CDeflate", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
    .systemLibrary(name: "CX509", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    // Row 7: replication over WebSockets.
    .target(
      name: "ConcordanceNetwork", dependencies: [library, replication, logging, "CCrypt", "CX509"] + nioModules,
      swiftSettings: strict),
    // Row 8: the server.
    .target(
      name: "ConcordanceServer",
      dependencies: [
        "ConcordanceNetwork", library, jsonText, patternMatching, hummingbird, httpTypes, nioCore, "CDeflate",
        "CSHA256",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOTLS", package: "swift-nio"),
        logging, nioSSL,
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      // Compiled into the program, so that it needs no other files.
      resources: [.embedInCode("Page")],
      swiftSettings: strict),
    .testTarget(
      name: "ConcordanceNetworkTests",
      dependencies: [
        "ConcordanceNetwork", library, replication, logging, .product(name: "_BLIP", package: "Concordance"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ] + nioModules,
      swiftSettings: strict),
    .testTarget(
      name: "ConcordanceServerTests",
      dependencies: [
        "ConcordanceNetwork", "ConcordanceServer", library, jsonText, hummingbird, httpTypes, nioCore,
        .product(name: "_TestSupport", package: "Concordance"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"), nioSSL,
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict),
  ]
)
