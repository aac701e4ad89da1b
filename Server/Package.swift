// swift-tools-version:6.1
import PackageDescription

// The HTTP server is a separate package, so that programs that use only the library do not fetch Hummingbird.
// The rows are those of the layer table in ARCHITECTURE.md.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let library: Target.Dependency = .product(name: "Concordance", package: "Concordance")
let jsonText: Target.Dependency = .product(name: "_JSONText", package: "Concordance")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")

let package = Package(
  name: "Server",
  products: [.library(name: "ConcordanceServer", targets: ["ConcordanceServer"])],
  dependencies: [
    .package(name: "Concordance", path: ".."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // Row 0: C libraries.
    .systemLibrary(name: "CSHA256", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CDeflate", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Row 7: the server.
    .target(
      name: "ConcordanceServer",
      dependencies: [
        library, jsonText, hummingbird, httpTypes, nioCore, "CDeflate", "CSHA256",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      // Compiled into the program, so that it needs no other files.
      resources: [.embedInCode("Page")],
      swiftSettings: strict),
    .testTarget(
      name: "ConcordanceServerTests",
      dependencies: [
        "ConcordanceServer", library, jsonText, hummingbird, httpTypes, nioCore,
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
  ]
)
