import Concordance
import Logging
import ServiceLifecycle
import Synchronization

/// Checks every second whether database files were deleted or replaced, or databases on PostgreSQL were created again.
/// If so, logs it and ends the event streams of these databases.
final class DatabaseFileMonitor: Service {
  private struct State {
    var replaced: Set<String> = []
    var streams: [Int: (database: String, continuation: AsyncStream<Void>.Continuation)] = [:]
    var lastNumber = 0
  }

  /// The interval between checks. Each check calls stat once per database.
  private static let interval: Duration = .seconds(1)

  private let databases: [String: Database]
  private let logger: Logger
  private let state = Mutex(State())

  init(_ databases: [String: Database], _ logger: Logger) { (self.databases, self.logger) = (databases, logger) }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        self.check()
        try? await Task.sleep(for: DatabaseFileMonitor.interval)
      }
    }
    check()
    // Logged again because now is the time to delete the files, and the first message may be far back in the log.
    for name in state.withLock({ $0.replaced }).sorted() { if let database = databases[name] { warn(database) } }
  }

  /// Waits until a database is deleted or replaced.
  ///
  /// - Throws: ``Problem/replaced(_:)``; `CancellationError`.
  func failWhenReplaced(_ database: Database) async throws {
    let name = database.name
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let number = state.withLock { state -> Int? in
      guard !state.replaced.contains(name) else { return nil }
      state.lastNumber += 1
      state.streams[state.lastNumber] = (name, continuation)
      return state.lastNumber
    }
    if let number {
      defer { state.withLock { _ = $0.streams.removeValue(forKey: number) } }
      for await _ in stream {}
      try Task.checkCancellation()
    }
    throw Problem.replaced(database)
  }

  /// Checks all databases once.
  func check() {
    for (name, database) in databases where database.isFileReplaced {
      let ended = state.withLock { state -> [AsyncStream<Void>.Continuation]? in
        guard state.replaced.insert(name).inserted else { return nil }
        return state.streams.values.filter { $0.database == name }.map(\.continuation)
      }
      guard let ended else { continue }
      warn(database)
      ended.forEach { $0.finish() }
    }
  }

  private func warn(_ database: Database) {
    let path = database.path ?? "\(database.name).concord"
    guard !database.isOnPostgreSQL else {
      return logger.warning("\(path) was deleted or created again while it was open: start the server again")
    }
    logger.warning(
      """
      \(path) was replaced while it was open: delete \(path)-wal and \(path)-shm before you open it, or the new file \
      will be damaged
      """)
  }
}
