import Foundation
import Testing

/// A kind of index is named by its folder and by the registry, and by nothing else.
@Suite struct IndexKindTests {
  private static let folder = "Sources/Concordance/Indexes"
  private static let registry = "\(folder)/IndexKinds.swift"

  /// The kinds, by their names, with the folders that declare them.
  private static func kinds() throws -> [(name: String, folder: String)] {
    try Repository.files(in: folder, ending: ".swift").flatMap { path in
      try SourceLines(path).code.compactMap { line in
        guard let name = line.firstMatch(of: /struct (\w+): IndexKind\b/)?.output.1 else { return nil }
        return (String(name), (path as NSString).deletingLastPathComponent)
      }
    }
  }

  @Test func theRegistryListsEveryKind() throws {
    let registry = try Repository.text(IndexKindTests.registry)
    let kinds = try IndexKindTests.kinds()
    #expect(kinds.count >= 3)
    for kind in kinds { #expect(registry.contains("\(kind.name)()"), "\(kind.name) is not in the registry") }
    #expect(Set(kinds.map(\.folder)).count == kinds.count, "each kind has a separate folder")
  }

  @Test func noOtherFileNamesAKind() throws {
    let kinds = try IndexKindTests.kinds()
    for path in Repository.sources.flatMap({ Repository.files(in: $0, ending: ".swift") })
    where path != IndexKindTests.registry {
      let code = try SourceLines(path).code.joined(separator: "\n")
      for kind in kinds where !path.hasPrefix(kind.folder + "/") {
        #expect(!code.contains(kind.name), "\(path) names \(kind.name); use the protocols in StoredIndex.swift")
      }
    }
  }
}
