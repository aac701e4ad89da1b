import Foundation
public import GRDB
import SQLiteAccess

/// The names of the program's migration steps that have been run on a file, in order. Stored as a JSON array under the
/// key `migrations` of `concordance_meta`; a file without migrations has no such key.
public enum MigrationLog {
  /// Returns the names of the completed steps.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/corrupt`` if the list cannot be read.
  public static func names(_ db: Database) throws -> [String] {
    let value = try String.fetchOne(
      db, sql: "SELECT CAST(value AS TEXT) FROM concordance_meta WHERE key = 'migrations'")
    guard let value else { return [] }
    guard let names = try? JSONDecoder().decode([String].self, from: Data(value.utf8)) else {
      throw StoreError(
        .corrupt,
        "the list of migrations in concordance_meta is not a JSON array of strings; restore a copy of the file")
    }
    return names
  }

  /// Records a step as completed, in the transaction of the step.
  public static func append(_ name: String, _ transaction: WriteTransaction) throws {
    try set(try names(transaction.db) + [name], transaction)
  }

  /// Replaces the list of completed steps.
  public static func set(_ names: [String], _ transaction: WriteTransaction) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let list = String(decoding: try encoder.encode(names), as: UTF8.self)
    try transaction.db.execute(
      sql:
        "INSERT INTO concordance_meta VALUES ('migrations', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      arguments: [list])
  }
}
