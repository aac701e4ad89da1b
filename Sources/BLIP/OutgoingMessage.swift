/// The body of a large message, which is read while the message is being sent.
public protocol MessageBodySource: AnyObject {
  /// Returns the next bytes; nil at the end.
  ///
  /// - Parameter maximumCount: the maximum number of bytes.
  func next(maximumCount: Int) throws -> [UInt8]?
}

/// A message whose frames are being sent.
final class OutgoingMessage {
  /// The ticket of a request; nil for a response. See ``BLIPConnection/send(_:body:streamsResponse:)``.
  let ticket: UInt64?
  let type: MessageType
  let flags: MessageFlags
  /// The message number; nil for a request until its first frame is sent.
  var number: UInt64?
  /// Whether the response to the request is delivered in parts.
  let streamsResponse: Bool

  private var content: [UInt8]
  private var offset = 0
  private var source: (any MessageBodySource)?
  /// The number of bytes sent in frames, excluding message numbers and flags.
  private(set) var sentCount: UInt64 = 0
  private var acknowledgedCount: UInt64 = 0

  /// The number of unacknowledged bytes at which sending pauses.
  static let maximumUnacknowledged: UInt64 = 128_000

  /// The size in bytes of the content that is held in memory when the message is added to the queue.
  let queuedSize: Int

  init(
    _ message: Message, ticket: UInt64?, number: UInt64?, source: (any MessageBodySource)?, streamsResponse: Bool
  ) {
    self.ticket = ticket
    self.number = number
    self.source = source
    self.streamsResponse = streamsResponse
    type = message.type
    flags = message.flags.subtracting(.moreComing)
    content = message.encoded()
    queuedSize = content.count
  }

  var isUrgent: Bool { flags.contains(.urgent) }
  var hasStarted: Bool { sentCount > 0 }
  var isPaused: Bool { sentCount - acknowledgedCount >= OutgoingMessage.maximumUnacknowledged }

  /// Returns the next payload, and whether more payloads follow.
  func next(maximumCount: Int) throws -> (payload: ArraySlice<UInt8>, hasMore: Bool) {
    // Reads at least one byte more than the payload, to determine whether another payload follows.
    while let source, content.count - offset <= maximumCount {
      guard let more = try source.next(maximumCount: maximumCount) else {
        self.source = nil
        break
      }
      content.removeFirst(offset)
      offset = 0
      content += more
    }
    let end = min(content.count, offset + maximumCount)
    defer { offset = end }
    return (content[offset..<end], end < content.count)
  }

  func didSend(_ count: Int) { sentCount += UInt64(count) }

  /// Records the number of bytes that the peer has received. Some implementations also count the headers of frames, so
  /// the number can be larger than the number of sent bytes.
  func acknowledge(_ count: UInt64) { acknowledgedCount = max(acknowledgedCount, min(count, sentCount)) }
}

/// The messages waiting to be sent, in the order in which their next frames are sent.
struct OutgoingQueue {
  /// The messages from ``start``. The positions before it are nil: removing the first element of an array would move
  /// all others, and thousands can be waiting.
  private var messages: [OutgoingMessage?] = []
  private var start = 0

  var isEmpty: Bool { start == messages.count }
  var first: OutgoingMessage? { isEmpty ? nil : messages[start] }

  mutating func removeFirst() -> OutgoingMessage? {
    guard !isEmpty else { return nil }
    let message = messages[start]
    messages[start] = nil
    start += 1
    if start == messages.count || start > 1000 {
      messages.removeFirst(start)
      start = 0
    }
    return message
  }

  /// Adds a message.
  ///
  /// A normal message is appended. An urgent message is inserted after the last urgent message and the normal message
  /// that follows it, so that normal messages still advance. A new message does not overtake a message that has not
  /// started, because numbers are assigned in this order.
  mutating func insert(_ message: OutgoingMessage) {
    guard message.isUrgent else { return messages.append(message) }
    let waiting = messages[start...]
    var position = (waiting.lastIndex { $0?.isUrgent == true }).map { $0 + 1 } ?? start
    position = min(position + 1, messages.count)
    if !message.hasStarted, let last = waiting.lastIndex(where: { $0?.hasStarted == false }) {
      position = max(position, last + 1)
    }
    messages.insert(message, at: position)
  }
}
