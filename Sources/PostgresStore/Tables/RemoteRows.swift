import PostgresAccess
import SQLiteAccess

/// Rows that a statement of PostgreSQL returns, read in batches through a cursor.
///
/// The sizes of the next rows are not known, so batches grow slowly, and large values are not in them
/// (``TableShape/Column/mayBeLarge``).
final class RemoteRows: RowIterator {
  private let session: FrontSession
  private let shape: TableShape
  /// The columns of the result after the number of the row, by column of the table; -1 for columns that are not read.
  private let positions: [Int]
  private let transaction: Int
  private let epoch: Int
  private var cursor: Int?
  private var batch: PostgresResult?
  private var row = 0
  private var batchSize = RemoteRows.batchSizes[0]
  /// The column whose large values are read one by one, if the statement reads it.
  private let largeColumn: Int?
  /// The large value of the current row.
  private var largeValue: PostgresResult?

  /// The numbers of rows of the first and of later batches. There are few, because the text of each statement contains
  /// its number.
  private static let batchSizes = [64, 512, 4096]
  /// The desired size of a batch in bytes.
  private static let desiredSize = 1 << 20
  /// The size in bytes of a batch all of whose rows are as large as the largest one of the previous batch.
  private static let maximumSize = 16 << 20

  private let didFetch: ((PostgresResult) -> Void)?
  private var channel: NodeChannel { session.channel(node) }
  private let node: Int

  typealias Statement = (text: String, parameters: [PostgresValue], columns: [Int])

  /// Starts a scan. The first rows of all nodes are read in one round trip.
  ///
  /// - Parameters:
  ///   - nodes: the nodes to read.
  ///   - order: the order in which the rows of several nodes are merged.
  ///   - didFetch: receives each batch.
  static func open(
    _ session: FrontSession, _ shape: TableShape, _ statement: Statement, on nodes: Range<Int>, order: [MergeTerm],
    didFetch: ((PostgresResult) -> Void)? = nil
  ) throws -> RowIterator {
    let cursors = nodes.map { node in
      (ends: session.channel(node).takeCursorEnds(), number: session.channel(node).takeCursor())
    }
    let results = try session.query(
      zip(nodes, cursors).map { node, cursor in
        NodeStatements(
          node,
          cursor.ends + [
            PostgresStatement(
              "DECLARE cx_scan\(cursor.number) NO SCROLL CURSOR FOR \(statement.text)",
              statement.parameters + session.filter(node).parameters),
            fetch(cursor.number, batchSizes[0]),
          ])
      })
    let parts = try zip(zip(nodes, cursors), results).map { opened, results in
      try RemoteRows(
        session, shape, statement.columns, node: opened.0, cursor: opened.1.number, results[opened.1.ends.count + 1],
        didFetch)
    }
    if parts.count == 1, let only = parts.first { return only }
    return MergedRows(parts, order)
  }

  private init(
    _ session: FrontSession, _ shape: TableShape, _ columns: [Int], node: Int, cursor: Int, _ first: PostgresResult,
    _ didFetch: ((PostgresResult) -> Void)?
  ) throws {
    self.didFetch = didFetch
    self.session = session
    self.shape = shape
    self.node = node
    self.cursor = cursor
    var positions = [Int](repeating: -1, count: shape.columns.count)
    for (index, column) in columns.enumerated() { positions[column] = index + 1 }
    self.positions = positions
    largeColumn = shape.columns.indices.first { shape.columns[$0].mayBeLarge && positions[$0] > 0 }
    transaction = session.transactionCount
    epoch = session.cursorEpoch
    super.init()
    receive(first)
    try skipDeletedRows()
  }

  deinit { close() }

  override var isAtEnd: Bool { batch == nil }

  override var rowID: Int64 { batch?.int64(row, 0) ?? 0 }

  override func advance() throws {
    try moveToNextRow()
    try skipDeletedRows()
  }

  private func moveToNextRow() throws {
    guard let batch else { return }
    row += 1
    guard row >= batch.count else { return }
    guard let cursor else {
      self.batch = nil
      return
    }
    guard session.transactionCount == transaction else {
      throw PostgresError(.statement, "\(session.storage.name): rows were read after the end of their transaction")
    }
    chooseBatchSize(after: batch)
    receive(try session.query([RemoteRows.fetch(cursor, batchSize)], on: node)[0])
  }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    guard let batch, shape.columns.indices.contains(Int(column)), positions[Int(column)] > 0 else {
      return result.setNull()
    }
    let kind = shape.columns[Int(column)].kind
    if Int(column) == largeColumn, let largeValue { return kind.set(result, largeValue, 0, 0) }
    kind.set(result, batch, row, positions[Int(column)])
  }

  /// Reads the value of the current row that is not in the batch because it is large. A row that the transaction has
  /// deleted after the cursor was opened has none, and is skipped.
  private func skipDeletedRows() throws {
    while try !readLargeValue() { try moveToNextRow() }
  }

  /// - Returns: false if the row does not exist any longer.
  private func readLargeValue() throws -> Bool {
    largeValue = nil
    guard let largeColumn, let batch else { return true }
    let position = positions[largeColumn]
    guard !batch.isNull(row, position), batch.bytes(row, position).isEmpty else { return true }
    let value = try session.query(
      "SELECT \(shape.columns[largeColumn].name) FROM \(shape.remote) WHERE \(shape.rowCondition(1))",
      [.int64(rowID)] + session.filter(node).parameters, on: node)
    guard value.count > 0, !value.isNull(0, 0) else { return false }
    largeValue = value
    return true
  }

  /// Returns the bytes of a column of the current row, or those of its number; nil for NULL.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    let position = column < 0 ? 0 : positions[column]
    guard let batch, position >= 0, !batch.isNull(row, position) else { return nil }
    return batch.bytes(row, position)
  }

  private static func fetch(_ cursor: Int, _ batchSize: Int) -> PostgresStatement {
    PostgresStatement("FETCH FORWARD \(batchSize) FROM cx_scan\(cursor)")
  }

  private func receive(_ result: PostgresResult) {
    row = 0
    batch = result.count > 0 ? result : nil
    if result.count > 0 { didFetch?(result) }
    if result.count < batchSize { close() }
  }

  private func chooseBatchSize(after batch: PostgresResult) {
    var (total, largest) = (0, 1)
    for row in 0..<batch.count {
      let size = (0..<batch.columnCount).reduce(32) { $0 + batch.bytes(row, $1).count }
      total += size
      largest = max(largest, size)
    }
    let average = max(1, total / max(1, batch.count))
    // A larger batch is at most the next one in `batchSizes`.
    let count = min(RemoteRows.desiredSize / average, RemoteRows.maximumSize / largest, 8 * batchSize)
    // The rows that follow small documents may have the largest values that a batch contains.
    let sizes = largeColumn == nil ? RemoteRows.batchSizes[...] : RemoteRows.batchSizes.dropLast()
    batchSize = sizes.last { $0 <= count } ?? RemoteRows.batchSizes[0]
  }

  private func close() {
    guard let cursor else { return }
    self.cursor = nil
    if epoch == session.cursorEpoch { channel.freeCursor(cursor) }
  }
}

/// Rows in memory.
final class LocalRows: RowIterator {
  private let rows: [(number: Int64, values: [RemoteValue])]
  private var position = 0

  init(_ rows: [(number: Int64, values: [RemoteValue])]) {
    self.rows = rows
    super.init()
  }

  override var isAtEnd: Bool { position >= rows.count }
  override var rowID: Int64 { isAtEnd ? 0 : rows[position].number }
  override func advance() throws { position += 1 }

  override func setColumn(_ column: Int32, _ result: SQLResult) {
    guard !isAtEnd, rows[position].values.indices.contains(Int(column)) else { return result.setNull() }
    rows[position].values[Int(column)].set(result)
  }
}
