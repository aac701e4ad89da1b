import Foundation

/// How far a clock on the wall is ahead of UTC.
enum ZoneRule {
  /// The zone of the machine.
  case local
  /// Seconds ahead of UTC.
  case fixed(Int64)
  case named(TimeZone)

  static let utc = ZoneRule.fixed(0)

  /// The zone that an argument of MILLIS_TO_TZ means: a name ("Europe/Berlin"), an offset ("+02:00", "Z"), or, as in
  /// Couchbase Lite, minutes ahead of UTC.
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
      // Foundation's TimeZone takes a microsecond and a lock for each.
      var time = time_t(CivilTime.floorDivide(milliseconds, 1000))
      var result = tm()
      localtime_r(&time, &result)
      return Int64(result.tm_gmtoff)
    }
  }

  /// What the clock shows.
  func civil(_ milliseconds: Int64) -> CivilTime {
    CivilTime(milliseconds: milliseconds + offset(at: milliseconds) * 1000)
  }

  /// When the clock shows this. Of two times in autumn it is one of both; one in spring that there is not is moved on.
  func milliseconds(_ civil: CivilTime) -> Int64 {
    let wall = civil.milliseconds
    let guess = wall - offset(at: wall) * 1000
    return wall - offset(at: guess) * 1000
  }
}
