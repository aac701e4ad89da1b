import PatternMatching
import SQLiteAccess
import TextIndex

/// A pattern index of a collection: the trigrams of each document's strings. It finds the candidate documents for a
/// regular expression or LIKE pattern.
public struct StoredPatternIndex: Sendable {
  /// The ID of the index in the catalog, which is part of the names of its tables.
  public let id: Int64
  /// The ID of the collection in the catalog.
  public let collection: Int64
  /// The index's name, unique in its collection.
  public let name: String
  /// The definition.
  public let definition: PatternIndexDefinition
  /// The version of the rules with which the index was filled.
  public let version: String

  /// The current version of the rules that choose the trigrams of a text.
  public static let currentVersion = "2"

  /// Whether the index was filled by another version and must be rebuilt before it is used.
  public var isOutdated: Bool { version != StoredPatternIndex.currentVersion }

  /// The name of the index's FTS5 table in the file.
  public var tableName: String { StoredPatternIndex.tableName(id: id) }

  static func tableName(id: Int64) -> String { "concordance_pi_\(id)" }

  /// Throws if the index was filled by another version.
  func requireCurrent() throws {
    guard isOutdated else { return }
    throw TextIndexError(
      .outdated, "the pattern index \"\(name)\" was built by another version (\(version)); it must be rebuilt",
      recovery: .rebuildIndexes)
  }
}
