import DocumentStore
import Foundation
import Replication

/// A transport over a ``MessageEndpointConnection``, which the application implements.
///
/// Messages are sent one at a time, each after the application has completed the previous one. In a byte stream, each
/// frame is preceded by its size as a 32-bit big-endian number.
///
/// `@unchecked Sendable`: every variable is used only on the serial queue `queue`.
final class MessageTransport: ReplicationTransport, ReplicatorConnection, @unchecked Sendable {
  private static let maximumQueuedSize = 256 << 10
  /// The number of received bytes that the engine has not processed above which the connection fails. The application
  /// cannot be told to wait. Peers have at most a few megabytes in flight, because they wait for acknowledgements and
  /// responses, so only a faulty peer exceeds this.
  static let maximumUnprocessed = 32 << 20

  private let connection: any MessageEndpointConnection
  private let type: ProtocolType
  private let queue = DispatchQueue(label: "concordance.message-transport")
  private var handler: (any ReplicationTransportHandler)?
  private var isOpen = false
  private var isClosed = false
  /// Received bytes of an incomplete frame of a byte stream.
  private var received: [UInt8] = []
  private var outgoing: [[UInt8]] = []
  private var isSending = false
  private var closing: (code: Int, reason: String)?
  /// The size, in bytes, of the frames waiting to be sent. ``send(_:)`` reads it on the engine's queue.
  private let queuedSize = Locked(0)
  private let isWaiting = Locked(false)
  /// The number of received bytes that have not been processed.
  private let unprocessed = Locked(0)
  private let closeTimeout: Double

  /// - Parameter closeTimeout: the number of seconds for which ``close(code:reason:)`` waits until the application has
  ///   sent the remaining frames.
  init(_ connection: any MessageEndpointConnection, _ type: ProtocolType, closeTimeout: Double = 5) {
    self.connection = connection
    self.type = type
    self.closeTimeout = closeTimeout
  }

  func start(_ handler: any ReplicationTransportHandler) {
    queue.async { [self] in
      self.handler = handler
      guard !isClosed else { return end(.closed(code: 1001, reason: "", isRemote: false)) }
      connection.open(connection: self) { [self] isOpen, error in
        queue.async { [self] in didOpen(isOpen, error) }
      }
    }
  }

  private func didOpen(_ succeeded: Bool, _ error: MessagingError?) {
    guard !isClosed else { return }
    guard succeeded else { return end(.failed(MessageTransport.error(error))) }
    isOpen = true
    handler?.transportDidOpen()
    sendNext()
  }

  func send(_ frame: [UInt8]) -> Bool {
    let size = queuedSize.withLock { size in
      size += frame.count
      return size
    }
    let isWritable = size < MessageTransport.maximumQueuedSize
    if !isWritable { isWaiting.withLock { $0 = true } }
    queue.async { [self] in
      guard !isClosed, closing == nil else { return }
      outgoing.append(frame)
      sendNext()
    }
    return isWritable
  }

  func didProcess(byteCount: Int) { unprocessed.withLock { $0 -= byteCount } }

  func close(code: Int, reason: String) {
    queue.async { [self] in
      guard !isClosed, closing == nil else { return }
      closing = (code, reason)
      sendNext()
      guard !isClosed else { return }
      queue.asyncAfter(deadline: .now() + closeTimeout) { [weak self] in
        self?.end(.closed(code: code, reason: reason, isRemote: false))
      }
    }
  }

  private func sendNext() {
    guard !isClosed, !isSending else { return }
    guard isOpen, !outgoing.isEmpty else {
      if let closing { end(.closed(code: closing.code, reason: closing.reason, isRemote: false)) }
      return
    }
    let frame = outgoing.removeFirst()
    let size = queuedSize.withLock { size in
      size -= frame.count
      return size
    }
    isSending = true
    var data = Data()
    if type == .byteStream { data += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: frame.count >> $0) } }
    data += frame
    connection.send(message: .fromData(data)) { [self] succeeded, error in
      queue.async { [self] in didSend(succeeded, error) }
    }
    guard size < MessageTransport.maximumQueuedSize / 2 else { return }
    let wasWaiting = isWaiting.withLock { isWaiting in
      defer { isWaiting = false }
      return isWaiting
    }
    if wasWaiting { handler?.transportIsWritable() }
  }

  private func didSend(_ succeeded: Bool, _ error: MessagingError?) {
    isSending = false
    guard succeeded else { return end(.failed(MessageTransport.error(error))) }
    sendNext()
  }

  // MARK: ReplicatorConnection

  func close(error: MessagingError?) {
    queue.async { [self] in
      end(error.map { .failed(MessageTransport.error($0)) } ?? .closed(code: 1000, reason: "", isRemote: true))
    }
  }

  func receive(message: Message) {
    let size = message.toData().count
    let isAccepted = unprocessed.withLock { unprocessed in
      guard unprocessed + size <= MessageTransport.maximumUnprocessed else { return false }
      unprocessed += size
      return true
    }
    guard isAccepted else {
      let error = ReplicationTransportError(
        code: CBLError.webSocketUserTransient,
        message: "the connection of the program delivered data faster than it could be stored")
      return queue.async { [self] in end(.failed(error)) }
    }
    queue.async { [self] in
      guard !isClosed, let handler else { return }
      guard type == .byteStream else {
        let frame = Array(message.toData())
        guard frame.count <= ReplicationFrames.maximumSize else { return tooLarge(frame.count) }
        return handler.transportDidReceive(frame)
      }
      received += message.toData()
      var offset = 0
      while received.count - offset >= 4 {
        let size = received[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard size <= ReplicationFrames.maximumSize else { return tooLarge(size) }
        guard received.count - offset - 4 >= size else { break }
        handler.transportDidReceive(Array(received[(offset + 4)..<(offset + 4 + size)]))
        offset += 4 + size
        // The engine reports only the frames.
        unprocessed.withLock { $0 -= 4 }
      }
      received.removeFirst(offset)
    }
  }

  private func tooLarge(_ size: Int) {
    end(
      .failed(
        ReplicationTransportError(
          code: CBLError.webSocketMessageTooBig, message: "the peer sent a frame of \(size) bytes, which is too large"))
    )
  }

  private func end(_ closure: TransportClosure) {
    guard !isClosed || handler != nil else { return }
    let wasClosed = isClosed
    isClosed = true
    outgoing = []
    received = []
    let handler = handler
    self.handler = nil
    handler?.transportDidClose(closure)
    guard !wasClosed else { return }
    var error: (any Error)?
    if case .failed(let failure) = closure { error = failure }
    connection.close(error: error) {}
  }

  private static func error(_ error: MessagingError?) -> ReplicationTransportError {
    let isTransient = error?.isRecoverable ?? false
    return ReplicationTransportError(
      code: isTransient ? CBLError.webSocketUserTransient : CBLError.webSocketUserPermanent,
      message: "the connection of the program failed: \(error.map { CBLError.message(of: $0.error) } ?? "no reason")")
  }
}
