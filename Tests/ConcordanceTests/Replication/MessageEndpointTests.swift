import DocumentStore
import Foundation
import GRDB
import Replication
import Testing

@testable import Concordance

/// Two ends of a connection in memory, which cuts byte streams into pieces of 100 bytes.
///
/// `@unchecked Sendable`: `local` and `early` are protected by `lock`.
private final class MemoryConnection: MessageEndpointConnection, @unchecked Sendable {
  private let lock = NSLock()
  private var local: (any ReplicatorConnection)?
  /// Data that the peer has sent before this end was opened.
  private var early: [Data] = []
  private weak var peer: MemoryConnection?
  private let queue = DispatchQueue(label: "connection")
  private let listener: MessageEndpointListener?
  private let type: Concordance.ProtocolType
  /// Keeps the passive end, which nothing else refers to before it is accepted.
  private var passive: MemoryConnection?

  init(to listener: MessageEndpointListener?, _ type: Concordance.ProtocolType) {
    self.listener = listener
    self.type = type
  }

  private var end: (any ReplicatorConnection)? { lock.withLock { local } }

  func open(connection: any ReplicatorConnection, completion: @escaping @Sendable (Bool, MessagingError?) -> Void) {
    lock.withLock {
      local = connection
      for data in early { connection.receive(message: .fromData(data)) }
      early = []
    }
    if let listener {
      let other = MemoryConnection(to: nil, type)
      other.peer = self
      peer = other
      passive = other
      listener.accept(connection: other)
    }
    queue.async { completion(true, nil) }
  }

  func close(error: (any Error)?, completion: @escaping @Sendable () -> Void) {
    peer?.end?.close(error: nil)
    completion()
  }

  func send(
    message: Concordance.Message, completion: @escaping @Sendable (Bool, MessagingError?) -> Void
  ) {
    queue.async { [self] in
      var data = message.toData()
      while !data.isEmpty {
        let part = type == .byteStream ? data.prefix(100) : data
        peer?.receive(Data(part))
        data = data.dropFirst(part.count)
      }
      completion(true, nil)
    }
  }

  private func receive(_ data: Data) {
    // The lock keeps the order. The connection only queues the data.
    lock.withLock {
      if let local { local.receive(message: .fromData(data)) } else { early.append(data) }
    }
  }
}

private final class Delegate: MessageEndpointDelegate {
  let listener: MessageEndpointListener
  init(_ listener: MessageEndpointListener) { self.listener = listener }

  func createConnection(endpoint: MessageEndpoint) -> any MessageEndpointConnection {
    MemoryConnection(to: listener, endpoint.protocolType)
  }
}

@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct MessageEndpointTests {
  @Test(arguments: [Concordance.ProtocolType.messageStream, .byteStream])
  func databasesAreReplicatedOverAConnectionOfTheProgram(_ type: Concordance.ProtocolType) async throws {
    let (one, two) = (try TemporaryDatabase(), try TemporaryDatabase())
    for number in 0..<300 { try one.save("a\(number)", #"{"text":"\#(String(repeating: "x", count: number * 10))"}"#) }
    for number in 0..<300 { try two.save("b\(number)", "{}") }
    let listener = MessageEndpointListener(
      config: MessageEndpointListenerConfiguration(collections: [two.collection], protocolType: type))
    let delegate = Delegate(listener)
    let endpoint = MessageEndpoint(uid: "two", target: nil, protocolType: type, delegate: delegate)
    #expect(try await run(configuration(one, endpoint)).error == nil)
    #expect(try one.contents() == two.contents())
    #expect(try one.contents().count == 600)
  }

  /// A connection of a program that never completes what it is asked to send.
  private final class StuckConnection: MessageEndpointConnection {
    let closed = Received<Bool>()
    func open(connection: any ReplicatorConnection, completion: @escaping @Sendable (Bool, MessagingError?) -> Void) {
      completion(true, nil)
    }
    func close(error: (any Error)?, completion: @escaping @Sendable () -> Void) { closed.add(error != nil) }
    func send(
      message: Concordance.Message, completion: @escaping @Sendable (Bool, MessagingError?) -> Void
    ) {}
  }

  /// A connection of a program that never opens.
  private final class UnopenedConnection: MessageEndpointConnection {
    let closed: Received<Bool>
    init(_ closed: Received<Bool>) { self.closed = closed }
    func open(connection: any ReplicatorConnection, completion: @escaping @Sendable (Bool, MessagingError?) -> Void) {}
    func close(error: (any Error)?, completion: @escaping @Sendable () -> Void) { closed.add(true) }
    func send(
      message: Concordance.Message, completion: @escaping @Sendable (Bool, MessagingError?) -> Void
    ) {}
  }

  private final class UnopenedDelegate: MessageEndpointDelegate {
    let closed = Received<Bool>()
    func createConnection(endpoint: MessageEndpoint) -> any MessageEndpointConnection { UnopenedConnection(closed) }
  }

  /// Regression test: the replicator remained connecting.
  @Test func aConnectionThatDoesNotOpenFails() async throws {
    let test = try TemporaryDatabase()
    let delegate = UnopenedDelegate()
    let endpoint = MessageEndpoint(uid: "two", target: nil, protocolType: .messageStream, delegate: delegate)
    #expect(try await runUntilTimeout(configuration(test, endpoint)).error?.code == CBLError.timeout)
    #expect(delegate.closed.wait { !$0.isEmpty } == [true])
  }

  private final class Handler: ReplicationTransportHandler {
    let opened = Received<Bool>()
    let frameSizes = Received<Int>()
    let closures = Received<TransportClosure>()
    func transportDidOpen() { opened.add(true) }
    func transportDidReceive(_ frame: [UInt8]) { frameSizes.add(frame.count) }
    func transportIsWritable() {}
    func transportDidClose(_ closure: TransportClosure) { closures.add(closure) }
  }

  private func open(
    _ type: Concordance.ProtocolType = .messageStream
  ) -> (MessageTransport, StuckConnection, Handler) {
    let (connection, handler) = (StuckConnection(), Handler())
    let transport = MessageTransport(connection, type, closeTimeout: 0.01)
    transport.start(handler)
    handler.opened.wait { !$0.isEmpty }
    return (transport, connection, handler)
  }

  /// Regression test: closing waited for the program without a limit.
  @Test func closingDoesNotWaitForAProgramThatDoesNotSend() {
    let (transport, connection, handler) = open()
    _ = transport.send([1, 2, 3])
    transport.close(code: 1000, reason: "")
    #expect(handler.closures.wait { !$0.isEmpty } == [.closed(code: 1000, reason: "", isRemote: false)])
    #expect(connection.closed.wait { !$0.isEmpty } == [false])
  }

  /// Regression test: received data was kept in memory without a limit.
  @Test func dataThatIsNotProcessedClosesTheConnection() {
    let (transport, connection, handler) = open()
    let data = Data(count: 64 << 10)
    for _ in 0...(MessageTransport.maximumUnprocessed / data.count) { transport.receive(message: .fromData(data)) }
    guard case .failed(let error) = handler.closures.wait(until: { !$0.isEmpty }).first else {
      Issue.record("no error")
      return
    }
    #expect(error.isTransient && error.message.contains("faster"))
    #expect(connection.closed.wait { !$0.isEmpty } == [true])
  }

  @Test(arguments: [Concordance.ProtocolType.messageStream, .byteStream])
  func processedDataDoesNotCount(_ type: Concordance.ProtocolType) {
    let (transport, _, handler) = open(type)
    let frame = Data(count: (64 << 10) - 4)
    let data = (type == .byteStream ? Data([0, 0, 0xFF, 0xFC]) : Data()) + frame
    let count = 2 * MessageTransport.maximumUnprocessed / data.count
    for number in 1...count {
      transport.receive(message: .fromData(data))
      handler.frameSizes.wait { $0.count == number }
      transport.didProcess(byteCount: frame.count)
    }
    #expect(handler.closures.all.isEmpty)
    transport.close(code: 1000, reason: "")
  }
}
