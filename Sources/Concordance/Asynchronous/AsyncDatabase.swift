import DocumentStore

/// The calls of a ``Database`` for tasks. They run on threads of the database and never block the threads of Swift's
/// tasks.
///
/// ```swift
/// let notes = try await database.async.perform { try $0.createCollection(name: "notes") }
/// try await database.async.inBatch {
///   for number in 1...1000 { try notes.save(document: MutableDocument(id: "note_\(number)")) }
/// }
/// ```
///
/// Collections and queries have the same property: ``Collection/async``, ``Query/async``. A database uses a small
/// number of threads for any number of tasks; other calls wait in order of arrival.
///
/// If the task is cancelled, a waiting call ends immediately, a running search or query is interrupted, and a running
/// batch is rolled back. The call throws `CancellationError`. A change that was already committed remains, and its call
/// returns.
public struct AsyncDatabase: Sendable {
  /// The database.
  public let database: Database

  /// Opens a database on a thread of its own, because opening may rebuild indexes. See ``Database/init(path:config:)``.
  ///
  /// - Parameters:
  ///   - path: the file. Its folder must exist.
  ///   - config: the options.
  /// - Throws: ``CBLError`` as ``Database/init(name:config:)``; `CancellationError`.
  public static func open(
    path: String, config: DatabaseConfiguration = DatabaseConfiguration()
  ) async throws -> Database {
    try await openingThreads.run { try Database(path: path, config: config) }
  }

  /// Opens a database on a thread of its own, because opening may rebuild indexes. See ``Database/init(name:config:)``.
  ///
  /// - Parameters:
  ///   - name: the file name without `.concord`.
  ///   - config: the folder and the options.
  /// - Throws: ``CBLError`` as ``Database/init(name:config:)``; `CancellationError`.
  public static func open(
    name: String, config: DatabaseConfiguration = DatabaseConfiguration()
  ) async throws -> Database {
    try await openingThreads.run { try Database(name: name, config: config) }
  }

  /// Runs a block in one transaction: its changes are committed together or not at all. See
  /// ``Database/inBatch(using:)``.
  ///
  /// - Parameter block: makes the changes with the blocking calls. It runs on the writing thread and cannot contain
  ///   `await`: while a transaction waits for a task, nobody else can write.
  /// - Returns: the value that the block returns.
  /// - Throws: ``CBLError`` as ``Database/inBatch(using:)``; `CancellationError`, and nothing is saved.
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

  /// Runs a block of blocking calls that have no asynchronous form.
  ///
  /// ```swift
  /// try await database.async.perform { try $0.performMaintenance(type: .optimize) }
  /// ```
  ///
  /// Up to four blocks run at the same time. Use ``inBatch(using:)`` for a block that only saves documents: it does not
  /// occupy one of these threads while it waits for another writer.
  ///
  /// - Parameter block: gets the database.
  /// - Returns: the value that the block returns.
  /// - Throws: the errors of the block; `CancellationError`.
  @discardableResult
  public func perform<T: Sendable>(_ block: @escaping @Sendable (Database) throws -> T) async throws -> T {
    let database = database
    return try await database.engine.workers.run { try block(database) }
  }

  /// Closes the file. See ``Database/close()``.
  ///
  /// It waits for the writer and checkpoints the write-ahead log. A `Database` that was not closed does the same when
  /// its last reference is released, on whatever thread that is.
  ///
  /// - Throws: ``CBLError``.
  public func close() async throws {
    let database = database
    try await database.engine.writer.run { try database.close() }
  }

  /// Threads for opening files, for all databases.
  private static let openingThreads = WorkerThreads(maximumCount: 4)
}

extension Database {
  /// The asynchronous calls of the database.
  ///
  /// They are not overloads, because in an `async` function Swift prefers asynchronous overloads and would require
  /// `await` for every blocking call.
  public var async: AsyncDatabase { AsyncDatabase(database: self) }
}
