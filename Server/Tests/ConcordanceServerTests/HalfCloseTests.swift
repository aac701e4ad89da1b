@testable import ConcordanceServer
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// Connections whose client has ended its half.
@Suite struct HalfCloseTests {
  private let watcher = ConnectionWatcher()

  /// Returns whether a request is cancelled after each of several seconds.
  private func cancellations(_ halfClose: ConnectionWatcher.HalfClose, seconds: Int) throws -> [Bool] {
    let channel = EmbeddedChannel(handler: watcher.makeHandler())
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let isCancelled = Mutex(false)
    let registration = watcher.add(channel, onHalfClose: halfClose) { isCancelled.withLock { $0 = true } }
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    var result = [isCancelled.withLock { $0 }]
    for _ in 0..<seconds {
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(1100))
      result.append(isCancelled.withLock { $0 })
    }
    watcher.remove(registration)
    _ = try channel.finish()
    return result
  }

  @Test func anEventStreamIsCancelled() throws {
    #expect(try cancellations(.cancel, seconds: 0) == [true])
  }

  @Test func aRequestMayEndWithinASecond() throws {
    #expect(try cancellations(.cancelLater, seconds: 1) == [false, true])
  }

  @Test func aResponseContinuesWhileItHasProgress() throws {
    let rest = Mutex(2)
    let continues: @Sendable () -> Bool = {
      rest.withLock { rest in
        rest -= 1
        return rest >= 0
      }
    }
    #expect(try cancellations(.cancelUnless(continues), seconds: 3) == [false, false, false, true])
  }

  @Test func aClosedConnectionCancelsItsRequests() throws {
    let channel = EmbeddedChannel(handler: watcher.makeHandler())
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let isCancelled = Mutex(false)
    _ = watcher.add(channel, onHalfClose: .cancelLater) { isCancelled.withLock { $0 = true } }
    _ = try channel.finish()
    #expect(isCancelled.withLock { $0 })
  }
}
