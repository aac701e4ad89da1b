import GRDB

/// The FTS5 table of an index.
///
/// It is contentless: the file stores the text only once, in the document. Its columns are `c0`, `c1`, … in the order
/// of the fields, and its rowids are those of the documents. To remove a row, FTS5 must be given the terms that were
/// inserted, so analyzing a document must produce the same terms as long as it is indexed.
struct FullTextTable: Sendable {
  let name: String
  let columnCount: Int

  /// `joined` is not used, because its first call in a process searches all protocol conformances.
  private var columns: String { (0..<columnCount).reduce(into: "") { $0 += $1 == 0 ? "c0" : ", c\($1)" } }
  private var placeholders: String { Array(repeating: "?", count: columnCount).joined(separator: ", ") }

  var insertion: String { "INSERT INTO \(name) (rowid, \(columns)) VALUES (?, \(placeholders))" }
  var removal: String {
    "INSERT INTO \(name) (\(name), rowid, \(columns)) VALUES ('delete', ?, \(placeholders))"
  }

  /// The statement that creates the table.
  var creation: String {
    """
    CREATE VIRTUAL TABLE \(name) USING fts5(
      \(columns), content = '', tokenize = '\(TermStreamTokenizer.name)')
    """
  }

  func create(_ db: Database) throws {
    try db.execute(sql: creation)
    try db.execute(
      sql: "INSERT INTO \(name) (\(name), rank) VALUES ('hashsize', ?)", arguments: [FullTextTable.hashSize])
  }

  /// The size in bytes at which FTS5 flushes its hash table to a segment. The default of 1 MiB creates many more
  /// segments that must be merged: building an index took a third longer.
  private static let hashSize = 16 << 20

  func drop(_ db: Database) throws { try db.execute(sql: "DROP TABLE \(name)") }

  /// Merges all segments into one.
  func optimize(_ db: Database) throws { try command("optimize", db) }

  /// Runs FTS5's integrity check.
  func checkIntegrity(_ db: Database) throws { try command("integrity-check", db) }

  private func command(_ word: String, _ db: Database) throws {
    try db.execute(sql: "INSERT INTO \(name) (\(name)) VALUES (?)", arguments: [word])
  }
}

extension FullTextTable {
  /// Returns the totals in FTS5's averages record.
  func totals(_ db: Database) throws -> IndexTotals {
    try IndexTotals(ofTable: name, columnCount: columnCount, db)
  }
}

extension FullTextCatalog {
  /// Returns whether a statement of `sqlite_schema` creates a table or index of a full-text index, used or abandoned.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - name: the name of the table or index that it creates.
  public static func isStatement(_ sql: String, ofObject name: String) -> Bool {
    guard let id = IndexTableName.id(in: name) else { return false }
    let columnCount = max(0, sql.utf8.count { $0 == UInt8(ascii: ",") } - 1)
    let table = FullTextTable(name: StoredFullTextIndex.tableName(id: id), columnCount: columnCount)
    return
      ([table.creation, LengthTable.creation(LengthTable.name(id: id))]
      + FTS5Schema.shadowTables(of: table.name, hasSizes: true)).contains(sql)
  }
}
