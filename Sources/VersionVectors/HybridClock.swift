/// A hybrid logical clock: it returns the system time, or a later time if necessary to exceed every time that it has
/// returned or observed before.
///
/// ```swift
/// var clock = HybridClock(last: storedTime)
/// try clock.observe(receivedTime, systemTime: now)
/// let time = clock.next(systemTime: now)
/// ```
///
/// Times are in nanoseconds since 1970. The low 16 bits are a counter, which is 0 if the system time is later than the
/// last time; otherwise, the last time is incremented. This shortens the binary form of version vectors.
///
/// Source: Kulkarni et al., "Logical Physical Clocks", 2014.
public struct HybridClock: Hashable, Sendable {
  /// The last time that the clock has returned or observed.
  public private(set) var last: UInt64

  /// The maximum number of nanoseconds by which a received time may be later than the system time: two minutes.
  /// Without this limit, a peer with a wrong clock would advance the clocks of all other peers.
  public static let maximumLead: UInt64 = 120_000_000_000

  /// The mask of the counter.
  private static let counter: UInt64 = 0xFFFF

  /// Creates a clock.
  ///
  /// - Parameter last: the last time, as stored in the file; 0 if there is none.
  public init(last: UInt64 = 0) { self.last = last }

  /// Returns the next time.
  ///
  /// - Parameter systemTime: the system time in nanoseconds since 1970.
  public mutating func next(systemTime: UInt64) -> UInt64 {
    let systemTime = systemTime & ~HybridClock.counter
    // At the end of the range, in the year 2116, the clock stops advancing.
    last = min(max(systemTime, last < Version.maximumTime ? last + 1 : last, 1), Version.maximumTime)
    return last
  }

  /// Records a time from another clock.
  ///
  /// - Throws: ``VersionError/timeInFuture(_:)`` if the time is too far in the future. The clock then stays unchanged.
  public mutating func observe(_ time: UInt64, systemTime: UInt64) throws(VersionError) {
    guard time <= last || time <= systemTime || time - systemTime <= HybridClock.maximumLead else {
      throw .timeInFuture(time)
    }
    last = max(last, time)
  }

  /// Records all times in a vector, except those of converted revision ids, which are not real times.
  ///
  /// - Throws: ``VersionError/timeInFuture(_:)`` if one of the times is too far in the future. The clock then stays
  ///   unchanged.
  public mutating func observe(_ vector: VersionVector, systemTime: UInt64) throws(VersionError) {
    var clock = self
    for version in vector.entries where version.author != .revisionTree {
      try clock.observe(version.time, systemTime: systemTime)
    }
    self = clock
  }
}

extension VersionVector {
  /// Checks that the current version is not a converted revision id whose generation is so large that its time is in
  /// the future.
  ///
  /// - Throws: ``VersionError/generationTooLarge(_:)``.
  public func checkGeneration(systemTime: UInt64) throws(VersionError) {
    guard current.author != .revisionTree || current.time <= systemTime else {
      throw .generationTooLarge(current.generation)
    }
  }
}
