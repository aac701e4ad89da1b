import Foundation

/// A rule for the offset of local time from UTC.
enum ZoneRule {
  /// The zone of the machine.
  case local
  /// Seconds ahead of UTC.
  case fixed(Int64)
  case named(TimeZone)

  static let utc = ZoneRule.fixed(0)

  /// Creates the zone that an argument of MILLIS_TO_TZ names: a name ("Europe/Berlin"), an offset ("+02:00", "Z"), or,
  /// as in Couchbase Lite, minutes ahead of UTC.
  init?(_ value: QueryValue) {
    if let minutes = value.integer {
      guard (-1439...1439).contains(minutes) else { return nil }
      self = .fixed(minutes * 60)
      return
    }
    guard let name = value.string else { return nil }
    var reader = DigitReader(name)
    if let (offset, _) = reader.zone(), reader.isAtEnd {
      self = .fixed(offset)
    } else if let zone = TimeZone(identifier: name) {
      self = .named(zone)
    } else {
      return nil
    }
  }

  /// The offset in seconds at a point in time, given in milliseconds since 1970.
  func offset(at milliseconds: Int64) -> Int64 {
    switch self {
    case .fixed(let seconds): return seconds
    case .named(let zone):
      return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000)))
    case .local:
      // Foundation's TimeZone takes a microsecond and acquires a lock in each call.
      var time = time_t(CivilTime.floorDivide(milliseconds, 1000))
      var result = tm()
      localtime_r(&time, &result)
      return Int64(result.tm_gmtoff)
    }
  }

  /// Returns the local time at a point in time.
  func civil(_ milliseconds: Int64) -> CivilTime {
    CivilTime(milliseconds: milliseconds + offset(at: milliseconds) * 1000)
  }

  /// Returns the point in time of a local time. If a change of the offset makes the local time occur twice, the result
  /// is one of the two; if it skips the local time, the result is later.
  func milliseconds(_ civil: CivilTime) -> Int64 {
    let local = civil.milliseconds
    let guess = local - offset(at: local) * 1000
    return local - offset(at: guess) * 1000
  }
}
