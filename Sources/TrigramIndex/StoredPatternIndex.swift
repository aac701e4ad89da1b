import PatternMatching
import SQLiteAccess
import TextIndex

/// A pattern index of a collection: the set of trigrams of each document's strings, by which the documents are found that a regular
/// expression or LIKE may match.
public struct StoredPatternIndex: Sendable {
  /// The row in the catalog; the index's table is named after it.
  public let id: Int64
  /// The collection's row in the catalog.
  public let collection: Int64
  /// The index's name, unique in its collection.
  public let name: String
  /// What it is made of.
  public let definition: PatternIndexDefinition
  /// By which rules it was filled.
  public let version: String

  /// Which trigrams of a text an index holds; raised when that changes.
  public static let currentVersion = "2"

  /// Whether other rules filled it: it must be rebuilt before it is used.
  public var isOutdated: Bool { version != StoredPatternIndex.currentVersion }

  /// The name of its table in the file.
  public var tableName: String { StoredPatternIndex.tableName(id: id) }

  static func tableName(id: Int64) -> String { "concordance_pi_\(id)" }

  /// Throws where other rules filled the index.
  func requireCurrent() throws {
    guard isOutdated else { return }
    throw TextIndexError(
      .outdated, "the pattern index \"\(name)\" was made by another version (\(version)); it must be rebuilt",
      recovery: .rebuildIndexes)
  }
}
