/// The type of a message, stored in the low three bits of its frames' flags.
public enum MessageType: UInt8, Sendable {
  case request = 0
  case response = 1
  /// A response that reports an error.
  case error = 2
  /// An acknowledgement of received bytes of a request.
  case requestAcknowledgement = 4
  /// An acknowledgement of received bytes of a response.
  case responseAcknowledgement = 5

  var isAcknowledgement: Bool { self == .requestAcknowledgement || self == .responseAcknowledgement }
}

/// The flags of a message, which all of its frames carry.
public struct MessageFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The payload is compressed.
  public static let compressed = MessageFlags(rawValue: 0x08)
  /// The message is sent before messages that are not urgent.
  public static let urgent = MessageFlags(rawValue: 0x10)
  /// The request requires no response.
  public static let noReply = MessageFlags(rawValue: 0x20)
  /// More frames of the message follow.
  static let moreComing = MessageFlags(rawValue: 0x40)
}

/// The header of a frame: `varint number | flags`.
///
/// ```
/// frame: varint number | uint8 flags | payload | uint32 checksum, big-endian
/// ```
///
/// An acknowledgement has no checksum. Its payload is a varint, the number of bytes of the message received so far.
struct FrameHeader: Hashable {
  var number: UInt64
  var type: MessageType
  var flags: MessageFlags

  /// The size of a checksum in bytes.
  static let checksumSize = 4

  /// Parses the header of a frame.
  ///
  /// - Returns: the header, and the offset of the payload.
  static func parse(_ frame: [UInt8]) throws(BLIPError) -> (header: FrameHeader, payload: Int) {
    var offset = 0
    guard let number = Varint.read(frame, at: &offset) else {
      throw .malformedFrame("the number of the message is malformed")
    }
    guard number > 0 else { throw .malformedFrame("the number of the message is 0") }
    guard let flags = Varint.read(frame, at: &offset), flags < 0x80 else {
      throw .malformedFrame("the flags are malformed")
    }
    guard let type = MessageType(rawValue: UInt8(flags) & 0x07) else {
      throw .malformedFrame("\(flags & 0x07) is not a message type")
    }
    return (FrameHeader(number: number, type: type, flags: MessageFlags(rawValue: UInt8(flags) & 0x78)), offset)
  }

  /// Appends the header to a frame.
  func append(to frame: inout [UInt8]) {
    Varint.append(number, to: &frame)
    frame.append(type.rawValue | flags.rawValue)
  }
}
