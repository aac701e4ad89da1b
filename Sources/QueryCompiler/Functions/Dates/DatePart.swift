/// The unit of DATE_ADD and DATE_DIFF.
enum DatePart {
  /// A unit that is always the same number of milliseconds.
  case milliseconds(Int64)
  /// A unit of so many months.
  case months(Int64)

  /// The unit with this name; case and an s at the end do not count.
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

  /// The time so many units later, or nil beyond the calendar.
  func add(_ count: Int64, to civil: CivilTime) -> CivilTime? {
    let result: CivilTime
    switch self {
    case .milliseconds(let size):
      let (distance, overflow) = count.multipliedReportingOverflow(by: size)
      // 2^60 ms are 36 million years: no sum with a date overflows.
      guard !overflow, abs(distance / 2) < 1 << 59 else { return nil }
      result = CivilTime(milliseconds: civil.milliseconds + distance)
    case .months(let size):
      guard abs(count / 2) < 1_000_000 else { return nil }
      result = civil.adding(months: count * size)
    }
    return result.isValid ? result : nil
  }

  /// How many whole units lie between two times; negative when the first is the earlier one.
  func difference(_ one: CivilTime, _ other: CivilTime) -> Int64 {
    switch self {
    case .milliseconds(let size): (one.milliseconds - other.milliseconds) / size
    case .months(let size): one.months(since: other) / size
    }
  }
}
