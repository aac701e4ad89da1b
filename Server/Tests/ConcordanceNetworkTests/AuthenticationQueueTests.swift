@testable import ConcordanceNetwork
import Foundation
import NIOCore
import NIOPosix
import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthenticationQueueTests {
  /// Regression test: passwords were checked on SwiftNIO's threads, so clients without permission to connect delayed
  /// other work of the process.
  @Test func blockedChecksDoNotDelayOtherWork() async throws {
    let (queue, gate) = (AuthenticationQueue(), DispatchSemaphore(value: 0))
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let checks = (0..<100).map { _ in queue.run(loop) { gate.wait() } }
    #expect(try await NIOThreadPool.singleton.runIfActive { true })
    for _ in checks { gate.signal() }
    for check in checks { try await check.get() }
  }
}
