import DocumentStore
import GRDB
import JSONText
import QueryCompiler
import SQLiteAccess
import Synchronization

/// The rows of a query as an asynchronous sequence that holds only a few rows at a time. See ``Query/rows()``.
public struct ResultRows: AsyncSequence, Sendable {
  /// A row.
  public typealias Element = Result

  private let query: Query
  private let parameters: Parameters?

  init(_ query: Query, _ parameters: Parameters?) {
    self.query = query
    self.parameters = parameters
  }

  /// Runs the query and returns an iterator over its rows.
  public func makeAsyncIterator() -> Iterator { Iterator(cursor: ResultCursor(query, parameters)) }

  /// An iterator over the rows.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let cursor: ResultCursor

    /// Returns the next row; nil after the last one.
    ///
    /// - Throws: the same errors as ``Query/execute()``; `CancellationError`.
    public mutating func next() async throws -> Result? {
      try Task.checkCancellation()
      if let row = cursor.nextRead() { return row }
      let cursor = cursor
      // Reading blocks, so it does not run on the cooperative thread pool.
      return try await withPublicErrors { try cursor.threads() }.run { try withPublicErrors { try cursor.next() } }
    }
  }
}

extension Query {
  /// Returns the rows of the query as an asynchronous sequence that reads them on demand.
  ///
  /// ```swift
  /// for try await row in query.rows() { print(row.toJSON()) }
  /// ```
  ///
  /// The rows are read from one snapshot of the database, which is taken when iteration begins and does not include
  /// uncommitted changes in a batch. Each iteration runs the query again, with the parameters at the time of this call.
  /// A parameter whose value cannot be used is an error of the iteration, because blobs are read when it begins.
  ///
  /// - Throws: the error of a setter that was called on the read-only ``parameters``.
  public func rows() throws -> ResultRows {
    let parameters = parameters
    if let fault = parameters?.fault { throw fault }
    return ResultRows(self, parameters)
  }
}

/// A running query with its own connection.
final class ResultCursor: Sendable {
  private struct State {
    var snapshot: StoreSnapshot?
    /// Stepped only on the snapshot's connection, and released before that connection.
    var statement: SQLStatement?
    var columns = ResultColumns([])
    var compiled: CompiledQuery?
    /// Rows that were read but not yet returned, in reverse order.
    var waiting: [[ColumnValue]] = []
    var isAtEnd = false
    /// The deadline, derived from ``Query/timeout``.
    var deadline: Deadline?
  }

  private let query: Query
  private let parameters: Parameters?
  /// A statement belongs to the connection of its snapshot, which is used only under this lock.
  private let state: Mutex<Unchecked<State>>

  /// The number of rows in a batch. Batches amortize the cost of a call to the connection.
  private static let batchSize = 64
  /// The size in bytes after which a batch ends. A row may contain documents of 50 MiB.
  private static let maximumSize = 1 << 20

  init(_ query: Query, _ parameters: Parameters?) {
    self.query = query
    self.parameters = parameters
    state = Mutex(Unchecked(value: State()))
  }

  /// The reader threads.
  func threads() throws -> WorkerThreads { try query.runner().engine.readers }

  /// Returns the next row, or nil if no row is buffered or another thread is reading. It does not wait for the lock,
  /// because it runs on the cooperative thread pool.
  func nextRead() -> Result? {
    let row = state.withLockIfAvailable { box in
      box.value.waiting.popLast().map { Result(box.value.columns, $0, query) }
    }
    return row ?? nil
  }

  /// Returns the next row. Reads another batch if no row is buffered.
  func next() throws -> Result? {
    try state.withLock { box in
      if box.value.waiting.isEmpty, !box.value.isAtEnd { try read(&box.value) }
      return box.value.waiting.popLast().map { Result(box.value.columns, $0, query) }
    }
  }

  private func read(_ state: inout State) throws {
    if state.snapshot == nil { try begin(&state) }
    guard let snapshot = state.snapshot, let statement = state.statement, let compiled = state.compiled else { return }
    var rows: [[ColumnValue]] = []
    var size = 0
    var isAtEnd = false
    do {
      try Deadline.run(state.deadline) {
        try snapshot.read { _ in
          while rows.count < ResultCursor.batchSize, size < ResultCursor.maximumSize {
            guard try compiled.step(statement) else {
              isAtEnd = true
              return
            }
            let row = compiled.values(statement.row)
            rows.append(row)
            size += row.size
          }
        }
      }
    } catch {
      end(&state)
      throw error
    }
    state.waiting = rows.reversed()
    if isAtEnd { end(&state) }
  }

  private func begin(_ state: inout State) throws {
    let runner = try query.runner()
    let values = try query.parameterValues(of: parameters)
    let snapshot = try runner.engine.store.makeSnapshot()
    state.deadline = query.timeout.map { Deadline($0, of: "query") }
    let (compiled, statement, isScanning) = try Deadline.run(state.deadline) {
      try snapshot.readInParallel { db, readerPool in
        let compiled = try runner.compiled(db)
        let (statement, isScanning) = try runner.statement(of: compiled, values, cached: false, db, readerPool)
        return (compiled, statement, isScanning)
      }
    }
    if isScanning { try snapshot.useScanCache() }
    state.columns = ResultColumns(compiled.columnNames)
    (state.snapshot, state.statement, state.compiled) = (snapshot, statement, compiled)
  }

  private func end(_ state: inout State) {
    state.isAtEnd = true
    state.statement = nil
    state.snapshot = nil
  }
}

/// A value that is passed between threads without compiler checks.
///
/// `@unchecked Sendable`: it is stored in the `Mutex` of ``ResultCursor`` and used only under its lock.
private struct Unchecked<Value>: @unchecked Sendable {
  var value: Value
}
