import GRDB
import SQLiteAccess

extension DocumentReader {
  /// Calls `body` with the id and the JSON text of every document in a closed range of row ids, in row order and
  /// without copying.
  ///
  /// - Parameter body: receives buffers that are valid only during the call, and returns whether to continue.
  public func forEachText(
    from first: Int64, to last: Int64,
    _ body: (_ id: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let statement = try SQLStatement(
      cached: "SELECT id, body FROM \(collection.table) WHERE rowid BETWEEN ? AND ? AND \(StoredDocument.isLive)",
      in: db)
    defer { statement.reset() }
    statement.bind(1, first)
    statement.bind(2, last)
    while try statement.step() {
      guard try DocumentReader.visit(statement.row, body) else { return }
    }
  }

  /// Calls `body` with the id and the JSON text of the documents in the given rows, in the given order. Rows without a
  /// document are skipped.
  public func forEachText(
    inRows rows: ArraySlice<Int64>,
    _ body: (_ id: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let statement = try SQLStatement(
      cached: "SELECT id, body FROM \(collection.table) WHERE rowid = ? AND \(StoredDocument.isLive)", in: db)
    try announce(rows)
    for row in rows {
      statement.reset()
      statement.bind(1, row)
      guard try statement.step() else { continue }
      defer { statement.reset() }
      guard try DocumentReader.visit(statement.row, body) else { return }
    }
  }

  /// Returns the ids of the documents in the given rows, keyed by row id. Rows without a document are omitted.
  public func ids(ofRows rows: some Sequence<Int64>) throws -> [Int64: String] {
    let statement = try SQLStatement(
      cached: "SELECT id FROM \(collection.table) WHERE rowid = ? AND \(StoredDocument.isLive)", in: db)
    defer { statement.reset() }
    var ids: [Int64: String] = [:]
    try announce(rows)
    for row in rows {
      statement.reset()
      statement.bind(1, row)
      if try statement.step() { ids[row] = statement.row.string(0) }
    }
    return ids
  }

  /// Calls `body` with the rows and ids of all documents, including tombstones, ordered by the bytes of the ids. Reads
  /// only a covering index, not the documents.
  ///
  /// - Parameter range: the half-open range of ids to read; nil for all.
  public func forEachID(
    in range: (lower: String, upper: String?)? = nil, _ body: (_ row: Int64, _ id: String) throws -> Void
  ) throws {
    let condition = range.map { $0.upper == nil ? "WHERE id >= ?1" : "WHERE id >= ?1 AND id < ?2" } ?? ""
    let statement = try SQLStatement(sql: "SELECT rowid, id FROM \(collection.table) \(condition) ORDER BY id", in: db)
    defer { statement.reset() }
    if let range {
      statement.bind(1, copying: Array(range.lower.utf8), asText: true)
      if let upper = range.upper { statement.bind(2, copying: Array(upper.utf8), asText: true) }
    }
    while try statement.step() { try body(statement.row.int64(0), statement.row.string(1)) }
  }

  /// Calls `body` with the rows and ids of the documents that were read from a file, or from files below a folder, in
  /// no particular order.
  ///
  /// - Parameter path: the absolute path of the file or folder.
  public func forEachID(ofSources path: SourcePath, _ body: (_ row: Int64, _ id: String) throws -> Void) throws {
    let statement = try SQLStatement(
      sql: """
        SELECT d.rowid, d.id FROM concordance_source s JOIN \(collection.table) d ON d.source = s.id
        WHERE s.collection = ?1 AND (s.path = ?2 OR s.path >= ?3 AND s.path < ?4)
        """, in: db)
    defer { statement.reset() }
    statement.bind(1, collection.id)
    for (index, text) in [path.path, path.lower, path.upper].enumerated() {
      statement.bind(Int32(index + 2), copying: Array(text.utf8), asText: true)
    }
    while try statement.step() { try body(statement.row.int64(0), statement.row.string(1)) }
  }

  /// Returns the first and the last id in byte order, including tombstones; nil if there are none.
  ///
  /// - Complexity: O(log n).
  public func idBounds() throws -> (first: String, last: String)? {
    let statement = try SQLStatement(
      cached: "SELECT (SELECT min(id) FROM \(collection.table)), (SELECT max(id) FROM \(collection.table))", in: db)
    defer { statement.reset() }
    guard try statement.step(), !statement.row.isNull(0) else { return nil }
    return (statement.row.string(0), statement.row.string(1))
  }

  /// Returns whether all documents were read from the file with this path, or from files below this folder.
  ///
  /// - Complexity: O(n) in the number of documents: it scans an index with 2 bytes per document.
  public func allAreRead(from path: SourcePath) throws -> Bool {
    let others = try SQLStatement(
      cached: """
        SELECT EXISTS (SELECT 1 FROM concordance_source WHERE collection = ?1 AND path < ?2)
          OR EXISTS (SELECT 1 FROM concordance_source WHERE collection = ?1 AND path > ?2 AND path < ?3)
          OR EXISTS (SELECT 1 FROM concordance_source WHERE collection = ?1 AND path >= ?4),
          (SELECT count(*) FROM \(collection.table) WHERE source IS NOT NULL)
        """, in: db)
    defer { others.reset() }
    others.bind(1, collection.id)
    for (index, text) in [path.path, path.lower, path.upper].enumerated() {
      others.bind(Int32(index + 2), copying: Array(text.utf8), asText: true)
    }
    guard try others.step(), others.row.int64(0) == 0 else { return false }
    let count = others.row.int64(1)
    return try count > 0 && count == CollectionCatalog.documentCount(collection, db)
  }

  /// Returns modification times in nanoseconds since 1970, keyed by document row: the modification time of the
  /// document's file or, for a document without a file, the time of its last save.
  public func modificationTimes() throws -> [Int64: Int64] {
    let statement = try SQLStatement(
      sql: """
        SELECT d.rowid, ifnull(s.modified, d.revision) FROM \(collection.table) d
        LEFT JOIN concordance_source s ON s.id = d.source
        """, in: db)
    var times: [Int64: Int64] = [:]
    while try statement.step() { times[statement.row.int64(0)] = statement.row.int64(1) }
    return times
  }

  private func announce(_ rows: some Sequence<Int64>) throws {
    guard let receiver = db.announcementReceiver else { return }
    try receiver.willRead(Array(rows), of: collection.tableName)
  }

  private static func visit(
    _ row: StatementRow, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool
  ) throws -> Bool {
    guard let id = row.bytes(0), let text = row.bytes(1) else { return true }
    return try body(id, text)
  }
}
