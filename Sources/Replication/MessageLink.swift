import BLIP
import Foundation

/// A connection that sends and receives messages over a transport.
///
/// All methods except those of ``ReplicationTransportHandler`` must be called on ``queue``, where the callbacks also
/// run. Messages sent from within a callback are transmitted after the callback has returned.
///
/// `@unchecked Sendable`: every variable is used only on the serial queue ``queue``, except `inbox`, which `inboxLock`
/// protects.
final class MessageLink: DirectMessageHandler, @unchecked Sendable {
  /// A request from the peer.
  struct Request {
    let number: UInt64
    let message: Message
    /// The revision of a `rev` message from a peer in the same process, which has no other properties.
    var revision: ReplicaRevision?
    var properties: MessageProperties { message.properties }
    var profile: String { message.properties["Profile"] ?? "" }
  }

  /// Receives a response that may be too large to hold in memory.
  struct ResponseSink {
    /// Called with the type and the properties before the first bytes.
    let began: (MessageType, MessageProperties) -> Void
    let bytes: ([UInt8]) -> Void
    /// Called at the end, with false if the connection was closed before the response was complete.
    let ended: (_ isComplete: Bool) -> Void
  }

  private enum Awaited {
    case message((Message?) -> Void)
    case stream(ResponseSink)
  }

  /// The callbacks of the session that uses the link.
  struct Callbacks {
    var opened: () -> Void = {}
    var request: (Request) -> Void = { _ in }
    /// Called after received frames were processed and before queued frames are sent.
    var drained: () -> Void = {}
    /// Called with an error of the database, for example while a blob is sent. If nil, the connection is closed.
    var failed: ((any Error) -> Void)?
    var closed: (TransportClosure) -> Void = { _ in }
  }

  let queue: DispatchQueue
  let transport: any ReplicationTransport
  var callbacks = Callbacks()
  private(set) var isClosed = false
  /// The revisions that were sent and not answered.
  let revisions = RevisionBudget()
  /// The number of times that messages or frames of the peer were processed.
  private(set) var receivedCount: UInt64 = 0
  /// Whether the peer has not answered all requests.
  var isAwaitingResponse: Bool { !awaited.isEmpty }

  private let connection: BLIPConnection
  private var awaited: [UInt64: Awaited] = [:]
  private var isOpen = false
  private var isWritable = true
  /// The error that made this side close the connection.
  private var failure: ReplicationTransportError?

  /// The other end, if it is in the same process and receives messages instead of frames.
  private var direct: LoopbackTransport?
  private var lastDirect = DirectMessage.firstNumber
  private var outbox: [DirectMessage] = []
  private var outboxSize = 0

  private enum Received {
    case frame([UInt8])
    case messages([DirectMessage], size: Int)
  }

  private let inboxLock = NSLock()
  private var inbox: [Received] = []
  private var isDrainScheduled = false

  init(_ transport: any ReplicationTransport, on queue: DispatchQueue) throws {
    self.transport = transport
    self.queue = queue
    connection = try BLIPConnection()
  }

  func start() {
    if let loopback = transport as? LoopbackTransport {
      loopback.start(self as any DirectMessageHandler)
    } else {
      transport.start(self)
    }
  }

  /// Returns the flags for a body. It is compressed if it is sent over a network and is not tiny.
  func flags(forBodyOf count: Int) -> MessageFlags { transport.isLocal || count < 100 ? [] : .compressed }

  /// Sends a request.
  ///
  /// - Parameter onResponse: receives the response, or nil if the connection was closed before it arrived. Pass nil if
  ///   no response is needed.
  func send(_ message: Message, onResponse: ((Message?) -> Void)? = nil) {
    var message = message
    if onResponse == nil { message.flags.insert(.noReply) }
    if direct != nil { return sendDirectly(message, revision: nil, onResponse) }
    guard !isClosed, let ticket = attempt({ try connection.send(message) }) else {
      onResponse?(nil)
      return
    }
    if let onResponse { awaited[ticket] = .message(onResponse) }
    schedulePump()
  }

  /// Whether ``send(_:_:onResponse:)`` can be called.
  var sendsRevisions: Bool { direct != nil }

  /// Sends a `rev` message to a peer in the same process.
  ///
  /// - Parameter message: the message with the properties `Profile` and `collection`.
  func send(_ revision: ReplicaRevision, _ message: Message, onResponse: @escaping (Message?) -> Void) {
    sendDirectly(message, revision: revision, onResponse)
  }

  private func sendDirectly(_ message: Message, revision: ReplicaRevision?, _ onResponse: ((Message?) -> Void)?) {
    guard !isClosed else {
      onResponse?(nil)
      return
    }
    lastDirect += 1
    if let onResponse { awaited[lastDirect] = .message(onResponse) }
    add(
      .request(number: lastDirect, message, revision: revision),
      size: message.body.count + (revision?.body.count ?? 0))
  }

  private func add(_ message: DirectMessage, size: Int) {
    outbox.append(message)
    // The number stands for the properties and the memory of the objects.
    outboxSize += size + 200
    schedulePump()
  }

  /// Sends a request whose response is delivered in parts.
  func send(_ message: Message, streamingTo sink: ResponseSink) {
    guard !isClosed, let ticket = attempt({ try connection.send(message, streamsResponse: true) }) else {
      sink.ended(false)
      return
    }
    awaited[ticket] = .stream(sink)
    schedulePump()
  }

  /// Responds to a request. Does nothing if the peer does not expect a response.
  func respond(to request: Request, _ message: Message, body: (any MessageBodySource)? = nil) {
    guard !isClosed, !request.message.flags.contains(.noReply) else { return }
    if request.number > DirectMessage.firstNumber {
      return add(.response(number: request.number, message), size: message.body.count)
    }
    attempt { try connection.respond(to: request.number, message, body: body) }
    schedulePump()
  }

  /// Transmits the messages that were sent so far, before the callback returns. Otherwise, the peer would wait until
  /// all received messages are processed, and both peers would never work at the same time.
  func flush() { pump() }

  /// Runs a block on the queue. Messages that it sends are transmitted after it has returned.
  func perform(_ body: @escaping @Sendable () -> Void) { queue.async { body() } }

  /// Closes the connection because of an error on either side.
  ///
  /// - Parameter reason: the description for the peer; nil for the message of the error. A peer in the same process
  ///   receives the message.
  func fail(_ error: ReplicationTransportError, closeCode: Int, reason: String? = nil) {
    guard !isClosed, failure == nil else { return }
    failure = error
    let isInProcess = transport is LoopbackTransport
    transport.close(code: closeCode, reason: isInProcess ? error.message : reason ?? error.message)
  }

  /// Closes the connection.
  func close(code: Int, reason: String = "") { transport.close(code: code, reason: reason) }

  // MARK: Transport

  func transportDidOpen() {
    queue.async {
      guard !self.isClosed, !self.isOpen else { return }
      self.isOpen = true
      if let loopback = self.transport as? LoopbackTransport, loopback.carriesMessages { self.direct = loopback }
      self.callbacks.opened()
      self.pump()
    }
  }

  func transportDidReceive(_ frame: [UInt8]) { receive(.frame(frame)) }

  func transportDidReceive(_ messages: [DirectMessage], size: Int) { receive(.messages(messages, size: size)) }

  private func receive(_ received: Received) {
    inboxLock.lock()
    inbox.append(received)
    let mustSchedule = !isDrainScheduled
    isDrainScheduled = true
    inboxLock.unlock()
    if mustSchedule { queue.async { self.drain() } }
  }

  func transportIsWritable() {
    queue.async {
      self.isWritable = true
      self.pump()
    }
  }

  func transportDidClose(_ closure: TransportClosure) {
    queue.async {
      self.drain()
      guard !self.isClosed else { return }
      self.isClosed = true
      let awaited = self.awaited
      self.awaited = [:]
      for (_, handler) in awaited.sorted(by: { $0.key < $1.key }) {
        switch handler {
        case .message(let onResponse): onResponse(nil)
        case .stream(let sink): sink.ended(false)
        }
      }
      let callbacks = self.callbacks
      // Breaks a retain cycle: the callbacks refer to the session, which refers to this link.
      self.callbacks = Callbacks()
      callbacks.closed(self.failure.map { .failed($0) } ?? closure)
    }
  }

  // MARK: Processing

  private func drain() {
    inboxLock.lock()
    let items = inbox
    inbox = []
    isDrainScheduled = false
    inboxLock.unlock()
    guard !items.isEmpty else { return }
    receivedCount += 1
    var size = 0
    for item in items {
      switch item {
      case .frame(let frame):
        size += frame.count
        guard !isClosed, failure == nil, let events = attempt({ try connection.receive(frame) }) else { continue }
        for event in events { handle(event) }
      case .messages(let messages, let messageSize):
        size += messageSize
        for message in messages where !isClosed && failure == nil { handle(message) }
        pump()
      }
    }
    if !isClosed { callbacks.drained() }
    transport.didProcess(byteCount: size)
    pump()
  }

  private func handle(_ message: DirectMessage) {
    switch message {
    case .request(let number, let message, let revision):
      callbacks.request(Request(number: number, message: message, revision: revision))
    case .response(let number, let message):
      guard case .message(let onResponse)? = awaited.removeValue(forKey: number) else { return }
      onResponse(message)
    }
  }

  private func handle(_ event: BLIPConnection.Event) {
    switch event {
    case .request(let number, let message): callbacks.request(Request(number: number, message: message))
    case .response(let ticket, let message):
      guard case .message(let onResponse)? = awaited.removeValue(forKey: ticket) else { return }
      onResponse(message)
    case .responseBegan(let ticket, let type, let properties):
      if case .stream(let sink)? = awaited[ticket] { sink.began(type, properties) }
    case .responseBytes(let ticket, let bytes):
      if case .stream(let sink)? = awaited[ticket] { sink.bytes(bytes) }
    case .responseEnded(let ticket):
      if case .stream(let sink)? = awaited.removeValue(forKey: ticket) { sink.ended(true) }
    }
  }

  private var isPumpScheduled = false

  private func schedulePump() {
    guard !isPumpScheduled, isOpen else { return }
    isPumpScheduled = true
    queue.async {
      self.isPumpScheduled = false
      self.pump()
    }
  }

  /// Passes messages and frames to the transport until it accepts no more.
  private func pump() {
    if let direct, !outbox.isEmpty, isWritable, !isClosed, failure == nil {
      let messages = outbox
      outbox = []
      isWritable = direct.send(messages, size: outboxSize)
      outboxSize = 0
    }
    while isOpen, isWritable, !isClosed, failure == nil {
      guard let frame = attempt({ try connection.nextFrame() }), let frame else { return }
      isWritable = transport.send(frame)
    }
  }

  /// Calls `body` and closes the connection if it throws an error.
  @discardableResult
  private func attempt<T>(_ body: () throws -> T) -> T? {
    do {
      return try body()
    } catch let error as BLIPError {
      if case .notAwaited = error { return nil }
      fail(ReplicationTransportError(code: 11002, message: error.description), closeCode: 1002)
    } catch {
      if let failed = callbacks.failed {
        failed(error)
      } else {
        fail(
          ReplicationTransportError(code: 14002, message: "\(error)"), closeCode: 1011,
          reason: "the database of the peer cannot be read")
      }
    }
    return nil
  }
}
