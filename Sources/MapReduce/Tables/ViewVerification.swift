public import DocumentStore
public import GRDB
import JSONText
import SQLiteAccess

/// Checks the tables of a view.
public struct ViewVerification {
  private let reader: ViewReader
  private let encoder: SortKeyEncoder

  /// - Throws: `AnalyzerError` if ICU has no collation data.
  public init(_ tables: ViewTables, of collection: CollectionRecord, _ db: Database) throws {
    reader = ViewReader(tables, of: collection, db)
    encoder = try SortKeyEncoder()
  }

  /// Compares the view with its counters, its partial results and the documents.
  ///
  /// - Parameter map: the map function; nil if it is unknown. In this case, the rows are not compared with the
  ///   documents.
  /// - Returns: a description of the first problem; nil if there is none.
  /// - Complexity: O(n log n).
  public func problem(map: ViewUpdate.Map?) throws -> String? {
    let (tables, db) = (reader.tables, reader.db)
    let state = try ViewState(tables, db)
    var count: Int64 = 0
    var damaged: String?
    try reader.forEachEntry { entry in
      count += 1
      let key = try? JSONValue(jsonText: entry.key)
      if key.map({ encoder.key(of: $0) }) != entry.sort { damaged = entry.id }
      return damaged == nil
    }
    if let damaged { return "contains a row of the document \"\(damaged)\" with a wrong sort key; rebuild it" }
    guard count == state.rowCount else { return "has \(count) rows, not \(state.rowCount); rebuild it" }
    // Level −1 lists the blocks; level 0 lists the same blocks with their partial results.
    let levels = try Int64.fetchAll(
      db, sql: "SELECT sum(row_count) FROM \(tables.parts) GROUP BY level")
    if levels.contains(where: { $0 != count }) {
      return "contains partial results that do not match its rows; rebuild it"
    }
    guard let map, try ViewUpdate.lastSequence(of: reader.collection, db) == state.lastSequence else { return nil }
    return try differences(map)
  }

  private func differences(_ map: ViewUpdate.Map) throws -> String? {
    let writer = try ViewRowWriter(reader.tables, reader.db)
    var found: String?
    try DocumentReader(reader.collection, reader.db).forEach(includingExpired: true) { document in
      let expected = try ViewEntry.entries(of: document, map, encoder)
      if try writer.entries(of: document.id) != expected { found = document.id }
      return found == nil
    }
    if found == nil { found = try writer.idsOfRowsWithoutDocument(in: reader.collection).first }
    return found.map { "does not contain the rows of the document \"\($0)\"; rebuild it" }
  }
}

extension ViewTables {
  /// Returns the number of documents that have rows, and the approximate size of the tables in bytes.
  ///
  /// - Complexity: O(n) in the rows.
  public func statistics(_ db: Database) throws -> (documentCount: Int, size: Int) {
    let documents = try Int.fetchOne(db, sql: "SELECT count(DISTINCT id) FROM \(rows)") ?? 0
    // The index from documents to rows also contains the sort key.
    let size =
      try Int.fetchOne(
        db,
        sql: """
          SELECT coalesce((SELECT sum(2 * length(sort) + 2 * length(id) + length(key) + coalesce(length(value), 0) + 12)
            FROM \(rows)), 0)
            + coalesce((SELECT sum(length(sort) + length(id) + coalesce(length(prefix), 0) + coalesce(length(key), 0)
            + coalesce(length(partial), 0) + 12) FROM \(parts)), 0)
          """) ?? 0
    return (documents, size)
  }
}
