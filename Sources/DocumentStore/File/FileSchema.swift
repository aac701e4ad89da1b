import GRDB
import SQLiteAccess

/// A comparison of a file's schema with the schema that this library creates.
///
/// SQLite stores the text of the statement that created a table or an index. Identical text therefore means identical
/// objects, with the same names, columns and constraints, and without additional expressions that would run when the
/// file is read. Triggers, views and virtual tables of other modules are always foreign.
struct FileSchema {
  /// Objects that this library does not create.
  let foreignObjects: [SchemaObject]
  /// Document tables without a row in the catalog, because the row is damaged or lost.
  let unlistedCollections: [SchemaObject]
  /// Objects of indexes without a row in the catalog.
  let unlistedIndexObjects: [SchemaObject]
  /// The statements that create missing objects, except those for indexes.
  let missingStatements: [String]

  /// Reads the schema of a file.
  ///
  /// - Parameters:
  ///   - db: a connection to the file.
  ///   - isIndexObject: returns whether an object belongs to an index.
  init(_ db: Database, isIndexObject: (SchemaObject) -> Bool) throws {
    let objects = try SchemaObject.all(db)
    let expected =
      FileFormat.statements(
        Int32(truncatingIfNeeded: try FileSchema.integers("PRAGMA user_version", db).first ?? 0))
      + (try CollectionCatalog.all(db).flatMap { CollectionTable.statements($0.tableName) })
    let listed = Set(expected)
    unlistedCollections = objects.filter { object in
      object.type == "table"
        && object.sql.map { $0 == CollectionTable.statements(object.name)[0] && !listed.contains($0) } ?? false
    }
    let known = listed.union(
      unlistedCollections.flatMap { CollectionTable.statements($0.name) } + FileSchema.ownedBySQLite)
    let others = objects.filter { object in
      object.sql.map { !known.contains($0) } ?? !FileSchema.isAutomaticIndex(object)
    }
    let indexObjects = Set(others.filter(isIndexObject))
    foreignObjects = others.filter { !indexObjects.contains($0) }
    // If the catalog table itself is missing, only that is reported; the indexes are not reported as unlisted.
    let hasCatalog = objects.contains { $0.type == "table" && $0.name == "concordance_index" }
    let listedIndexes = hasCatalog ? Set(try FileSchema.integers("SELECT id FROM concordance_index", db)) : nil
    unlistedIndexObjects = others.filter { object in
      guard let listedIndexes, let id = object.indexID, indexObjects.contains(object) else { return false }
      return !listedIndexes.contains(id)
    }
    let found = Set(objects.compactMap(\.sql))
    missingStatements = expected.filter { !found.contains($0) }
  }

  /// The tables among ``unlistedIndexObjects``, except those that belong to a virtual table.
  var unlistedIndexTables: [SchemaObject] {
    let tables = unlistedIndexObjects.filter { $0.type == "table" }
    let virtualTables = tables.filter(\.isVirtual)
    return virtualTables
      + tables.filter { table in
        !table.isVirtual && !virtualTables.contains { table.name.hasPrefix($0.name + "_") }
      }
  }

  private static func integers(_ sql: String, _ db: Database) throws -> [Int64] {
    let statement = try SQLStatement(sql: sql, in: db)
    var integers: [Int64] = []
    while try statement.step() { integers.append(statement.row.int64(0)) }
    return integers
  }

  private static func isAutomaticIndex(_ object: SchemaObject) -> Bool {
    object.type == "index" && object.name.hasPrefix("sqlite_autoindex_")
  }

  /// The tables that SQLite creates for AUTOINCREMENT and ANALYZE.
  private static let ownedBySQLite = [
    "CREATE TABLE sqlite_sequence(name,seq)", "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
  ]
}
