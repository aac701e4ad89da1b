import ConcordanceNetwork
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// A connection whose first request decides its use: replication over a WebSocket, or HTTP/1.1.
///
/// Hummingbird's HTTP/1.1 channel has no WebSocket upgrade. Replicators open a connection for each WebSocket, so the
/// upgrade is never needed after other requests.
struct ReplicationChannel: ServerChildChannel {
  struct Value: ServerChildChannelValue {
    let channel: any Channel
    /// The connection for HTTP; nil if it is used for replication.
    let http: EventLoopFuture<HTTP1Channel.Value?>
  }

  let http: HTTP1Channel
  let replication: ReplicationService

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    let (http, replication) = (http, replication)
    return channel.eventLoop.makeCompletedFuture {
      let use = channel.eventLoop.makePromise(of: HTTP1Channel.Value?.self)
      try channel.pipeline.syncOperations.addHandler(
        FirstLineHandler(use) { line in
          guard ReplicationService.isRequested(by: line) else {
            return http.setup(channel: channel, logger: logger).map { $0 }
          }
          return channel.eventLoop.makeCompletedFuture {
            try replication.prepare(channel)
            return nil
          }
        })
      return Value(channel: channel, http: use.futureResult)
    }
  }

  func handle(value: Value, logger: Logger) async {
    do {
      if let connection = try await value.http.get() { return await http.handle(value: connection, logger: logger) }
      try await withTaskCancellationHandler {
        try await value.channel.closeFuture.get()
      } onCancel: {
        value.channel.close(promise: nil)
      }
    } catch {
      logger.debug("a connection ended before its first request: \(error)")
    }
  }
}

/// Collects the first line of a connection, sets up the pipeline that the line requires, and passes on all bytes.
final class FirstLineHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias Use = HTTP1Channel.Value?

  /// A longer line is passed to the HTTP parser, which has its own limit.
  private static let maximumLength = 8 << 10
  /// The first bytes of every line that asks for replication.
  private static let beginning = Array("GET /".utf8)
  /// The time limit for the line. Idle connections for HTTP have the same limit.
  private static let timeout = TimeAmount.seconds(60)

  private let use: EventLoopPromise<Use>
  private let choose: (String) -> EventLoopFuture<Use>
  private var received = ByteBuffer()
  private var isDecided = false
  private var deadline: Scheduled<Void>?

  /// - Parameters:
  ///   - use: the promise of the result of `choose`.
  ///   - choose: adds handlers to the pipeline. It completes its future on the event loop before it returns.
  init(_ use: EventLoopPromise<Use>, _ choose: @escaping (String) -> EventLoopFuture<Use>) {
    self.use = use
    self.choose = choose
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: FirstLineHandler.timeout) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    received.writeBuffer(&bytes)
    guard !isDecided, let line = firstLine else { return }
    isDecided = true
    deadline?.cancel()
    let result = choose(line)
    result.cascade(to: use)
    // Removing this handler passes the received bytes on.
    let pipeline = context.pipeline.syncOperations
    result.assumeIsolated().whenComplete { result in
      switch result {
      case .success: pipeline.removeHandler(context: context, promise: nil)
      case .failure: context.close(promise: nil)
      }
    }
  }

  func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
    // A handler that receives bytes can cause further reads.
    while received.readableBytes > 0 {
      let bytes = received
      received = ByteBuffer()
      context.fireChannelRead(wrapInboundOut(bytes))
      context.fireChannelReadComplete()
    }
    context.leavePipeline(removalToken: removalToken)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    guard !isDecided else { return }
    isDecided = true
    deadline?.cancel()
    use.fail(ChannelError.eof)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if !isDecided, event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed {
      return context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard isDecided else { return context.close(promise: nil) }
    context.fireErrorCaught(error)
  }

  /// The first line without its end; nil if it is incomplete. If the line cannot be a replication request, returns the
  /// bytes received so far.
  private var firstLine: String? {
    let bytes = received.readableBytesView
    if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      return String(decoding: bytes[..<end], as: UTF8.self).trimmingLineEnd
    }
    let mayFollow =
      bytes.count < FirstLineHandler.maximumLength && zip(bytes, FirstLineHandler.beginning).allSatisfy(==)
    return mayFollow ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  fileprivate var trimmingLineEnd: String { hasSuffix("\r") ? String(dropLast()) : self }
}
