import BLIP

/// Two connected peers, whose frames are moved by the test.
struct Pipe {
  let one: BLIPConnection
  let other: BLIPConnection

  init(limits: BLIPConnection.Limits = BLIPConnection.Limits()) throws {
    one = try BLIPConnection(limits: limits)
    other = try BLIPConnection(limits: limits)
  }

  /// Moves frames in both directions until there are no more.
  ///
  /// - Returns: the events of each side.
  func run() throws -> (one: [BLIPConnection.Event], other: [BLIPConnection.Event]) {
    var events: (one: [BLIPConnection.Event], other: [BLIPConnection.Event]) = ([], [])
    var isIdle = false
    while !isIdle {
      isIdle = true
      if let frame = try one.nextFrame() {
        events.other += try other.receive(frame)
        isIdle = false
      }
      if let frame = try other.nextFrame() {
        events.one += try one.receive(frame)
        isIdle = false
      }
    }
    return events
  }
}

extension BLIPConnection.Event {
  var message: Message? {
    switch self {
    case .request(_, let message), .response(_, let message): message
    default: nil
    }
  }
}

/// A body of a given size that is made while it is sent.
final class CountingBody: MessageBodySource {
  private var rest: Int
  /// The greatest number of bytes that were asked for in one call.
  private(set) var largestPart = 0

  init(count: Int) { rest = count }

  func next(maximumCount: Int) -> [UInt8]? {
    guard rest > 0 else { return nil }
    let count = min(rest, maximumCount)
    largestPart = max(largestPart, count)
    rest -= count
    return (0..<count).map { UInt8(truncatingIfNeeded: $0) }
  }
}
