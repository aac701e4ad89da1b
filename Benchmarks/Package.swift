// swift-tools-version:6.1
import PackageDescription

// A separate package, so that users of the library neither resolve nor build the benchmarks.
let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Concordance", path: "..")],
  targets: [
    .executableTarget(
      name: "concord-bench", dependencies: [.product(name: "Concordance", package: "Concordance")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
