import Foundation
import Testing

/// The layers: the rows of the table in ARCHITECTURE.md, and the C targets, which are in row 0.
struct LayerTable {
  struct Layer {
    let row: Int
    let target: String
    /// The modules that its files may import, besides Swift's own modules.
    let imports: Set<String>
  }

  let layers: [Layer]

  /// Modules that ship with Swift. They may be imported everywhere.
  static let swiftModules: Set<String> = ["Foundation", "Synchronization"]

  /// Reads rows of the form `| 1 | `JSONText` | contents |`.
  init() throws {
    let row = /\|\s*(\d)\s*\|\s*`(\w+)`\s*\|[^|]*\|/
    let rows = try Repository.text("ARCHITECTURE.md").components(separatedBy: "\n").compactMap { line -> Layer? in
      guard let match = line.wholeMatch(of: row), let number = Int(match.1) else { return nil }
      let target = String(match.2)
      return Layer(row: number, target: target, imports: TargetImports.swiftTargets[target] ?? [])
    }
    layers = rows + TargetImports.cTargets.map { Layer(row: 0, target: $0, imports: []) }
  }

  func row(of target: String) -> Int? { layers.first { $0.target == target }?.row }
}

@Suite struct LayerTests {
  @Test func theTableNamesTheTargetsOfThePackage() throws {
    let named = try LayerTable().layers.map(\.target).sorted()
    let manifests = try ["Package.swift", "Command/Package.swift", "Server/Package.swift"].map(Repository.text).joined()
    let targets = manifests.matches(of: /\.(?:target|systemLibrary|executableTarget)\(\s*name: "(\w+)"/).map {
      String($0.1)
    }
    // Code for tests is not part of the product.
    .filter { !["TestSupport", "QueryOracle", "DocumentBuilders", "SandboxProbe"].contains($0) }
    #expect(named == targets.sorted())
    #expect(named == (TargetImports.cTargets + TargetImports.swiftTargets.keys).sorted())
    #expect(try named == Repository.sources.flatMap(Repository.entries).sorted())
  }

  /// SwiftPM fetches every dependency of a package for every program that uses the package, whatever product it uses.
  @Test func theLibraryDoesNotDependOnThePackagesOfTheCommand() throws {
    let urls = try Repository.text("Package.swift").matches(of: /\.package\(url: "([^"]+)"/).map { String($0.1) }
    #expect(urls == ["https://github.com/groue/GRDB.swift", "https://github.com/apple/swift-log"])
  }

  @Test func aTargetMayImportOnlyLowerRows() throws {
    let table = try LayerTable()
    for layer in table.layers {
      for other in layer.imports {
        guard let row = table.row(of: other) else { continue }
        #expect(row < layer.row, "\(layer.target) of row \(layer.row) may import \(other) of row \(row)")
      }
    }
  }

  @Test func filesImportWhatTheTableSays() throws {
    for layer in try LayerTable().layers {
      var imported: Set<String> = []
      for path in Repository.sources.flatMap({ Repository.files(in: "\($0)/\(layer.target)", ending: ".swift") }) {
        for module in try imports(of: path) where !LayerTable.swiftModules.contains(module) {
          imported.insert(module)
          #expect(
            layer.imports.contains(module),
            "\(path) imports \(module), which TargetImports.swift does not allow \(layer.target)")
        }
      }
      let unused = layer.imports.subtracting(imported).sorted()
      #expect(
        unused.isEmpty, "TargetImports.swift lets \(layer.target) import \(unused), which no file of it does")
    }
  }

  /// Matching, scoring, results, feedback and suggestions know postings, lengths, bounds and terms only through the
  /// protocols of `Sources/TextIndex/Store`.
  @Test(arguments: ["Store", "MatchEvaluation", "Scoring", "Results", "Expansion", "Vocabulary"])
  func searchesKnowNoDatabase(folder: String) throws {
    let paths = Repository.files(in: "Sources/TextIndex/\(folder)", ending: ".swift")
    #expect(!paths.isEmpty)
    for path in paths {
      let imported = Set(try imports(of: path))
      #expect(imported.isDisjoint(with: ["GRDB", "SQLiteAccess", "CSQLite"]), "\(path) imports \(imported)")
      for (number, line) in try SourceLines(path).code.enumerated() {
        let names =
          /\b(Doclist\w+|LeafReader\w*|Segment\w+|IndexState|PostingsReader|FTS5\w+|LengthTable|TermDictionary)\b/
        #expect(!line.contains(names), "\(path):\(number + 1) names a type of FTS5's tables")
      }
    }
  }

  /// `import X`, with an access level or an attribute in front, and `import struct X.Y`.
  private func imports(of path: String) throws -> [String] {
    let pattern =
      /(?:@\w+(?:\(\w+\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+).*/
    return try SourceLines(path).code.compactMap { line in
      line.wholeMatch(of: pattern).map { String($0.1) }
    }
  }
}
