import Foundation
import NIOCore

/// Runs the checks of passwords and certificates of a listener's clients. A check may block or take long.
///
/// The number of threads is limited, and other work does not use them. On SwiftNIO's thread pool, clients without
/// permission to connect could delay all other work of the process, such as accepting and opening connections.
///
/// `@unchecked Sendable`: `OperationQueue` can be used from any thread, because it has a lock of its own.
final class AuthenticationQueue: @unchecked Sendable {
  private static let threadCount = 4

  private let queue = OperationQueue()

  init() {
    queue.name = "concordance.authentication"
    queue.maxConcurrentOperationCount = AuthenticationQueue.threadCount
  }

  /// Runs a check.
  func submit(_ check: @escaping @Sendable () -> Void) { queue.addOperation(check) }

  /// Runs a check and returns its result on an event loop.
  func run<Value: Sendable>(
    _ loop: any EventLoop, _ check: @escaping @Sendable () -> Value
  ) -> EventLoopFuture<Value> {
    let promise = loop.makePromise(of: Value.self)
    submit { promise.succeed(check()) }
    return promise.futureResult
  }
}
