import DocumentStore

/// The asynchronous methods of a ``Database``. They run on threads of the database and never block the threads of
/// Swift's concurrency runtime.
///
/// ```swift
/// let notes = try await database.async.perform { try $0.createCollection(name: "notes") }
/// try await database.async.inBatch {
///   for number in 1...1000 { try notes.save(document: MutableDocument(id: "note_\(number)")) }
/// }
/// ```
///
/// Get it with ``Database/async``. Collections and queries have the same property: ``Collection/async`` and
/// ``Query/async``. A database uses a small number of threads for any number of tasks; further calls wait in order of
/// arrival.
///
/// ## Cancellation
///
/// If the task is cancelled, the call throws `CancellationError`: a waiting call ends immediately, a running search or
/// query is interrupted, and a running batch is rolled back. If the change was already committed, the call returns
/// normally. ``perform(_:)`` may make several changes: the next change or read in the block throws `CancellationError`,
/// and changes that the block has already committed remain.
public struct AsyncDatabase: Sendable {
  /// The database.
  public let database: Database

  /// Opens the database at the given path, without blocking the task. See ``Database/init(path:config:)``.
  ///
  /// ```swift
  /// let database = try await AsyncDatabase.open(path: "notes.concord")
  /// ```
  ///
  /// - Parameters:
  ///   - path: the path of the file. Its folder must exist.
  ///   - config: the options.
  /// - Returns: the database.
  /// - Throws: the same errors as ``Database/init(path:config:)``; `CancellationError`.
  public static func open(
    path: String, config: DatabaseConfiguration = DatabaseConfiguration()
  ) async throws -> Database {
    try await openingThreads.run { try Database(path: path, config: config) }
  }

  /// Opens the database with the given name, without blocking the task. See ``Database/init(name:config:)``.
  ///
  /// - Parameters:
  ///   - name: the file name without `.concord`.
  ///   - config: the folder and the options.
  /// - Returns: the database.
  /// - Throws: the same errors as ``Database/init(name:config:)``; `CancellationError`.
  public static func open(
    name: String, config: DatabaseConfiguration = DatabaseConfiguration()
  ) async throws -> Database {
    try await openingThreads.run { try Database(name: name, config: config) }
  }

  /// Runs a block in a transaction: either all of its changes are committed, or none. See ``Database/inBatch(using:)``.
  ///
  /// The block runs on the writer thread and calls the blocking methods. It cannot contain `await`, because no other
  /// writer could proceed while the transaction waited for a task.
  ///
  /// - Parameter block: a closure that makes the changes.
  /// - Returns: the value that the block returns.
  /// - Throws: the same errors as ``Database/inBatch(using:)``; `CancellationError`, in which case nothing is saved.
  @discardableResult
  public func inBatch<T: Sendable>(using block: @escaping @Sendable () throws -> T) async throws -> T {
    let database = database
    return try await database.engine.writer.run(beginsInTransaction: true) {
      try database.inBatch {
        let result = try block()
        try Interruption.check()
        return result
      }
    }
  }

  /// Runs a block that calls blocking methods that have no asynchronous form.
  ///
  /// ```swift
  /// try await database.async.perform { try $0.performMaintenance(type: .optimize) }
  /// ```
  ///
  /// Up to four blocks run at the same time. For a block that only saves documents, use ``inBatch(using:)``, which does
  /// not occupy one of these four threads while it waits for another writer.
  ///
  /// If the task is cancelled, the next change or read in the block throws `CancellationError`. Changes that the block
  /// has already committed remain.
  ///
  /// - Parameter block: a closure that receives the database.
  /// - Returns: the value that the block returns.
  /// - Throws: the errors of the block; `CancellationError`.
  @discardableResult
  public func perform<T: Sendable>(_ block: @escaping @Sendable (Database) throws -> T) async throws -> T {
    let database = database
    return try await database.engine.workers.run { try block(database) }
  }

  /// Closes the file, without blocking the task. See ``Database/close()``.
  ///
  /// Closing waits for the writer and checkpoints the write-ahead log. A `Database` that was not closed does the same
  /// when its last reference is released, on the thread that releases it.
  ///
  /// - Throws: the same errors as ``Database/close()``; `CancellationError`.
  public func close() async throws {
    let database = database
    try await database.engine.writer.run { try database.close() }
  }

  /// The threads that open files, shared by all databases.
  private static let openingThreads = WorkerThreads(maximumCount: 4)
}

extension Database {
  /// The asynchronous methods of the database.
  ///
  /// They are not overloads of the blocking methods, because in an `async` function Swift prefers asynchronous
  /// overloads and would require `await` for every blocking call.
  public var async: AsyncDatabase { AsyncDatabase(database: self) }
}
