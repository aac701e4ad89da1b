import BLIP
import Foundation

/// A connection that sends and receives messages over a transport.
///
/// All methods except those of ``ReplicationTransportHandler`` must be called on ``queue``, where the callbacks also
/// run. Messages sent from within a callback are transmitted after the callback has returned.
///
/// `@unchecked Sendable`: every variable is used only on the serial queue ``queue``, except `inbox`, which `inboxLock`
/// protects.
final class MessageLink: ReplicationTransportHandler, @unchecked Sendable {
  /// A request from the peer.
  struct Request {
    let number: UInt64
    let message: Message
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
    var closed: (TransportClosure) -> Void = { _ in }
  }

  let queue: DispatchQueue
  let transport: any ReplicationTransport
  var callbacks = Callbacks()
  private(set) var isClosed = false

  private let connection: BLIPConnection
  private var awaited: [UInt64: Awaited] = [:]
  private var isOpen = false
  private var isWritable = true
  /// The error that made this side close the connection.
  private var failure: ReplicationTransportError?

  private let inboxLock = NSLock()
  private var inbox: [[UInt8]] = []
  private var isDrainScheduled = false

  init(_ transport: any ReplicationTransport, on queue: DispatchQueue) throws {
    self.transport = transport
    self.queue = queue
    connection = try BLIPConnection()
  }

  func start() { transport.start(self) }

  /// Returns the flags for a body. It is compressed if it is sent over a network and is not tiny.
  func flags(forBodyOf count: Int) -> MessageFlags { transport.isLocal || count < 100 ? [] : .compressed }

  /// Sends a request.
  ///
  /// - Parameter onResponse: receives the response, or nil if the connection was closed before it arrived. Pass nil if
  ///   no response is needed.
  func send(_ message: Message, onResponse: ((Message?) -> Void)? = nil) {
    var message = message
    if onResponse == nil { message.flags.insert(.noReply) }
    guard !isClosed, let ticket = attempt({ try connection.send(message) }) else {
      onResponse?(nil)
      return
    }
    if let onResponse { awaited[ticket] = .message(onResponse) }
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
    attempt { try connection.respond(to: request.number, message, body: body) }
    schedulePump()
  }

  /// Runs a block on the queue. Messages that it sends are transmitted after it has returned.
  func perform(_ body: @escaping @Sendable () -> Void) { queue.async { body() } }

  /// Closes the connection because of an error on either side.
  func fail(_ error: ReplicationTransportError, closeCode: Int) {
    guard !isClosed, failure == nil else { return }
    failure = error
    transport.close(code: closeCode, reason: error.message)
  }

  /// Closes the connection.
  func close(code: Int, reason: String = "") { transport.close(code: code, reason: reason) }

  // MARK: Transport

  func transportDidOpen() {
    queue.async {
      guard !self.isClosed, !self.isOpen else { return }
      self.isOpen = true
      self.callbacks.opened()
      self.pump()
    }
  }

  func transportDidReceive(_ frame: [UInt8]) {
    inboxLock.lock()
    inbox.append(frame)
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
    let frames = inbox
    inbox = []
    isDrainScheduled = false
    inboxLock.unlock()
    guard !frames.isEmpty else { return }
    var size = 0
    for frame in frames {
      size += frame.count
      guard !isClosed, failure == nil else { continue }
      guard let events = attempt({ try connection.receive(frame) }) else { continue }
      for event in events { handle(event) }
    }
    if !isClosed { callbacks.drained() }
    transport.didProcess(byteCount: size)
    pump()
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

  /// Passes frames to the transport until it accepts no more.
  private func pump() {
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
      fail(ReplicationTransportError(code: 14002, message: "\(error)"), closeCode: 1011)
    }
    return nil
  }
}
