import Foundation

/// A connection between two peers in the same process.
///
/// If both handlers can receive them, it carries whole messages: nothing is encoded, and bodies are not copied.
///
/// `@unchecked Sendable`: the ends share the state, and every variable in it is used only under its lock.
public final class LoopbackTransport: ReplicationTransport, @unchecked Sendable {
  /// The number of unprocessed bytes at which an end stops accepting frames.
  private static let maximumUnprocessed = 1 << 20

  private let state: LoopbackState
  private let end: Int
  /// Both peers are in this process.
  public var isLocal: Bool { true }

  private init(_ state: LoopbackState, end: Int) {
    self.state = state
    self.end = end
  }

  /// Creates both ends of a connection.
  public static func pair() -> (LoopbackTransport, LoopbackTransport) {
    let state = LoopbackState()
    return (LoopbackTransport(state, end: 0), LoopbackTransport(state, end: 1))
  }

  public func start(_ handler: any ReplicationTransportHandler) {
    let opened: [any ReplicationTransportHandler]? = state.lock.withLock {
      guard !state.isClosed else { return nil }
      state.handlers[end] = handler
      state.isOpen = state.handlers.allSatisfy { $0 != nil }
      return state.isOpen ? state.handlers.compactMap { $0 } : []
    }
    guard let opened else { return handler.transportDidClose(.closed(code: 1001, reason: "", isRemote: true)) }
    for handler in opened { handler.transportDidOpen() }
  }

  public func send(_ frame: [UInt8]) -> Bool {
    let (handler, isWritable) = reserve(frame.count)
    handler?.transportDidReceive(frame)
    return isWritable
  }

  /// Adds bytes that the other end has to process.
  ///
  /// - Returns: its handler, nil if the connection is closed, and whether it accepts more.
  private func reserve(_ size: Int) -> ((any ReplicationTransportHandler)?, isWritable: Bool) {
    let other = 1 - end
    return state.lock.withLock {
      guard state.isOpen, !state.isClosed else { return (nil, false) }
      state.unprocessed[other] += size
      let isWritable = state.unprocessed[other] < LoopbackTransport.maximumUnprocessed
      if !isWritable { state.isOtherWaiting[other] = true }
      return (state.handlers[other], isWritable)
    }
  }

  /// Starts to deliver events to a handler that can receive messages instead of frames.
  func start(_ handler: any DirectMessageHandler) {
    state.lock.withLock { state.acceptsMessages[end] = true }
    start(handler as any ReplicationTransportHandler)
  }

  /// Whether ``send(_:size:)`` can be called, because both handlers can receive messages. It does not change once the
  /// connection is open.
  var carriesMessages: Bool { state.lock.withLock { state.acceptsMessages == [true, true] } }

  /// Sends messages instead of frames.
  ///
  /// - Parameter size: the approximate size of the messages in bytes, which the receiver reports as processed.
  /// - Returns: whether the transport accepts more messages now. See ``ReplicationTransport/send(_:)``.
  func send(_ messages: [DirectMessage], size: Int) -> Bool {
    let (handler, isWritable) = reserve(size)
    (handler as? any DirectMessageHandler)?.transportDidReceive(messages, size: size)
    return isWritable
  }

  public func didProcess(byteCount: Int) {
    let sender: (any ReplicationTransportHandler)? = state.lock.withLock {
      state.unprocessed[end] -= byteCount
      guard state.isOtherWaiting[end], state.unprocessed[end] < LoopbackTransport.maximumUnprocessed / 2 else {
        return nil
      }
      state.isOtherWaiting[end] = false
      return state.handlers[1 - end]
    }
    sender?.transportIsWritable()
  }

  public func close(code: Int, reason: String) {
    let handlers: [(any ReplicationTransportHandler)?] = state.lock.withLock {
      guard !state.isClosed else { return [] }
      state.isClosed = true
      defer { state.handlers = [nil, nil] }
      return state.handlers
    }
    for (index, handler) in handlers.enumerated() {
      handler?.transportDidClose(.closed(code: code, reason: reason, isRemote: index != end))
    }
  }
}

/// `@unchecked Sendable`: every variable is used only under `lock`.
private final class LoopbackState: @unchecked Sendable {
  let lock = NSLock()
  var handlers: [(any ReplicationTransportHandler)?] = [nil, nil]
  var isOpen = false
  var isClosed = false
  /// The number of bytes that each end has not processed, and whether the other end is waiting for it.
  var unprocessed = [0, 0]
  var isOtherWaiting = [false, false]
  /// Whether the handler of each end can receive messages instead of frames.
  var acceptsMessages = [false, false]
}
