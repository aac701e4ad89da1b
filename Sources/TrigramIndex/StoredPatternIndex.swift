import PatternMatching
import SQLiteAccess
import TextIndex

/// A pattern index of a collection: the trigrams of each document's strings. It finds the candidate documents for a
/// regular expression or LIKE pattern.
public struct StoredPatternIndex: Sendable {
  /// The row in the catalog; the index's table is named after it.
  public let id: Int64
  /// The collection's row in the catalog.
  public let collection: Int64
  /// The index's name, unique in its collection.
  public let name: String
  /// The definition.
  public let definition: PatternIndexDefinition
  /// The version of the rules that filled the index.
  public let version: String

  /// The current version of the rules that choose the trigrams of a text.
  public static let currentVersion = "2"

  /// Whether the index was filled by another version and must be rebuilt before it is used.
  public var isOutdated: Bool { version != StoredPatternIndex.currentVersion }

  /// The name of its table in the file.
  public var tableName: String { StoredPatternIndex.tableName(id: id) }

  static func tableName(id: Int64) -> String { "concordance_pi_\(id)" }

  /// Throws if the index was filled by another version.
  func requireCurrent() throws {
    guard isOutdated else { return }
    throw TextIndexError(
      .outdated, "the pattern index \"\(name)\" was made by another version (\(version)); it must be rebuilt",
      recovery: .rebuildIndexes)
  }
}
