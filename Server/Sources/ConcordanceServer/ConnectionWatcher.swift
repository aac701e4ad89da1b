import NIOCore
import Synchronization

/// Cancels the requests on connections that were closed by the client.
///
/// Hummingbird's `consumeWithCancellationOnInboundClose` does the same but closes the connection after the response,
/// so it cannot be used with keep-alive.
final class ConnectionWatcher: Sendable {
  private typealias Cancellations = [UInt64: @Sendable () -> Void]
  private struct State {
    var requests: [ObjectIdentifier: Cancellations] = [:]
    var nextID: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Creates the handler for a connection.
  func makeHandler() -> some RemovableChannelHandler & Sendable { Handler(watcher: self) }

  /// Runs `body` in a task that is cancelled when the client closes the connection.
  ///
  /// - Parameters:
  ///   - channel: The connection.
  ///   - onEventLoop: Whether the task runs on the event loop of the connection instead of Swift's thread pool.
  ///   - body: The work.
  func run<T: Sendable>(
    on channel: any Channel, onEventLoop: Bool = true, _ body: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    let executor: any TaskExecutor = onEventLoop ? EventLoopExecutor.of(channel.eventLoop) : globalConcurrentExecutor
    let task = Task(executorPreference: executor) { try await body() }
    let registration = add(channel) { task.cancel() }
    defer { remove(registration) }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// An action to run when a connection is closed.
  struct Registration: Sendable {
    fileprivate let connection: ObjectIdentifier
    fileprivate let id: UInt64
  }

  /// Registers an action that runs when the client closes the connection, or immediately if the connection is already
  /// closed.
  func add(_ channel: any Channel, _ action: @escaping @Sendable () -> Void) -> Registration {
    let connection = ObjectIdentifier(channel)
    let id = state.withLock { state in
      state.nextID &+= 1
      state.requests[connection, default: [:]][state.nextID] = action
      return state.nextID
    }
    if !channel.isActive { action() }
    return Registration(connection: connection, id: id)
  }

  func remove(_ registration: Registration) {
    state.withLock { state in
      state.requests[registration.connection]?[registration.id] = nil
      if state.requests[registration.connection]?.isEmpty == true { state.requests[registration.connection] = nil }
    }
  }

  /// The number of connections with requests in progress.
  var count: Int { state.withLock { $0.requests.count } }

  private func close(_ connection: ObjectIdentifier) {
    let cancellations = state.withLock { $0.requests.removeValue(forKey: connection) }
    cancellations?.values.forEach { $0() }
  }

  private final class Handler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any

    private let watcher: ConnectionWatcher

    init(watcher: ConnectionWatcher) { self.watcher = watcher }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case ChannelEvent.inputClosed? = event as? ChannelEvent { watcher.close(ObjectIdentifier(context.channel)) }
      context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
      watcher.close(ObjectIdentifier(context.channel))
      context.fireChannelInactive()
    }
  }
}
