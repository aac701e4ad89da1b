import PostgresAccess

/// The changes of a write transaction that have not been sent, and its savepoints.
///
/// A savepoint is sent only if changes after it are: most savepoints end before, and rolling them back removes unsent
/// changes. One that was sent is released with the next changes.
struct PendingWrites {
  private(set) var statements: [PostgresStatement] = []
  /// New rows, which are inserted after the statements.
  private var rows = NewRows()
  private var savepoints: [Savepoint] = []
  private var savepointCount = 0
  /// The approximate size of the unsent changes in bytes.
  private(set) var size = 0
  /// Whether the new rows of each shard are inserted by statements of their own, as Citus requires.
  private let dividesRows: Bool

  init(dividesRows: Bool) { self.dividesRows = dividesRows }

  /// An open savepoint.
  private struct Savepoint {
    /// The number of unsent statements before it; nil if it was sent.
    var position: Int?
    /// The number of collected rows before it. It is 0 if it was sent.
    var rowCount: Int
    /// The size of the unsent changes before it. It is not used if it was sent.
    let size: Int
    /// Its number in the transaction. No other savepoint has the same: PostgreSQL would roll back to an older one if
    /// this one was not executed after an error.
    let number: Int
  }

  /// Whether enough changes are collected to send them.
  var isFull: Bool { size > 8 << 20 || statements.count > 4_000 }

  var isEmpty: Bool { statements.isEmpty && rows.isEmpty }

  mutating func append(_ statement: PostgresStatement) {
    insertRows()
    statements.append(statement)
    size += statement.parameters.reduce(64) { $0 + $1.size }
  }

  mutating func append(_ row: NewRow) {
    if rows.mustPrecede(row) { insertRows() }
    rows.append(row)
    size += row.size
  }

  /// Removes and returns the statements to send, with the savepoints among them.
  ///
  /// - Parameter sendingSavepoints: whether savepoints are also returned if there are no statements.
  mutating func takeStatements(sendingSavepoints: Bool = false) -> [PostgresStatement] {
    insertRows()
    guard sendingSavepoints || !statements.isEmpty else { return [] }
    var taken: [PostgresStatement] = []
    var next = 0
    for index in savepoints.indices {
      guard let position = savepoints[index].position else { continue }
      taken += statements[next..<position]
      next = position
      taken.append(PostgresStatement("SAVEPOINT cx\(savepoints[index].number)", isCached: false))
      savepoints[index].position = nil
    }
    taken += statements[next...]
    statements = []
    size = 0
    return taken
  }

  /// Begins savepoints up to a number that are not open yet.
  mutating func beginSavepoint(_ number: Int) {
    while savepoints.count <= number {
      savepoints.append(
        Savepoint(position: statements.count, rowCount: rows.count, size: size, number: savepointCount))
      savepointCount += 1
    }
  }

  /// Ends a savepoint and all with higher numbers.
  ///
  /// If it was sent, it is also released on the server: savepoints that remained until the end of the transaction would
  /// be nested, and each takes memory that all transactions share.
  ///
  /// - Parameter isReleased: whether the server can release it, which it refuses after an error.
  mutating func releaseSavepoint(_ number: Int, isReleased: Bool) {
    guard savepoints.count > number else { return }
    let outermost = savepoints[number]
    savepoints.removeSubrange(number...)
    // Savepoints within it are released with it.
    guard isReleased, outermost.position == nil else { return }
    statements.append(PostgresStatement("RELEASE SAVEPOINT cx\(outermost.number)", isCached: false))
  }

  /// Undoes the changes since a savepoint.
  ///
  /// - Returns: whether it was open.
  mutating func rollBack(toSavepoint number: Int) -> Bool {
    guard savepoints.count > number else { return false }
    savepoints.removeSubrange((number + 1)...)
    rows.keepFirst(savepoints[number].rowCount)
    if let position = savepoints[number].position {
      statements.removeSubrange(position...)
      size = savepoints[number].size
    } else {
      size = 0
      let name = "cx\(savepoints[number].number)"
      statements = [PostgresStatement("ROLLBACK TO SAVEPOINT \(name)", isCached: false)]
    }
    return true
  }

  /// Adds the statements that insert the collected rows. Those before an open savepoint have statements of their own.
  private mutating func insertRows() {
    guard !rows.isEmpty else { return }
    var start = 0
    for index in savepoints.indices where savepoints[index].rowCount > 0 {
      statements += rows.statements(start..<savepoints[index].rowCount, dividing: dividesRows)
      start = savepoints[index].rowCount
      savepoints[index].position = statements.count
      savepoints[index].rowCount = 0
    }
    statements += rows.statements(start..<rows.count, dividing: dividesRows)
    rows.removeAll()
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
