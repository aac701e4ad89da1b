/// A message whose frames are being received.
struct IncomingMessage {
  let type: MessageType
  let flags: MessageFlags
  /// Whether the body is delivered in parts.
  let isStreamed: Bool
  /// The received content that has not been delivered yet.
  private(set) var content: [UInt8] = []
  /// Whether the properties of a streamed message have been delivered.
  private var hasBegun = false
  /// The number of bytes received in frames, excluding message numbers and flags.
  private(set) var receivedCount: UInt64 = 0
  private var acknowledgedCount: UInt64 = 0

  /// The number of bytes after which an acknowledgement is sent.
  static let acknowledgementInterval: UInt64 = 50_000

  /// A part of a streamed message.
  enum Part {
    case properties(MessageProperties)
    case bytes([UInt8])
  }

  init(_ header: FrameHeader, isStreamed: Bool) {
    type = header.type
    flags = header.flags.subtracting([.moreComing, .compressed])
    self.isStreamed = isStreamed
  }

  /// Adds the payload of a frame.
  ///
  /// - Parameter size: the size of the frame in bytes, excluding its number and flags.
  mutating func append(_ payload: some Collection<UInt8>, size: Int) {
    content += payload
    receivedCount += UInt64(size)
  }

  /// Returns the number of received bytes if an acknowledgement is due; otherwise nil.
  mutating func dueAcknowledgement() -> UInt64? {
    guard receivedCount - acknowledgedCount >= IncomingMessage.acknowledgementInterval else { return nil }
    acknowledgedCount = receivedCount
    return receivedCount
  }

  /// Removes and returns the parts of a streamed message that can be delivered.
  mutating func takeParts(isComplete: Bool) throws(BLIPError) -> [Part] {
    var parts: [Part] = []
    if !hasBegun {
      var offset = 0
      let size = Varint.read(content, at: &offset)
      if let size, size > UInt64(MessageProperties.maximumSize) { throw .malformedProperties }
      guard let size, offset + Int(size) <= content.count else {
        guard !isComplete, size != nil || content.count < Varint.maximumLength else { throw .malformedProperties }
        return []
      }
      parts.append(.properties(try MessageProperties(content[offset..<(offset + Int(size))])))
      content.removeFirst(offset + Int(size))
      hasBegun = true
    }
    if !content.isEmpty {
      parts.append(.bytes(content))
      content = []
    }
    return parts
  }
}
