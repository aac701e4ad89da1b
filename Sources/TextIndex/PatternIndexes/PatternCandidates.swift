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
  /// - Parameters:
  ///   - query: what is asked for.
  ///   - isWithinLines: whether all of it must stand in one line. Otherwise it may be spread over the parts of a document.
  ///   - limit: how many rows are of use.
  /// - Complexity: O(d) in the lengths of the trigrams' lists of documents.
  public func rows(for query: TrigramQuery, isWithinLines: Bool, limit: Int = .max) throws -> [Int64]? {
    switch query {
    case .all: return nil
    case .none: return []
    default: break
    }
    guard var rows = try documents(with: query, limit: limit) else { return nil }
    if !isWithinLines { rows.formUnion(try SpreadCandidates(self, try longDocuments()).documents(for: query)) }
    return rows.count > limit ? nil : rows.sorted()
  }

  /// The documents of which one part satisfies a query; nil where there are more than `limit`.
  func documents(with query: TrigramQuery, limit: Int = .max) throws -> Set<Int64>? {
    var documents: Set<Int64> = []
    let sql =
      "SELECT doc FROM \(index.tableName) AS t CROSS JOIN \(index.table.parts) AS p ON p.part = t.rowid "
      + "WHERE t.\(index.tableName) MATCH ?"
    let isComplete = try forEachRow(of: sql, TrigramExpression.bytes(of: query)) { document in
      documents.insert(document)
      return documents.count <= limit
    }
    return isComplete ? documents : nil
  }

  /// The documents of several parts.
  private func longDocuments() throws -> Set<Int64> {
    var documents: Set<Int64> = []
    try forEachRow(of: "SELECT doc FROM \(index.table.parts) GROUP BY doc HAVING count(*) > 1", nil) {
      documents.insert($0)
      return true
    }
    return documents
  }

  /// - Returns: whether all rows were visited.
  @discardableResult
  private func forEachRow(of sql: String, _ argument: [UInt8]?, _ body: (Int64) -> Bool) throws -> Bool {
    let handle = try db.cachedStatement(sql: sql).sqliteStatement
    return try (argument ?? []).withUnsafeBytes { bytes in
      defer {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
      }
      if argument != nil {
        sqlite3_bind_text64(
          handle, 1, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
          UInt8(SQLITE_UTF8)
        )
      }
      while true {
        switch sqlite3_step(handle) {
        case SQLITE_ROW:
          guard body(sqlite3_column_int64(handle, 0)) else { return false }
        case SQLITE_DONE: return true
        default:
          throw DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
            message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
        }
      }
    }
  }
}

/// Finds, among documents of several parts, those whose parts satisfy a query together.
private struct SpreadCandidates {
  private let candidates: PatternCandidates
  private let documents: Set<Int64>

  /// Trigrams of a conjunction that are asked for one by one; what the others would leave out is left in.
  private static let maximumCount = 8

  init(_ candidates: PatternCandidates, _ documents: Set<Int64>) {
    self.candidates = candidates
    self.documents = documents
  }

  func documents(for query: TrigramQuery) throws -> Set<Int64> {
    guard !documents.isEmpty else { return [] }
    switch query {
    case .all: return documents
    case .none: return []
    case .trigram: return try candidates.documents(with: query)?.intersection(documents) ?? documents
    case .and(let parts):
      let step = max(1, parts.count / SpreadCandidates.maximumCount)
      var common = documents
      for index in stride(from: 0, to: parts.count, by: step) where !common.isEmpty {
        common.formIntersection(try documents(for: parts[index]))
      }
      return common
    case .or(let parts):
      guard parts.count <= SpreadCandidates.maximumCount else { return documents }
      return try parts.reduce(into: []) { $0.formUnion(try documents(for: $1)) }
    }
  }
}
