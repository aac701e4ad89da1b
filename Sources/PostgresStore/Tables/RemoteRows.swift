import PostgresAccess
import SQLiteAccess

/// Rows that a statement of PostgreSQL returns, read in batches through a cursor.
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

  /// The numbers of rows of the first and of later batches. There are few, because the text of each statement contains
  /// its number.
  private static let batchSizes = [64, 512, 4096]
  /// The desired size of a batch in bytes.
  private static let desiredSize = 1 << 20

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
    let parts = zip(zip(nodes, cursors), results).map { opened, results in
      RemoteRows(
        session, shape, statement.columns, node: opened.0, cursor: opened.1.number, results[opened.1.ends.count + 1],
        didFetch)
    }
    if parts.count == 1, let only = parts.first { return only }
    return MergedRows(parts, order)
  }

  private init(
    _ session: FrontSession, _ shape: TableShape, _ columns: [Int], node: Int, cursor: Int, _ first: PostgresResult,
    _ didFetch: ((PostgresResult) -> Void)?
  ) {
    self.didFetch = didFetch
    self.session = session
    self.shape = shape
    self.node = node
    self.cursor = cursor
    var positions = [Int](repeating: -1, count: shape.columns.count)
    for (index, column) in columns.enumerated() { positions[column] = index + 1 }
    self.positions = positions
    transaction = session.transactionCount
    epoch = session.cursorEpoch
    super.init()
    receive(first)
  }

  deinit { close() }

  override var isAtEnd: Bool { batch == nil }

  override var rowID: Int64 { batch?.int64(row, 0) ?? 0 }

  override func advance() throws {
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
    shape.columns[Int(column)].kind.set(result, batch, row, positions[Int(column)])
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
    let sample = min(batch.count, 16)
    let size = (0..<sample).reduce(0) { sum, row in
      (0..<batch.columnCount).reduce(sum + 32) { $0 + batch.bytes(row, $1).count }
    }
    let count = RemoteRows.desiredSize / max(1, size / max(1, sample))
    batchSize = RemoteRows.batchSizes.last { $0 <= count } ?? RemoteRows.batchSizes[0]
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
