public import DocumentStore
public import GRDB
import SQLiteAccess

/// The counters of a view.
public struct ViewState: Hashable, Sendable {
  /// The sequence number of the last change that the view reflects; 0 if the view was never updated.
  public var lastSequence: Int64 = 0
  /// The number of rows.
  public var rowCount: Int64 = 0

  /// The limit for ``rowCount`` when it is read, so that arithmetic with a damaged counter does not overflow.
  private static let maximumRowCount: Int64 = 1 << 53

  /// Reads the counters.
  public init(_ tables: ViewTables, _ db: Database) throws {
    let statement = try SQLStatement(cached: "SELECT name, value FROM \(tables.state)", in: db)
    defer { statement.reset() }
    while try statement.step() {
      switch statement.row.string(0) {
      case "last_sequence": lastSequence = max(0, statement.row.int64(1))
      case "row_count": rowCount = min(max(0, statement.row.int64(1)), ViewState.maximumRowCount)
      default: break
      }
    }
  }

  func write(_ tables: ViewTables, _ db: Database) throws {
    let statement = try SQLStatement(cached: "INSERT OR REPLACE INTO \(tables.state) VALUES (?, ?)", in: db)
    for (name, value) in [("last_sequence", lastSequence), ("row_count", rowCount)] {
      try statement.withText(1, name) {
        statement.bind(2, value)
        try statement.run()
      }
    }
  }
}

/// A document for which the map function threw an error.
public struct ViewMapError: Hashable, Sendable {
  /// The id of the document.
  public let documentID: String
  /// The description of the error.
  public let message: String
}

extension ViewTables {
  /// Returns the documents for which the map function threw an error, sorted by id.
  ///
  /// Earlier versions did not always remove the errors of purged documents, which are not returned.
  public func mapErrors(of collection: CollectionRecord, _ db: Database) throws -> [ViewMapError] {
    let statement = try SQLStatement(
      sql: """
        SELECT id, message FROM \(errors) AS error
        WHERE EXISTS (
          SELECT 1 FROM \(collection.table) AS document WHERE document.id = error.id AND document.deleted = 0)
        ORDER BY id
        """, in: db)
    defer { statement.reset() }
    var found: [ViewMapError] = []
    while try statement.step() {
      found.append(ViewMapError(documentID: statement.row.string(0), message: statement.row.string(1)))
    }
    return found
  }

  /// Creates the tables.
  public func create(_ db: Database) throws {
    for statement in creation { try db.execute(sql: statement) }
    try db.execute(sql: documentIndex)
  }

  /// Drops the tables.
  public func drop(_ db: Database) throws {
    for table in all { try db.execute(sql: "DROP TABLE IF EXISTS \(table)") }
  }

  /// Empties the tables before many rows are inserted.
  ///
  /// - Returns: whether the tables still have ``documentIndex``. It is dropped if possible, because building an
  ///   index after all rows are inserted is faster than updating it for each row.
  func empty(_ db: Database) throws -> Bool {
    do {
      try drop(db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_LOCKED {
      // SQLite cannot drop a table while another statement of the connection is reading.
      for table in all { try db.execute(sql: "DELETE FROM \(table)") }
      return true
    }
    for statement in creation { try db.execute(sql: statement) }
    return false
  }

  /// Removes all rows, so that the next update maps every document.
  public func clear(_ db: Database) throws {
    try drop(db)
    try create(db)
  }
}
