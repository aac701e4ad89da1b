/// Couchbase Lite's BLIP 3 protocol without a transport: converts messages to frames and frames to messages.
///
/// ```swift
/// let connection = try BLIPConnection()
/// let ticket = try connection.send(Message(properties: ["Profile": "getCheckpoint", "client": "x"]))
/// while let frame = try connection.nextFrame() { transport.send(frame) }
/// for event in try connection.receive(frame) { … }
/// ```
///
/// A frame is one WebSocket message. Frames of several messages are interleaved: urgent messages overtake others, and a
/// large message pauses when 128,000 bytes of it are unacknowledged. Call ``nextFrame()`` again after each
/// ``receive(_:)``, because a received acknowledgement can resume a message.
///
/// Peers are not trusted. After an error, the connection must be closed, and every further call throws
/// ``BLIPError/closed``. Incomplete received messages take at most ``Limits/bufferedSize`` bytes.
///
/// Not `Sendable`: use it on one thread at a time.
///
/// Source: <https://github.com/couchbase/couchbase-lite-core>, Networking/BLIP/docs/BLIP Protocol.md.
public final class BLIPConnection {
  /// The limits for messages from a peer.
  public struct Limits: Sendable {
    /// The maximum size of a frame in bytes. Couchbase Lite sends frames of up to 16,395 bytes.
    public var frameSize = 64 << 10
    /// The maximum size of a message in bytes, except for streamed responses.
    public var messageSize = 64 << 20
    /// The maximum total size of all incomplete messages in bytes.
    public var bufferedSize = 128 << 20
    /// The maximum number of incomplete requests.
    public var messageCount = 1000
    /// The maximum number of complete requests that have not been answered, or whose response has not been sent.
    public var unansweredCount = 10_000
    /// The maximum size in bytes of the responses that have not been sent when a request arrives. A peer that sends
    /// requests without reading the responses exceeds it.
    public var unsentSize = 16 << 20

    /// Creates the default limits.
    public init() {}
  }

  /// An event caused by a received frame.
  public enum Event: Sendable {
    /// A request. Unless its flags contain ``MessageFlags/noReply``, it must be answered with
    /// ``BLIPConnection/respond(to:_:body:)``.
    case request(number: UInt64, Message)
    /// The response to a request.
    case response(ticket: UInt64, Message)
    /// The beginning of a streamed response.
    case responseBegan(ticket: UInt64, type: MessageType, MessageProperties)
    /// The next bytes of a streamed response.
    case responseBytes(ticket: UInt64, [UInt8])
    /// The end of a streamed response.
    case responseEnded(ticket: UInt64)
  }

  private let limits: Limits
  private var isFailed = false

  private var queue = OutgoingQueue()
  /// The partially sent messages, by number.
  private var sending: [MessageKey: OutgoingMessage] = [:]
  /// The messages in ``sending`` that are waiting for an acknowledgement and are not in the queue.
  private var paused: [MessageKey: OutgoingMessage] = [:]
  private var acknowledgements: [[UInt8]] = []
  private var lastTicket: UInt64 = 0
  private var lastSentRequest: UInt64 = 0
  private var outgoingChecksum = RunningChecksum()
  private let deflater: FrameDeflater

  private var lastReceivedRequest: UInt64 = 0
  private var incoming: [MessageKey: IncomingMessage] = [:]
  private var bufferedSize = 0
  /// The sent requests that are waiting for a response.
  private var awaited: [UInt64: (ticket: UInt64, streamsResponse: Bool)] = [:]
  /// The received requests that have not been answered.
  private var unanswered: Set<UInt64> = []
  /// The number and the size of the responses that have not been sent completely.
  private var unsentCount = 0
  private var unsentSize = 0
  private var incomingChecksum = RunningChecksum()
  private let inflater: FrameInflater

  /// The identity of a message in one direction. Requests and responses are numbered separately.
  private struct MessageKey: Hashable {
    let number: UInt64
    let isRequest: Bool
  }

  /// Creates a connection.
  ///
  /// - Throws: ``BLIPError/outOfMemory``.
  public init(limits: Limits = Limits()) throws(BLIPError) {
    self.limits = limits
    deflater = try FrameDeflater()
    inflater = try FrameInflater()
  }

  // MARK: Sending

  /// Adds a request to the queue.
  ///
  /// - Parameters:
  ///   - message: the request.
  ///   - body: the rest of the body, sent after ``Message/body``; nil if there is none.
  ///   - streamsResponse: whether the response is delivered in parts and may have any size.
  /// - Returns: a ticket, which identifies the response in events.
  @discardableResult
  public func send(
    _ message: Message, body: (any MessageBodySource)? = nil, streamsResponse: Bool = false
  ) throws(BLIPError) -> UInt64 {
    guard !isFailed else { throw .closed }
    lastTicket += 1
    var message = message
    message.type = .request
    queue.insert(
      OutgoingMessage(message, ticket: lastTicket, number: nil, source: body, streamsResponse: streamsResponse))
    return lastTicket
  }

  /// Adds the response to a request to the queue.
  ///
  /// - Parameters:
  ///   - number: the number of the request.
  ///   - message: the response, of type ``MessageType/response`` or ``MessageType/error``.
  ///   - body: the rest of the body, sent after ``Message/body``; nil if there is none.
  /// - Throws: ``BLIPError/notAwaited(_:)`` if the request has already been answered or requires no response. The
  ///   connection remains usable.
  public func respond(to number: UInt64, _ message: Message, body: (any MessageBodySource)? = nil) throws(BLIPError) {
    guard !isFailed else { throw .closed }
    guard unanswered.remove(number) != nil else { throw .notAwaited(number) }
    var message = message
    if message.type != .error { message.type = .response }
    let response = OutgoingMessage(message, ticket: nil, number: number, source: body, streamsResponse: false)
    unsentCount += 1
    unsentSize += response.queuedSize
    queue.insert(response)
  }

  /// Returns the next frame; nil if there is nothing to send or all messages are waiting for acknowledgements.
  ///
  /// - Throws: ``BLIPError``, or an error from a ``MessageBodySource``. After an error, the connection must be closed.
  public func nextFrame() throws -> [UInt8]? {
    guard !isFailed else { throw BLIPError.closed }
    if !acknowledgements.isEmpty { return acknowledgements.removeFirst() }
    guard let message = queue.removeFirst() else { return nil }
    do {
      return try frame(of: message)
    } catch {
      isFailed = true
      throw error
    }
  }

  private func frame(of message: OutgoingMessage) throws -> [UInt8] {
    let number = number(for: message)
    let key = MessageKey(number: number, isRequest: message.type == .request)
    let isSmall = !message.isUrgent && queue.first?.isUrgent == true
    let isCompressed = message.flags.contains(.compressed)
    let room = (isSmall ? FrameSize.small : FrameSize.large) - FrameHeader.checksumSize
    let (payload, hasMore) = try message.next(
      maximumCount: room - (isCompressed ? FrameDeflater.maximumExpansion : 0))
    var frame: [UInt8] = []
    frame.reserveCapacity(payload.count + 16)
    var flags = message.flags
    if hasMore { flags.insert(.moreComing) }
    FrameHeader(number: number, type: message.type, flags: flags).append(to: &frame)
    let headerSize = frame.count
    if isCompressed { try deflater.append(payload, to: &frame) } else { frame += payload }
    outgoingChecksum.update(payload)
    outgoingChecksum.append(to: &frame)
    message.didSend(frame.count - headerSize)
    guard hasMore else {
      if message.type != .request {
        unsentCount -= 1
        unsentSize -= message.queuedSize
      }
      if !sending.isEmpty { sending[key] = nil }
      return frame
    }
    sending[key] = message
    if message.isPaused { paused[key] = message } else { queue.insert(message) }
    return frame
  }

  private enum FrameSize {
    /// The maximum size of payload and checksum while an urgent message is waiting.
    static let small = 4096
    /// The maximum size otherwise.
    static let large = 16384
  }

  /// Returns the number of a message. Assigns a number to a request that has none.
  private func number(for message: OutgoingMessage) -> UInt64 {
    if let number = message.number { return number }
    lastSentRequest += 1
    message.number = lastSentRequest
    if let ticket = message.ticket, !message.flags.contains(.noReply) {
      awaited[lastSentRequest] = (ticket, message.streamsResponse)
    }
    return lastSentRequest
  }

  // MARK: Receiving

  /// Processes a frame.
  ///
  /// - Returns: the events caused by the frame, such as a complete message.
  /// - Throws: ``BLIPError``. After an error, the connection must be closed.
  public func receive(_ frame: [UInt8]) throws(BLIPError) -> [Event] {
    guard !isFailed else { throw .closed }
    do throws(BLIPError) {
      return try process(frame)
    } catch {
      isFailed = true
      incoming = [:]
      throw error
    }
  }

  private func process(_ frame: [UInt8]) throws(BLIPError) -> [Event] {
    guard frame.count <= limits.frameSize else { throw .malformedFrame("it has \(frame.count) bytes") }
    let (header, start) = try FrameHeader.parse(frame)
    if header.type.isAcknowledgement {
      try acknowledge(header, frame, start)
      return []
    }
    let key = MessageKey(number: header.number, isRequest: header.type == .request)
    var message = try message(for: key, header)
    // A second reference would copy the content of the message for every frame.
    if !incoming.isEmpty { incoming[key] = nil }
    let payload = try payload(of: frame, from: start, header, message)
    message.append(payload, size: frame.count - start)
    bufferedSize += payload.count
    let isComplete = !header.flags.contains(.moreComing)
    let events = try events(of: &message, key, isComplete: isComplete)
    guard bufferedSize <= limits.bufferedSize else { throw .messageTooLarge(limit: limits.bufferedSize) }
    if !isComplete || !incoming.isEmpty { incoming[key] = isComplete ? nil : message }
    if isComplete, !key.isRequest { awaited[key.number] = nil }
    if !isComplete, let count = message.dueAcknowledgement() { queueAcknowledgement(of: key, count) }
    return events
  }

  /// Returns the message that a frame belongs to: the message that it continues, or a new one.
  private func message(for key: MessageKey, _ header: FrameHeader) throws(BLIPError) -> IncomingMessage {
    if let message = incoming[key] {
      guard message.type == header.type else { throw .malformedFrame("the type of the message has changed") }
      return message
    }
    if key.isRequest {
      guard key.number == lastReceivedRequest + 1 else { throw .unexpectedNumber(key.number) }
      guard incoming.count < limits.messageCount else { throw .tooManyMessages(limit: limits.messageCount) }
      lastReceivedRequest += 1
      return IncomingMessage(header, isStreamed: false)
    }
    guard let request = awaited[key.number] else { throw .unexpectedNumber(key.number) }
    return IncomingMessage(header, isStreamed: request.streamsResponse)
  }

  /// Returns the uncompressed payload of a frame after verifying its checksum.
  private func payload(
    of frame: [UInt8], from start: Int, _ header: FrameHeader, _ message: IncomingMessage
  ) throws(BLIPError) -> ArraySlice<UInt8> {
    let end = frame.count - FrameHeader.checksumSize
    guard start <= end else { throw .malformedFrame("it has no checksum") }
    let limit = limits.messageSize - (message.isStreamed ? 0 : message.content.count)
    let content = frame[start..<end]
    let payload =
      header.flags.contains(.compressed)
      ? try inflater.inflate(content, limit: limit)?[...] : content.count <= limit ? content : nil
    guard let payload else { throw .messageTooLarge(limit: limits.messageSize) }
    incomingChecksum.update(payload)
    guard incomingChecksum.matches(frame[end...]) else { throw .wrongChecksum }
    return payload
  }

  private func events(
    of message: inout IncomingMessage, _ key: MessageKey, isComplete: Bool
  ) throws(BLIPError) -> [Event] {
    guard message.isStreamed, let ticket = awaited[key.number]?.ticket else {
      guard isComplete else { return [] }
      bufferedSize -= message.content.count
      let complete = try Message(message.type, message.flags, content: message.content)
      guard key.isRequest else { return [.response(ticket: awaited[key.number]?.ticket ?? 0, complete)] }
      if !message.flags.contains(.noReply) {
        guard unanswered.count + unsentCount < limits.unansweredCount else {
          throw .tooManyMessages(limit: limits.unansweredCount)
        }
        guard unsentSize <= limits.unsentSize else { throw .messageTooLarge(limit: limits.unsentSize) }
        unanswered.insert(key.number)
      }
      return [.request(number: key.number, complete)]
    }
    let before = message.content.count
    let type = message.type
    var events: [Event] = []
    for part in try message.takeParts(isComplete: isComplete) {
      switch part {
      case .properties(let properties): events.append(.responseBegan(ticket: ticket, type: type, properties))
      case .bytes(let bytes): events.append(.responseBytes(ticket: ticket, bytes))
      }
    }
    bufferedSize -= before - message.content.count
    if isComplete { events.append(.responseEnded(ticket: ticket)) }
    return events
  }

  // MARK: Acknowledgements

  private func acknowledge(_ header: FrameHeader, _ frame: [UInt8], _ start: Int) throws(BLIPError) {
    var offset = start
    guard let count = Varint.read(frame, at: &offset), offset == frame.count else {
      throw .malformedFrame("an acknowledgement is malformed")
    }
    let key = MessageKey(number: header.number, isRequest: header.type == .requestAcknowledgement)
    // Acknowledgements of messages that were sent completely are ignored.
    guard let message = sending[key] else { return }
    message.acknowledge(count)
    guard !message.isPaused, paused.removeValue(forKey: key) != nil else { return }
    queue.insert(message)
  }

  private func queueAcknowledgement(of key: MessageKey, _ count: UInt64) {
    var frame: [UInt8] = []
    let type: MessageType = key.isRequest ? .requestAcknowledgement : .responseAcknowledgement
    FrameHeader(number: key.number, type: type, flags: [.urgent, .noReply]).append(to: &frame)
    Varint.append(count, to: &frame)
    acknowledgements.append(frame)
  }
}
