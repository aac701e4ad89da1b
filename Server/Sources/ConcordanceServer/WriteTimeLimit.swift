import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client does not read a response for too long. The response would otherwise hold memory, a
/// thread or a transaction, and the connection would count towards the limit of connections forever.
///
/// The channel is not writable while more bytes are waiting than its high watermark permits. Event streams have no
/// limit, because their clients may be suspended; heartbeats detect lost connections.
final class WriteTimeLimit: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  private var alarm: Scheduled<Void>?
  private var isEventStream = false

  /// - Parameter limit: the time after which a channel that is not writable is closed.
  init(_ limit: Duration) { self.limit = TimeAmount(limit) }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .head(let head) = unwrapOutboundIn(data) {
      isEventStream = head.headerFields[.contentType]?.hasPrefix("text/event-stream") ?? false
    }
    context.write(data, promise: promise)
    update(context)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    update(context)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { cancel() }

  /// Starts or cancels the alarm. A channel that becomes writable for a moment has sent some bytes, so its time begins
  /// again.
  private func update(_ context: ChannelHandlerContext) {
    guard !isEventStream, context.channel.isActive, !context.channel.isWritable else { return cancel() }
    guard alarm == nil else { return }
    let channel = context.channel
    alarm = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
  }

  private func cancel() {
    alarm?.cancel()
    alarm = nil
  }
}

@available(*, unavailable)
extension WriteTimeLimit: Sendable {}
