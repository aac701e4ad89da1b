/// The parts of an ``OrderedParallelTask`` that may be started while earlier results are not delivered yet.
///
/// The number of these parts and the size of their results are limited, so that memory is bounded if the results are
/// delivered slowly.
struct ResultWindow {
  /// The maximum number of parts that may be started ahead of the first undelivered one.
  static let maximumPartCount = 64
  /// The size in bytes of waiting results from which no further part is started.
  static let maximumSize = 64 << 20

  private let count: Int
  private var nextToStart = 0
  private var waitingSize = 0
  /// The number of the first undelivered part.
  private(set) var nextToDeliver = 0

  /// - Parameter count: the number of parts.
  init(count: Int) { self.count = count }

  /// Whether all parts have been started.
  var isStarted: Bool { nextToStart >= count }
  /// Whether all results have been delivered.
  var isDelivered: Bool { nextToDeliver >= count }

  /// Starts a part.
  ///
  /// Parts are started in order, so results wait only if the first undelivered part has been started. A task therefore
  /// cannot stop with nothing to deliver.
  ///
  /// - Returns: The number of the part; nil if none may be started now.
  mutating func start() -> Int? {
    guard !isStarted, nextToStart < nextToDeliver + ResultWindow.maximumPartCount,
      waitingSize < ResultWindow.maximumSize
    else { return nil }
    defer { nextToStart += 1 }
    return nextToStart
  }

  /// Adds the result of a part to those that wait for delivery.
  mutating func add(size: Int) { waitingSize += size }

  /// Removes the first undelivered result.
  mutating func deliver(size: Int) {
    waitingSize -= size
    nextToDeliver += 1
  }
}
