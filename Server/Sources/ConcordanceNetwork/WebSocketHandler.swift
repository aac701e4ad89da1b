import NIOCore
import NIOSSL
import NIOWebSocket
import Replication

/// The last handler in a WebSocket's pipeline (RFC 6455). It passes binary messages to the replication engine and
/// writes the frames of a ``SendQueue``.
///
/// It runs on the channel's event loop, which it never blocks, and also calls the engine on it.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  let queue: SendQueue
  let isClient: Bool
  private let timing: WebSocketTiming
  private var context: ChannelHandlerContext?
  private var receiver: (any ReplicationTransportHandler)?
  /// Keeps the transport alive from the time it is started until it is closed.
  private var transport: WebSocketTransport?
  private var phase = Phase.open
  /// The messages that arrived before ``start(_:keeping:)``. The pipeline reads only once before that.
  private var early: [[UInt8]] = []
  private var isStarted = false
  private var isPaused = false
  /// Whether a read was requested but not performed. Initially true: the handshake handlers may have held back a read.
  private var isReadPending = true
  private var pingTask: Scheduled<Void>?
  private var pongTask: Scheduled<Void>?
  private var closeTask: Scheduled<Void>?
  /// The payload of the latest ping that has not been answered because the channel was not writable.
  private var unansweredPing: ByteBuffer?

  private enum Phase {
    case open
    /// This side has sent a close frame and is waiting for the peer's.
    case closing(CloseMessage)
    case closed(TransportClosure)
  }

  init(isClient: Bool, timing: WebSocketTiming, maximumUnprocessed: Int = ReplicationFrames.maximumUnprocessed) {
    self.isClient = isClient
    self.timing = timing
    queue = SendQueue(maximumUnprocessed: maximumUnprocessed)
  }

  // MARK: Calls from the transport

  /// Starts to deliver events.
  func start(_ receiver: any ReplicationTransportHandler, keeping transport: WebSocketTransport) {
    guard !isStarted else { return }
    isStarted = true
    self.receiver = receiver
    receiver.transportDidOpen()
    for message in early { deliver(message) }
    early = []
    if case .closed(let closure) = phase { return end(closure) }
    self.transport = transport
    schedulePing()
    resumeReading()
  }

  /// Performs the queued work: resumes reading, writes frames, and closes the connection.
  func performQueuedWork() {
    let work = queue.take()
    guard let context, case .open = phase else { return }
    if work.resumesReading {
      isPaused = false
      resumeReading()
    }
    write(work.frames, context)
    if let message = work.closing { beginClosing(message, context) }
  }

  private func write(_ frames: [[UInt8]], _ context: ChannelHandlerContext) {
    guard !frames.isEmpty else { return }
    var size = 0
    let promise = context.eventLoop.makePromise(of: Void.self)
    for (position, frame) in frames.enumerated() {
      size += frame.count
      let isLast = position == frames.count - 1
      write(.binary, context.channel.allocator.buffer(bytes: frame), context, isLast ? promise : nil)
    }
    let written = size
    promise.futureResult.assumeIsolated().whenComplete { _ in
      if self.queue.didWrite(written) { self.receiver?.transportIsWritable() }
    }
    context.flush()
  }

  private func write(
    _ opcode: WebSocketOpcode, _ content: ByteBuffer, _ context: ChannelHandlerContext,
    _ promise: EventLoopPromise<Void>? = nil
  ) {
    // Only clients mask their frames (RFC 6455, section 5.1).
    let frame = WebSocketFrame(
      fin: true, opcode: opcode, maskKey: isClient ? .random() : nil, data: content)
    context.write(wrapOutboundOut(frame), promise: promise)
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func read(context: ChannelHandlerContext) {
    if isStarted, !isPaused { context.read() } else { isReadPending = true }
  }

  private func resumeReading() {
    guard isStarted, !isPaused, isReadPending, let context else { return }
    isReadPending = false
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .closed = phase { return }
    // Any frame shows that the peer is alive. A peer that is sending much may answer pings late.
    pongTask?.cancel()
    pongTask = nil
    let frame = unwrapInboundIn(data)
    guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return fail(.protocolError, "a frame uses an extension that was not negotiated", context)
    }
    switch frame.opcode {
    case .binary: receive(Array(buffer: frame.unmaskedData))
    case .ping:
      unansweredPing = frame.unmaskedData
      answerPing(context)
    case .connectionClose: receiveClose(frame.unmaskedData, context)
    // Pongs need no answer. Couchbase Lite also ignores text messages.
    default: break
    }
  }

  private func receive(_ message: [UInt8]) {
    // Messages that arrive after this side began closing are discarded.
    guard case .open = phase else { return }
    if isStarted { deliver(message) } else { early.append(message) }
  }

  private func deliver(_ message: [UInt8]) {
    if queue.didDeliver(message.count) { isPaused = true }
    receiver?.transportDidReceive(message)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    answerPing(context)
    context.fireChannelWritabilityChanged()
  }

  /// Answers the latest ping, which is enough (RFC 6455, section 5.5.3). While the channel is not writable, no pong is
  /// written, so that the pings of a peer that is not reading cannot exhaust memory.
  private func answerPing(_ context: ChannelHandlerContext) {
    guard case .open = phase, context.channel.isWritable, let payload = unansweredPing else { return }
    unansweredPing = nil
    write(.pong, payload, context)
    context.flush()
  }

  func channelInactive(context: ChannelHandlerContext) {
    if case .closing(let message) = phase {
      end(.closed(code: message.code, reason: message.reason, isRemote: false))
    } else {
      end(.lost)
    }
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent:
      // The server that accepted the connection shuts down. Couchbase Lite reconnects later only after code 4001.
      queue.close(CloseMessage(code: 4001, reason: "the server is shutting down"), schedule: {})
      performQueuedWork()
    // Hummingbird keeps connections open whose peer has closed its half. A WebSocket then cannot be closed properly.
    case ChannelEvent.inputClosed: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let code = WebSocketErrorCode(violation: error) { return fail(code, "\(error)", context) }
    // After a close frame, the peer may drop the connection in any way.
    if case .open = phase {
      // A peer that was killed sends no TLS closure alert. The connection is lost, as it is without TLS.
      end(error as? NIOSSLError == .uncleanShutdown ? .lost : .failed(NetworkError.transportError(error)))
    }
    context.close(promise: nil)
  }

  // MARK: Pings

  private func schedulePing() {
    guard let context else { return }
    pingTask = context.eventLoop.assumeIsolated().scheduleTask(in: timing.pingInterval) { self.ping() }
  }

  private func ping() {
    guard let context, case .open = phase else { return }
    write(.ping, ByteBuffer(), context)
    context.flush()
    // A task that is still pending waits since an earlier ping, and the next frame cancels it.
    if pongTask == nil {
      pongTask = context.eventLoop.assumeIsolated().scheduleTask(in: timing.pongTimeout) { self.missedPong() }
    }
    schedulePing()
  }

  private func missedPong() {
    pongTask = nil
    guard let context, case .open = phase else { return }
    // While reading is paused, a frame may have arrived without having been read.
    guard !isPaused else { return }
    end(.failed(NetworkError.timeout("the peer did not answer a ping")))
    context.close(promise: nil)
  }
}

// MARK: - Closing

extension WebSocketHandler {
  /// Sends a close frame and waits for the peer's.
  private func beginClosing(_ message: CloseMessage, _ context: ChannelHandlerContext) {
    phase = .closing(message)
    scheduleEnd(after: timing.flushTimeout, context)
    writeClose(message, context).assumeIsolated().whenComplete { _ in
      guard let context = self.context else { return }
      self.closeTask?.cancel()
      self.scheduleEnd(after: self.timing.closeTimeout, context)
    }
    // The peer's close frame may come after other messages, which are discarded from now on.
    isPaused = false
    resumeReading()
  }

  private func scheduleEnd(after time: TimeAmount, _ context: ChannelHandlerContext) {
    closeTask = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.context?.close(promise: nil) }
  }

  /// Sends a close frame after a protocol violation, and closes the connection without waiting for the peer's.
  private func fail(_ code: WebSocketErrorCode, _ reason: String, _ context: ChannelHandlerContext) {
    if case .closed = phase { return }
    let message = CloseMessage(code: Int(UInt16(webSocketErrorCode: code)), reason: reason)
    // The end is reported first, because the write can close the channel immediately.
    end(.closed(code: message.code, reason: reason, isRemote: false))
    writeCloseAndDisconnect(message, context)
  }

  private func receiveClose(_ content: ByteBuffer, _ context: ChannelHandlerContext) {
    if case .closing(let message) = phase {
      end(.closed(code: message.code, reason: message.reason, isRemote: false))
      return context.close(promise: nil)
    }
    var content = content
    // 1005 means that the frame had no code; it must not be sent (RFC 6455, section 7.4.1).
    let code = content.readInteger(as: UInt16.self).map(Int.init) ?? 1005
    let reason = String(buffer: content)
    end(.closed(code: code, reason: reason, isRemote: true))
    writeCloseAndDisconnect(CloseMessage(code: code == 1005 ? 1000 : code, reason: ""), context)
  }

  private func writeCloseAndDisconnect(_ message: CloseMessage, _ context: ChannelHandlerContext) {
    let channel = context.channel
    writeClose(message, context).whenComplete { _ in channel.close(promise: nil) }
    // A peer that does not read must not keep the connection open.
    context.eventLoop.scheduleTask(in: timing.closeTimeout) { channel.close(promise: nil) }
  }

  private func writeClose(_ message: CloseMessage, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
    var content = context.channel.allocator.buffer(capacity: 125)
    content.writeInteger(UInt16(clamping: message.code))
    content.writeString(message.reason.prefix(utf8Count: 123))
    let promise = context.eventLoop.makePromise(of: Void.self)
    write(.connectionClose, content, context, promise)
    context.flush()
    return promise.futureResult
  }

  /// Reports the end of the connection. Only the first call reports it.
  private func end(_ closure: TransportClosure) {
    for task in [pingTask, pongTask, closeTask] { task?.cancel() }
    queue.end()
    if case .closed = phase {} else { phase = .closed(closure) }
    guard isStarted, let receiver else { return }
    self.receiver = nil
    transport = nil
    receiver.transportDidClose(closure)
  }
}

/// The ping interval and the timeouts of a WebSocket connection.
struct WebSocketTiming: Sendable {
  var pingInterval: TimeAmount = .seconds(300)
  /// The time limit for the peer to answer a ping or to send another frame.
  var pongTimeout: TimeAmount = .seconds(20)
  /// The time limit for writing the frames that precede a close frame.
  var flushTimeout: TimeAmount = .seconds(30)
  /// The time limit for the peer to answer a close frame.
  var closeTimeout: TimeAmount = .seconds(5)

  init() {}

  /// Creates timing settings with a ping interval, which is clamped to the range from 10 ms to one year.
  init(heartbeat seconds: Double) {
    let limited = seconds.isFinite && seconds > 0 ? min(max(seconds, 0.01), 31_536_000) : 300
    pingInterval = .nanoseconds(Int64(limited * 1e9))
  }
}

extension TransportClosure {
  /// The end of a connection that the peer has not closed with a close frame.
  fileprivate static let lost = TransportClosure.closed(
    code: 1006, reason: "the connection was lost", isRemote: true)
}

extension WebSocketErrorCode {
  /// Returns the close code for a protocol violation that a NIO handler detected; nil for other errors.
  init?(violation error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
      self = .messageTooLarge
    case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error, is MaskingCheck.Violation: self = .protocolError
    default: return nil
    }
  }
}

extension String {
  /// Returns the longest prefix of whole characters with at most `utf8Count` bytes.
  fileprivate func prefix(utf8Count: Int) -> String {
    guard utf8.count > utf8Count else { return self }
    var text = ""
    for character in self {
      guard text.utf8.count + character.utf8.count <= utf8Count else { break }
      text.append(character)
    }
    return text
  }
}
