public import GRDB
import SQLiteAccess

/// The rows of `concordance_index`: the indexes of every kind in a file. Each kind manages its own tables; those of
/// full-text indexes are managed by ``FullTextCatalog``.
public enum IndexCatalog {
  /// A kind of index.
  public struct Kind: Hashable, Sendable {
    /// The name of the kind in `concordance_index.kind`.
    public let rawValue: String

    /// Creates a kind from its name.
    ///
    /// - Parameter rawValue: the name of the kind in `concordance_index.kind`.
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }

  /// An index as stored in the catalog.
  public struct Entry: Sendable {
    /// The ID of the index, which is part of the names of its tables.
    public let id: Int64
    /// Its name, unique in the collection.
    public let name: String
    /// Its definition, as JSON.
    public let definition: String
    /// The version of the rules with which the index was filled.
    public let version: String

    /// Reads the definition of the index.
    ///
    /// - Parameter read: reads a definition from JSON.
    /// - Throws: ``TextIndexError`` of kind ``TextIndexErrorKind/unsupported`` if the definition cannot be read; errors
    ///   of the database that `read` throws.
    package func decoded<Definition>(_ read: (_ json: String) throws -> Definition) throws -> Definition {
      do {
        return try read(definition)
      } catch let error where !(error is DatabaseError) {
        throw TextIndexError(
          .unsupported,
          """
          the definition of the index "\(name)" cannot be read (\(Entry.reason(error))); update Concordance, or restore \
          the file from a backup if it is damaged
          """)
      }
    }

    /// Returns the description of an error, without the types that a `DecodingError` names.
    private static func reason(_ error: any Error) -> String {
      switch error {
      case DecodingError.keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
      case DecodingError.typeMismatch(_, _), DecodingError.valueNotFound(_, _): "a value has another type"
      case is DecodingError: "its format is unknown"
      default: "\(error)"
      }
    }
  }

  /// Returns the indexes of one kind in a collection, sorted by name.
  ///
  /// - Parameters:
  ///   - kind: the kind.
  ///   - collection: the id of the collection in the catalog.
  ///   - db: a connection.
  /// - Throws: `DatabaseError`.
  public static func entries(_ kind: Kind, of collection: Int64, _ db: Database) throws -> [Entry] {
    let statement = try SQLStatement(
      cached: """
        SELECT id, name, definition, analyzer_version FROM concordance_index
        WHERE collection = ? AND kind = ? ORDER BY name
        """, in: db)
    defer { statement.reset() }
    statement.bind(1, collection)
    statement.bind(2, copying: Array(kind.rawValue.utf8), asText: true)
    var entries: [Entry] = []
    while try statement.step() {
      let row = statement.row
      entries.append(Entry(id: row.int64(0), name: row.string(1), definition: row.string(2), version: row.string(3)))
    }
    return entries
  }

  /// Returns the collections with an index whose kind, version and definition satisfy a predicate.
  ///
  /// - Parameters:
  ///   - isIncluded: returns whether an index with this kind, version and definition is included.
  ///   - db: a connection.
  /// - Returns: the ids of the collections.
  /// - Throws: `DatabaseError`.
  public static func collections(
    withIndexOf isIncluded: (_ kind: String, _ version: String, _ definition: String) -> Bool, _ db: Database
  ) throws -> Set<Int64> {
    let rows = try Row.fetchAll(db, sql: "SELECT collection, kind, analyzer_version, definition FROM concordance_index")
    let included = rows.filter {
      isIncluded($0.value("kind", or: ""), $0.value("analyzer_version", or: ""), $0.value("definition", or: ""))
    }
    return Set(included.map { $0.value("collection", or: 0) })
  }

  /// Adds an index.
  ///
  /// - Parameters:
  ///   - kind: the kind of the index.
  ///   - name: the name, unique in the collection.
  ///   - collection: the id of the collection in the catalog.
  ///   - definition: the definition, as JSON.
  ///   - version: the version of the rules with which the index is filled.
  ///   - db: the writing connection.
  /// - Returns: its ID.
  /// - Throws: `DatabaseError`.
  public static func add(
    _ kind: Kind, _ name: String, on collection: Int64, definition: String, version: String, _ db: Database
  ) throws -> Int64 {
    try db.execute(
      sql: """
        INSERT INTO concordance_index (collection, name, kind, definition, analyzer_version) VALUES (?, ?, ?, ?, ?)
        """, arguments: [collection, name, kind.rawValue, definition, version])
    return db.lastInsertedRowID
  }

  /// Replaces the definition of an index.
  ///
  /// - Parameters:
  ///   - id: the id of the index.
  ///   - definition: the new definition, as JSON.
  ///   - db: the writing connection.
  /// - Throws: `DatabaseError`.
  public static func redefine(_ id: Int64, _ definition: String, _ db: Database) throws {
    try db.execute(sql: "UPDATE concordance_index SET definition = ? WHERE id = ?", arguments: [definition, id])
  }

  /// Records the version of the rules with which an index was filled.
  ///
  /// - Parameters:
  ///   - id: the id of the index.
  ///   - version: the version.
  ///   - db: the writing connection.
  /// - Throws: `DatabaseError`.
  public static func setVersion(_ id: Int64, _ version: String, _ db: Database) throws {
    try db.execute(sql: "UPDATE concordance_index SET analyzer_version = ? WHERE id = ?", arguments: [version, id])
  }

  /// Removes an index. The caller drops its tables.
  ///
  /// - Parameters:
  ///   - id: the id of the index.
  ///   - db: the writing connection.
  /// - Throws: `DatabaseError`.
  public static func remove(_ id: Int64, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM concordance_index WHERE id = ?", arguments: [id])
  }
}

extension Row {
  /// Returns the value of a column, or a default if a damaged file contains a value of another type. GRDB's decoding
  /// would trap on it.
  func value<T: DatabaseValueConvertible>(_ column: String, or defaultValue: T) -> T {
    let value: DatabaseValue = self[column]
    return T.fromDatabaseValue(value) ?? defaultValue
  }
}
