import NIOCore
import Synchronization

/// Cancels the requests on connections that were closed by the client.
///
/// Hummingbird's `consumeWithCancellationOnInboundClose` does the same but closes the connection after the response,
/// so it cannot be used with keep-alive.
///
/// A client that closes its connection and one that only ends its half of it, such as `nc -N`, look the same until
/// something is written: ``HalfClose`` decides how long a request is still processed.
final class ConnectionWatcher: Sendable {
  /// What happens to a request when the client has ended its half of the connection.
  enum HalfClose: Sendable {
    /// The request is cancelled.
    case cancel
    /// The request is cancelled after a second, and after each further one, unless the function returns true. So the
    /// searches of clients that have closed their connections do not occupy threads for long.
    case cancelUnless(@Sendable () -> Bool)

    /// The request is cancelled if it does not end within a second.
    static let cancelLater = HalfClose.cancelUnless { false }
  }

  private struct Request {
    let halfClose: HalfClose
    let cancel: @Sendable () -> Void
  }

  private struct State {
    var requests: [ObjectIdentifier: [UInt64: Request]] = [:]
    var nextID: UInt64 = 0
  }

  /// The time after which a request with ``HalfClose/cancelUnless(_:)`` is cancelled.
  private static let grace = TimeAmount.seconds(1)

  private let state = Mutex(State())

  /// Creates the handler for a connection.
  func makeHandler() -> some RemovableChannelHandler & Sendable { Handler(watcher: self) }

  /// Runs `body` in a task that is cancelled when the client closes the connection.
  ///
  /// - Parameters:
  ///   - channel: the connection.
  ///   - onEventLoop: whether the task runs on the event loop of the connection instead of Swift's thread pool.
  ///   - halfClose: what happens when the client ends its half of the connection.
  ///   - body: the work, which ends before the response starts.
  func run<T: Sendable>(
    on channel: any Channel, onEventLoop: Bool = true, onHalfClose halfClose: HalfClose = .cancelLater,
    _ body: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    let executor: any TaskExecutor = onEventLoop ? EventLoopExecutor.of(channel.eventLoop) : globalConcurrentExecutor
    let task = Task(executorPreference: executor) { try await body() }
    let registration = add(channel, onHalfClose: halfClose) { task.cancel() }
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
  /// closed. The action may run more than once.
  func add(
    _ channel: any Channel, onHalfClose halfClose: HalfClose, _ action: @escaping @Sendable () -> Void
  ) -> Registration {
    let connection = ObjectIdentifier(channel)
    let id = state.withLock { state in
      state.nextID &+= 1
      state.requests[connection, default: [:]][state.nextID] = Request(halfClose: halfClose, cancel: action)
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

  /// The number of HTTP/1 connections and HTTP/2 streams with requests in progress.
  var count: Int { state.withLock { $0.requests.count } }

  private func close(_ connection: ObjectIdentifier) {
    let requests = state.withLock { $0.requests.removeValue(forKey: connection) }
    requests?.values.forEach { $0.cancel() }
  }

  private func halfClose(_ connection: ObjectIdentifier, _ loop: any EventLoop) {
    let requests = state.withLock { $0.requests[connection] } ?? [:]
    var later: [UInt64] = []
    for (id, request) in requests {
      if case .cancel = request.halfClose { request.cancel() } else { later.append(id) }
    }
    cancelLater(later, of: connection, loop)
  }

  private func cancelLater(_ ids: [UInt64], of connection: ObjectIdentifier, _ loop: any EventLoop) {
    guard !ids.isEmpty else { return }
    loop.scheduleTask(in: ConnectionWatcher.grace) { [self] in
      let requests = state.withLock { $0.requests[connection] } ?? [:]
      var continuing: [UInt64] = []
      for id in ids {
        guard let request = requests[id] else { continue }
        if case .cancelUnless(let continues) = request.halfClose, continues() {
          continuing.append(id)
        } else {
          request.cancel()
        }
      }
      cancelLater(continuing, of: connection, loop)
    }
  }

  private final class Handler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any

    private let watcher: ConnectionWatcher

    init(watcher: ConnectionWatcher) { self.watcher = watcher }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case ChannelEvent.inputClosed? = event as? ChannelEvent {
        watcher.halfClose(ObjectIdentifier(context.channel), context.eventLoop)
      }
      context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
      watcher.close(ObjectIdentifier(context.channel))
      context.fireChannelInactive()
    }
  }
}
