import PostgresAccess

/// The changes of a write transaction that have not been sent, and its savepoints.
///
/// A savepoint is sent only if changes after it are: most savepoints end before, and rolling them back removes unsent
/// changes.
struct PendingWrites {
  private(set) var statements: [PostgresStatement] = []
  /// New documents, which are inserted by one statement.
  private var documents = NewDocuments()
  private var savepoints: [Savepoint] = []
  private var savepointCount = 0
  /// The approximate size of the unsent changes in bytes.
  private(set) var size = 0
  /// Whether the new documents of each shard are inserted by a statement of their own, as Citus requires.
  private let dividesDocuments: Bool

  init(dividesDocuments: Bool) { self.dividesDocuments = dividesDocuments }

  /// An open savepoint.
  private struct Savepoint {
    /// The number of unsent statements before it; nil if it was sent.
    var position: Int?
    /// Its number in the transaction. No other savepoint has the same: PostgreSQL would roll back to an older one if this
    /// one was not executed after an error.
    let number: Int
  }

  /// Whether enough changes are collected to send them.
  var isFull: Bool { size > 8 << 20 || statements.count > 4_000 }

  var isEmpty: Bool { statements.isEmpty && documents.isEmpty }

  mutating func append(_ statement: PostgresStatement) {
    insertDocuments()
    statements.append(statement)
    size += statement.parameters.reduce(64) { $0 + $1.size }
  }

  mutating func append(_ document: NewDocuments.Row) {
    documents.append(document)
    size += document.body.utf8.count + 128
  }

  /// Returns the statements to send, with the savepoints among them, and forgets them.
  ///
  /// - Parameter sendingSavepoints: whether savepoints are also returned if there are no statements.
  mutating func takeStatements(sendingSavepoints: Bool = false) -> [PostgresStatement] {
    insertDocuments()
    guard sendingSavepoints || !statements.isEmpty else { return [] }
    var taken: [PostgresStatement] = []
    var next = 0
    for index in savepoints.indices {
      guard let position = savepoints[index].position else { continue }
      taken += statements[next..<position]
      next = position
      taken.append(PostgresStatement("SAVEPOINT cx\(savepoints[index].number)", isRemembered: false))
      savepoints[index].position = nil
    }
    taken += statements[next...]
    statements = []
    size = 0
    return taken
  }

  /// Begins savepoints up to a number that are not open yet.
  mutating func beginSavepoint(_ number: Int) {
    insertDocuments()
    while savepoints.count <= number {
      savepoints.append(Savepoint(position: statements.count, number: savepointCount))
      savepointCount += 1
    }
  }

  mutating func releaseSavepoint(_ number: Int) {
    if savepoints.count > number { savepoints.removeSubrange(number...) }
  }

  /// Undoes the changes since a savepoint.
  ///
  /// - Returns: whether it was open.
  mutating func rollBack(toSavepoint number: Int) -> Bool {
    insertDocuments()
    guard savepoints.count > number else { return false }
    savepoints.removeSubrange((number + 1)...)
    if let position = savepoints[number].position {
      statements.removeSubrange(position...)
    } else {
      let name = "cx\(savepoints[number].number)"
      statements = [PostgresStatement("ROLLBACK TO SAVEPOINT \(name)", isRemembered: false)]
    }
    return true
  }

  private mutating func insertDocuments() {
    guard !documents.isEmpty else { return }
    statements += documents.take(dividing: dividesDocuments)
  }
}

/// New documents of a transaction in columns, because one statement with arrays is several times faster than one
/// statement for each document.
struct NewDocuments {
  struct Row {
    let collection: Int64
    let row: Int64
    /// The value of the column `shard`.
    let shard: Int32
    let id: String
    let sequence: Int64
    let revision: Int64
    let deleted: Int64
    let source: Int64?
    let expiration: Int64?
    let body: String
  }

  private var rows: [Row] = []
  /// Stands for NULL in arrays of numbers. It is neither the id of a source nor a valid time.
  private static let none = Int64.min

  var isEmpty: Bool { rows.isEmpty }

  mutating func append(_ row: Row) { rows.append(row) }

  /// Returns the statements that insert the documents, and forgets them.
  ///
  /// - Parameter dividing: whether the documents of each shard have their own.
  mutating func take(dividing: Bool) -> [PostgresStatement] {
    defer { rows = [] }
    guard dividing else { return [NewDocuments.statement(rows)] }
    return Dictionary(grouping: rows, by: \.shard).sorted { $0.key < $1.key }.map { NewDocuments.statement($0.value) }
  }

  private static func statement(_ rows: [Row]) -> PostgresStatement {
    PostgresStatement(
      """
      INSERT INTO cx_doc (collection, row, shard, id, sequence, revision, deleted, source, expiration, body)
      SELECT c, r, h, i, s, v, d, nullif(o, \(NewDocuments.none)), nullif(e, \(NewDocuments.none)), b
      FROM unnest($1::int8[], $2::int8[], $3::int4[], $4::text[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
        $9::int8[], $10::text[]) AS t (c, r, h, i, s, v, d, o, e, b)
      """,
      [
        .int64s(rows.map(\.collection)), .int64s(rows.map(\.row)), .int32s(rows.map(\.shard)), .texts(rows.map(\.id)),
        .int64s(rows.map(\.sequence)), .int64s(rows.map(\.revision)), .int64s(rows.map(\.deleted)),
        .int64s(rows.map { $0.source ?? NewDocuments.none }), .int64s(rows.map { $0.expiration ?? NewDocuments.none }),
        .texts(rows.map(\.body)),
      ])
  }
}

extension PostgresValue {
  /// The approximate size in bytes.
  var size: Int {
    switch self {
    case .null, .bool, .int16, .int32, .int64, .double: 8
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .int64s(let numbers): numbers.count * 12
    case .int32s(let numbers): numbers.count * 8
    case .texts(let texts): texts.reduce(0) { $0 + $1.utf8.count + 4 }
    case .byteArrays(let arrays): arrays.reduce(0) { $0 + $1.count + 4 }
    }
  }
}
