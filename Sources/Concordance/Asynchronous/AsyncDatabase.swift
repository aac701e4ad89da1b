import DocumentStore

/// A ``Database`` for tasks: calls that block run on threads of the database and never on the threads of Swift's tasks.
///
/// ```swift
/// let notes = try await database.async.perform { try $0.createCollection(name: "notes") }
/// try await database.async.inBatch {
///   for number in 1...1000 { try notes.save(document: MutableDocument(id: "note_\(number)")) }
/// }
/// ```
///
/// Collections and queries have the same property: ``Collection/async``, ``Query/async``. At most a few threads run for a database,
/// whatever the number of tasks; the others wait in order of arrival.
///
/// When the task is cancelled, a call that has not begun ends at once, a search or a query that runs is interrupted, and a
/// batch that runs is rolled back. The call throws `CancellationError`. A change that was committed before stays, and its call
/// returns.
public struct AsyncDatabase: Sendable {
  /// The database.
  public let database: Database

  /// Opens a database on a thread of its own: opening may rebuild indexes. See ``Database/init(path:config:)``.
  public static func open(
    path: String, config: DatabaseConfiguration = DatabaseConfiguration()
  ) async throws -> Database {
    try await openingThreads.run { try Database(path: path, config: config) }
  }

  /// Opens a database on a thread of its own. See ``Database/init(name:config:)``.
  public static func open(
    name: String, config: DatabaseConfiguration = DatabaseConfiguration()
  ) async throws -> Database {
    try await openingThreads.run { try Database(name: name, config: config) }
  }

  /// Runs a block whose changes are saved together or not at all. See ``Database/inBatch(using:)``.
  ///
  /// The block runs on the database's writing thread and uses the blocking API. It cannot suspend: while a transaction waits for a
  /// task, nobody else can write.
  ///
  /// - Returns: what the block returns.
  /// - Throws: as ``Database/inBatch(using:)``, and `CancellationError`; then nothing is saved.
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

  /// Runs a block that uses the blocking API: for whatever has no asynchronous form of its own.
  ///
  /// ```swift
  /// try await database.async.perform { try $0.performMaintenance(type: .optimize) }
  /// ```
  ///
  /// Up to four blocks run at the same time. A block that only saves documents belongs in ``inBatch(using:)``, which does not
  /// occupy one of these threads while it waits for another writer.
  ///
  /// - Returns: what the block returns.
  /// - Throws: what the block throws, and `CancellationError`.
  @discardableResult
  public func perform<T: Sendable>(_ block: @escaping @Sendable (Database) throws -> T) async throws -> T {
    let database = database
    return try await database.engine.workers.run { try block(database) }
  }

  /// Closes the file. See ``Database/close()``.
  ///
  /// It waits for the writer, and writes what is in the write-ahead log to the file. So does a `Database` that is not closed when its last
  /// reference goes, on whatever thread that is.
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
  /// They have a place of their own because overloads would break programs: in an `async` function Swift prefers the asynchronous
  /// overload and asks for `await` at every call of the blocking one.
  public var async: AsyncDatabase { AsyncDatabase(database: self) }
}
