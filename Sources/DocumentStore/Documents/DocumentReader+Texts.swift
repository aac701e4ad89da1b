import GRDB

extension DocumentReader {
  /// Calls `body` with the id and the JSON text of every document between two rows, both included, in their order and without a
  /// copy of either.
  ///
  /// - Parameter body: gets views that are valid while it runs, and returns whether to go on.
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

  /// Calls `body` with the id and the JSON text of the documents in these rows, in the order of the list. Rows without a
  /// document are passed over.
  public func forEachText(
    inRows rows: some Sequence<Int64>,
    _ body: (_ id: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let statement = try SQLStatement(
      cached: "SELECT id, body FROM \(collection.table) WHERE rowid = ? AND \(StoredDocument.isLive)", in: db)
    for row in rows {
      statement.reset()
      statement.bind(1, row)
      guard try statement.step() else { continue }
      defer { statement.reset() }
      guard try DocumentReader.visit(statement.row, body) else { return }
    }
  }

  /// The rows and ids of all documents, tombstones included, in the order of the ids' bytes: an index holds both, so no
  /// document is touched.
  ///
  /// - Parameter range: the ids to look at: from its lower bound up to, but without, its upper bound; nil for all.
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

  /// When the file of each document was changed last, in nanoseconds since 1970, by the document's row. Of a document without
  /// a file, when it was saved.
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

  private static func visit(
    _ row: ResultRow, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool
  ) throws -> Bool {
    guard let id = row.bytes(0), let text = row.bytes(1) else { return true }
    return try body(id, text)
  }
}
