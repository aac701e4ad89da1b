import PostgresAccess
import SQLiteAccess

/// Rows that a statement of PostgreSQL returns, read in batches through a cursor.
///
/// The sizes of the next rows are not known, so batches grow slowly, and large values are not in them
/// (``TableShape/Column/largestJoined``).
final class RemoteRows: RowIterator {
  private let session: ConnectionSession
  private let shape: TableShape
  /// The columns of the result after the number of the row, by column of the table; -1 for columns that are not read.
  private let positions: [Int]
  private let transaction: Int
  private let epoch: Int
  private var cursor: Int?
  private var batch: PostgresResult?
  private var row = 0
  private var batchSize = RemoteRows.batchSizes[0]
  /// The columns whose large values are read one by one, of those that the statement reads.
  private let largeColumns: [Int]
  /// The large values of the current row, and the column of each.
  private var large: (values: PostgresResult, columns: [Int])?

  /// The numbers of rows of the first and of later batches. There are few, because the text of each statement contains
  /// its number.
  private static let batchSizes = [64, 512, 4096]
  /// The desired size of a batch in bytes.
  private static let desiredSize = 1 << 20
  /// The size in bytes of a batch all of whose rows are as large as the largest one of the previous batch.
  private static let maximumSize = 16 << 20
  /// The size in bytes of a batch all of whose rows have the largest values that a batch may contain: large rows may
  /// follow small ones.
  private static let unexpectedSize = 128 << 20

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
    _ session: ConnectionSession, _ shape: TableShape, _ statement: Statement, on nodes: Range<Int>, order: [MergeTerm],
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
    return MergingRowIterator(parts, order)
  }

  private init(
    _ session: ConnectionSession, _ shape: TableShape, _ columns: [Int], node: Int, cursor: Int,
    _ first: PostgresResult,
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
    largeColumns = shape.columns.indices.filter { shape.columns[$0].largestJoined != nil && positions[$0] > 0 }
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
    let column = Int(column)
    guard let batch, shape.columns.indices.contains(column), positions[column] > 0 else { return result.setNull() }
    let kind = shape.columns[column].kind
    if let large, let position = large.columns.firstIndex(of: column) {
      return kind.set(result, large.values, 0, position)
    }
    kind.set(result, batch, row, positions[column])
  }

  /// Reads the values of the current row that are not in the batch because they are large. A row that the transaction
  /// has deleted after the cursor was opened has none, and is skipped.
  private func skipDeletedRows() throws {
    while try !readLargeValues() { try moveToNextRow() }
  }

  /// - Returns: false if the row no longer exists.
  private func readLargeValues() throws -> Bool {
    large = nil
    guard let batch else { return true }
    let columns = largeColumns.filter { column in
      !batch.isNull(row, positions[column]) && batch.bytes(row, positions[column]).isEmpty
    }
    guard !columns.isEmpty else { return true }
    let selected = columns.map { shape.columns[$0].complete }.joined(separator: ", ")
    let values = try session.query(
      "SELECT \(selected) FROM \(shape.remote) WHERE \(shape.rowCondition(1))",
      [.int64(rowID)] + session.filter(node).parameters, on: node)
    guard values.count > 0, columns.indices.allSatisfy({ !values.isNull(0, $0) }) else { return false }
    large = (values, columns)
    return true
  }

  /// Returns the bytes of a column of the current row, or those of its number; nil for NULL.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    if let large, let position = large.columns.firstIndex(of: column) { return large.values.bytes(0, position) }
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
    let largestRow = largeColumns.reduce(1) { $0 + (shape.columns[$1].largestJoined ?? 0) }
    let limit = min(count, RemoteRows.unexpectedSize / largestRow)
    batchSize = RemoteRows.batchSizes.last { $0 <= limit } ?? RemoteRows.batchSizes[0]
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
