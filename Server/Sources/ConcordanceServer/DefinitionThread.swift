import Concordance
import Foundation
import Synchronization

/// Signals to a thread that the task waiting for it was cancelled.
final class CancellationFlag: Sendable {
  private let flag = Mutex(false)

  var isCancelled: Bool { flag.withLock { $0 } }

  func cancel() { flag.withLock { $0 = true } }
}

extension RequestInput {
  /// Runs a change to indexes or collections on its own thread. The change may take long or wait for another writer,
  /// and must not occupy a thread that searches need in the meantime.
  ///
  /// - Parameter body: receives the database and a flag that is set when the client closes the connection.
  /// - Throws: ``Problem`` with status 503 if too many changes are waiting; any error that `body` throws.
  func onDefinitionThread<T: Sendable>(
    _ body: @escaping @Sendable (Database, CancellationFlag) throws -> T
  ) async throws -> T {
    let database = try database()
    let permit = try await server.limits(of: database).definitions.permit()
    let cancellation = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
          let result = Swift.Result { try body(database, cancellation) }
          withExtendedLifetime(permit) {}
          continuation.resume(with: result)
        }
        // The same stack size as for the library's threads, because parsers and SQLite are recursive.
        thread.stackSize = 8 << 20
        thread.start()
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Runs a change to a collection's indexes on its own thread.
  func withCollectionOnDefinitionThread<T: Sendable>(
    _ body: @escaping @Sendable (Concordance.Collection, CancellationFlag) throws -> T
  ) async throws -> T {
    let (name, collections) = (variables["collection"] ?? "", server.collections)
    return try await onDefinitionThread { database, cancellation in
      try collections.with(name, in: database) { try body($0, cancellation) }
    }
  }
}
