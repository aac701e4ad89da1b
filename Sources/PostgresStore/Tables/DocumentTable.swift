import DocumentStore
import PostgresAccess
import SQLiteAccess

/// The documents of a collection. Documents that are read by their row or id are cached for the transaction, and rows
/// that were announced are read together.
final class DocumentTable: RemoteTable {
  private let collection: Int64

  private enum Column {
    static let id = 0
    static let sequence = 1
    static let revision = 2
    static let deleted = 3
    static let source = 4
    static let expiration = 5
    static let body = 6
  }

  /// The number of announced rows to read together.
  private static let announcedCount = 256

  init(_ session: ConnectionSession, table: String, collection: Int64) {
    self.collection = collection
    super.init(session, .documents(table: table, collection: collection, isOnCitus: session.nodes.isOnCitus))
  }

  override var uniqueColumns: Set<Int> { [Column.id, Column.sequence] }
  override var indexedColumns: Set<Int> { [Column.source, Column.expiration] }
  override var estimatedRowCount: Double { 1_000_000 }

  // MARK: Reading

  override func nodes(_ plan: TablePlan, _ arguments: SQLArguments) -> Range<Int> { session.nodes.shardNodes }

  override func node(ofRow row: Int64) -> Int { session.node(ofRow: row) }

  /// The node of the document with an id.
  private func node(ofID id: String) -> Int { session.node(ofShard: session.shards.shard(ofID: id)) }

  override func rows(_ plan: TablePlan, _ arguments: SQLArguments) throws -> RowIterator? {
    if let index = plan.lookup(-1), !plan.comparisons[index].isList {
      guard case .int64(let row)? = ColumnKind.integer.parameter(RemoteValue(arguments[index])) else { return nil }
      return try rows(row, plan)
    }
    if let index = plan.lookup(Column.id), !plan.comparisons[index].isList {
      guard let id = RemoteValue(arguments[index]).string, let row = try row(ofID: id) else { return nil }
      return try rows(row, plan)
    }
    // Each search and query asks for expired documents; usually there are none, which takes no round trip.
    if !session.mayHaveExpirations, plan.requiresValue(of: Column.expiration) { return nil }
    return try super.rows(plan, arguments)
  }

  private func rows(_ number: Int64, _ plan: TablePlan) throws -> RowIterator? {
    let readsBody = plan.usedColumns & 1 << UInt64(Column.body) != 0
    return switch try readsBody ? completeDocument(number) : document(number) {
    case nil: nil
    case .written(let values): LocalRows([(number, values)])
    case .fetched(let result, let row): FetchedRow(shape, result, row)
    }
  }

  /// Returns a document with its body, which is read on its own if it is large.
  private func completeDocument(_ row: Int64) throws -> DocumentCache.Row? {
    let document = try document(row)
    guard case .fetched(let result, let index)? = document, !result.isNull(index, Column.body + 1),
      result.bytes(index, Column.body + 1).isEmpty
    else { return document }
    let complete = try session.query([statement("row = $2", .int64(row), node(ofRow: row))], on: node(ofRow: row))[0]
    guard complete.count > 0 else { return nil }
    add(complete)
    return .fetched(complete, 0)
  }

  /// Returns a document. It has an empty body if its own is large.
  private func document(_ row: Int64) throws -> DocumentCache.Row? {
    if let known = session.documents.row(row, of: collection) { return known.value }
    if try session.finishReadingAhead() {
      try readAhead()
      if let known = session.documents.row(row, of: collection) { return known.value }
    }
    let rows = session.documents.nextRows(row, of: collection, limit: DocumentTable.announcedCount)
    let results = try session.query(statements(rows))
    let found = receive(results.flatMap { $0 }, rows, finding: row)
    if rows.count == DocumentTable.announcedCount { try readAhead() }
    return found
  }

  /// Requests the next announced documents, so that the server reads them while the client uses those that it has.
  private func readAhead() throws {
    guard let next = session.documents.nextAnnounced(of: collection) else { return }
    let rows = session.documents.nextRows(next, of: collection, limit: DocumentTable.announcedCount)
    try session.startReadingAhead(statements(rows)) { [weak self] in _ = self?.receive($0, rows, finding: next) }
  }

  private func statements(_ rows: [Int64]) -> [NodeStatements] {
    let byNode = Dictionary(grouping: rows) { node(ofRow: $0) }
    return byNode.sorted { $0.key < $1.key }.map { node, rows in
      NodeStatements(node, [statement("row = ANY($2)", .int64s(rows), node, isOfSeveral: rows.count > 1)])
    }
  }

  /// Returns the statement that reads documents of a node.
  ///
  /// - Parameter isOfSeveral: whether large bodies are left out, because several documents may have one.
  private func statement(
    _ condition: String, _ parameter: PostgresValue, _ node: Int, isOfSeveral: Bool = false
  ) -> PostgresStatement {
    let columns = shape.columns.map { isOfSeveral ? $0.selected : $0.name }
    let shard = session.filter(node)
    return PostgresStatement(
      "SELECT row, \(columns.joined(separator: ", ")) FROM cx_doc WHERE collection = $1 AND "
        + "\(condition)\(shard.condition(3))", [.int64(collection), parameter] + shard.parameters)
  }

  /// Caches documents and returns one of them.
  private func receive(_ results: [PostgresResult], _ rows: [Int64], finding row: Int64) -> DocumentCache.Row? {
    var found: DocumentCache.Row?
    for missing in rows { session.documents.add(nil, number: missing, id: nil, size: 0, of: collection) }
    for result in results {
      for index in 0..<result.count where result.int64(index, 0) == row { found = .fetched(result, index) }
      add(result)
    }
    // Not read from the cache, which may have been emptied because the documents are large.
    return found
  }

  /// Returns the row of an id.
  func row(ofID id: String) throws -> Int64? {
    if let known = session.documents.row(ofID: id, of: collection) { return known.value }
    guard !id.utf8.contains(0) else { return nil }
    let node = node(ofID: id)
    let result = try session.query([statement("id = $2", .text(id), node)], on: node)[0]
    guard result.count > 0 else {
      session.documents.addMissing(id: id, of: collection)
      return nil
    }
    add(result)
    return result.int64(0, 0)
  }

  /// Sets the rows that will be read next.
  func announce(_ rows: [Int64]) { session.documents.announce(rows, of: collection) }

  /// Reads the documents with these ids together.
  func willSave(_ ids: [String]) throws {
    // What is read now must not be discarded before it is used.
    session.documents.makeRoom()
    let byNode = Dictionary(grouping: ids.filter { !$0.utf8.contains(0) }) { node(ofID: $0) }
    let results = try session.queryAll { node in
      byNode[node].map { ids in [statement("id = ANY($2)", .texts(ids), node, isOfSeveral: true)] } ?? []
    }
    for id in ids { session.documents.addMissing(id: id, of: collection) }
    if let result = results.first { add(result) }
  }

  private func add(_ result: PostgresResult) {
    for row in 0..<result.count {
      session.documents.add(
        .fetched(result, row), number: result.int64(row, 0), id: result.string(row, Column.id + 1),
        size: result.bytes(row, Column.body + 1).count, of: collection)
    }
  }

  // MARK: Writing

  override func insert(row: Int64?, _ values: SQLArguments, _ resolution: ConflictResolution) throws -> Int64 {
    try session.requireWriting()
    let id = values[Column.id].string
    guard !id.utf8.contains(0) else {
      throw StoreError(.badDocumentID, "PostgreSQL cannot store U+0000 in a document id")
    }
    if let existing = try self.row(ofID: id) {
      throw KeyConflict("UNIQUE constraint failed: \(shape.name).id (row \(existing))")
    }
    let number = try session.counters.nextRow(collection: collection, id: id, session)
    let values = Array(values)
    let document = NewDocument(
      collection: collection, row: number,
      shard: session.nodes.value(ofShard: session.shards.shard(ofRow: number)), id: id,
      sequence: values[Column.sequence].int64, revision: values[Column.revision].int64,
      deleted: values[Column.deleted].int64,
      source: values[Column.source].type == .null ? nil : values[Column.source].int64,
      expiration: values[Column.expiration].type == .null ? nil : values[Column.expiration].int64,
      body: values[Column.body].string)
    try session.enqueue(NewRow.document(document), on: node(ofRow: number))
    note(values, number, id)
    return number
  }

  override func update(row: Int64, _ values: SQLArguments, _ resolution: ConflictResolution) throws {
    try super.update(row: row, values, resolution)
    note(Array(values), row, values[Column.id].string)
  }

  override func delete(row: Int64) throws {
    let id: String? =
      switch try document(row) {
      case nil: nil
      case .written(let values): values[Column.id].string
      case .fetched(let result, let index): result.string(index, Column.id + 1)
      }
    try super.delete(row: row)
    session.documents.add(nil, number: row, id: id, size: 0, of: collection)
  }

  private func note(_ values: [SQLArgument], _ row: Int64, _ id: String) {
    var values = values.map { RemoteValue($0) }
    if values[Column.deleted] == .null { values[Column.deleted] = .integer(0) }
    if values[Column.expiration] != .null { session.citus.noteExpiration(on: node(ofRow: row)) }
    session.documents.add(
      .written(values), number: row, id: id, size: values[Column.body].string?.utf8.count ?? 0, of: collection)
  }
}

/// One document that was fetched.
private final class FetchedRow: RowIterator {
  private let shape: TableShape
  private let result: PostgresResult
  private let row: Int
  private var isRead = false

  init(_ shape: TableShape, _ result: PostgresResult, _ row: Int) {
    (self.shape, self.result, self.row) = (shape, result, row)
    super.init()
  }

  override var isAtEnd: Bool { isRead }
  override var rowID: Int64 { result.int64(row, 0) }
  override func advance() throws { isRead = true }

  override func setColumn(_ column: Int32, _ value: SQLResult) {
    guard shape.columns.indices.contains(Int(column)) else { return value.setNull() }
    shape.columns[Int(column)].kind.set(value, result, row, Int(column) + 1)
  }
}
