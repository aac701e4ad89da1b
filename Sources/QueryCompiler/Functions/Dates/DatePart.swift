/// A unit of DATE_ADD and DATE_DIFF.
enum DatePart {
  /// A unit that is always the same number of milliseconds.
  case milliseconds(Int64)
  /// A unit that is a number of months.
  case months(Int64)

  /// Creates the unit with this name, ignoring case and a final s; nil for an unknown name.
  init?(_ name: String) {
    var name = name.lowercased()
    if name.hasSuffix("s") { name.removeLast() }
    switch name {
    case "millisecond": self = .milliseconds(1)
    case "second": self = .milliseconds(1000)
    case "minute": self = .milliseconds(60_000)
    case "hour": self = .milliseconds(3_600_000)
    case "day": self = .milliseconds(CivilTime.millisecondsPerDay)
    case "week": self = .milliseconds(7 * CivilTime.millisecondsPerDay)
    case "month": self = .months(1)
    case "quarter": self = .months(3)
    case "year": self = .months(12)
    case "decade": self = .months(120)
    case "century", "centurie": self = .months(1200)
    case "millennium", "millennia": self = .months(12_000)
    default: return nil
    }
  }

  /// Returns the time a number of units later; nil if its year is not in the range 0 to 9999.
  func add(_ count: Int64, to civil: CivilTime) -> CivilTime? {
    let result: CivilTime
    switch self {
    case .milliseconds(let size):
      let (distance, overflow) = count.multipliedReportingOverflow(by: size)
      // 2^60 ms is about 36 million years, so adding it to a date cannot overflow.
      guard !overflow, abs(distance / 2) < 1 << 59 else { return nil }
      result = CivilTime(milliseconds: civil.milliseconds + distance)
    case .months(let size):
      guard abs(count / 2) < 1_000_000 else { return nil }
      result = civil.adding(months: count * size)
    }
    return result.isValid ? result : nil
  }

  /// Returns the number of whole units between two times; negative if the first is earlier.
  func difference(_ one: CivilTime, _ other: CivilTime) -> Int64 {
    switch self {
    case .milliseconds(let size): (one.milliseconds - other.milliseconds) / size
    case .months(let size): one.months(since: other) / size
    }
  }
}
