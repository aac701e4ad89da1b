public import GRDB
import GRDBSQLite
public import PatternMatching

/// Finds the documents that a pattern may match, by the trigrams that they have.
public struct PatternCandidates {
  private let index: PatternIndex
  private let db: Database

  /// Asks an index on a connection.
  ///
  /// - Throws: ``TextIndexError`` of kind ``TextIndexError/Kind/outdated`` where the index must be rebuilt first.
  public init(_ index: PatternIndex, _ db: Database) throws {
    try index.requireCurrent()
    self.index = index
    self.db = db
  }

  /// The rows whose documents satisfy a query, in order; nil where the index says nothing, or where there are more than `limit`.
  ///
  /// - Complexity: O(d) in the lengths of the trigrams' lists of documents.
  public func rows(for query: TrigramQuery, limit: Int = .max) throws -> [Int64]? {
    switch query {
    case .all: return nil
    case .none: return []
    default: break
    }
    let statement = try db.cachedStatement(
      sql: "SELECT rowid FROM \(index.tableName) WHERE \(index.tableName) MATCH ?")
    let handle = statement.sqliteStatement
    let expression = PatternCandidates.expression(query)
    var rows: [Int64] = []
    return try expression.withUnsafeBytes { bytes in
      defer {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
      }
      sqlite3_bind_text64(
        handle, 1, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
      while true {
        switch sqlite3_step(handle) {
        case SQLITE_ROW:
          guard rows.count < limit else { return nil }
          rows.append(sqlite3_column_int64(handle, 0))
        case SQLITE_DONE: return rows
        default:
          throw DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
            message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
        }
      }
    }
  }

  /// The query in FTS5's language, <https://www.sqlite.org/fts5.html#full_text_query_syntax>: bytes, since a trigram may be
  /// a part of a character.
  static func expression(_ query: TrigramQuery) -> [UInt8] {
    var bytes: [UInt8] = []
    write(query, to: &bytes)
    return bytes
  }

  private static func write(_ query: TrigramQuery, to bytes: inout [UInt8]) {
    switch query {
    // An operand is neither.
    case .all, .none: bytes += "\"\"".utf8
    case .trigram(let trigram):
      bytes.append(UInt8(ascii: "\""))
      for byte in trigram.bytes {
        if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    case .and(let parts): write(parts, " AND ", to: &bytes)
    case .or(let parts): write(parts, " OR ", to: &bytes)
    }
  }

  private static func write(_ parts: [TrigramQuery], _ word: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "("))
    for (position, part) in parts.enumerated() {
      if position > 0 { bytes += word.utf8 }
      write(part, to: &bytes)
    }
    bytes.append(UInt8(ascii: ")"))
  }
}
