/// A date and a time of day without a time zone, in the Gregorian calendar for all years.
struct CivilTime: Hashable {
  var year: Int64 = 1970
  var month: Int64 = 1
  var day: Int64 = 1
  /// Milliseconds since midnight.
  var millisecond: Int64 = 0

  static let millisecondsPerDay: Int64 = 86_400_000

  init() {}

  /// Creates the date and time from the number of milliseconds since 1970-01-01T00:00.
  ///
  /// This is `civil_from_days` from Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  init(milliseconds: Int64) {
    let days = CivilTime.floorDivide(milliseconds, CivilTime.millisecondsPerDay)
    millisecond = milliseconds - days * CivilTime.millisecondsPerDay
    // Years begin in March, so that the leap day is the last day of a year. An era is 400 years.
    let shifted = days + 719_468
    let era = CivilTime.floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of milliseconds since 1970-01-01T00:00 (days_from_civil).
  var milliseconds: Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = CivilTime.floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * CivilTime.millisecondsPerDay + millisecond
  }

  /// Whether the date and the time exist, in a year from 0 to 9999.
  var isValid: Bool {
    (0...9999).contains(year) && (1...12).contains(month) && day >= 1 && day <= daysInMonth
      && (0..<CivilTime.millisecondsPerDay).contains(millisecond)
  }

  var daysInMonth: Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the same day a number of months later, or the last day of that month if the month is shorter.
  func adding(months: Int64) -> CivilTime {
    let total = year * 12 + (month - 1) + months
    var result = self
    result.year = CivilTime.floorDivide(total, 12)
    result.month = total - result.year * 12 + 1
    result.day = min(day, result.daysInMonth)
    return result
  }

  /// Returns the number of whole months from `other` to this time.
  func months(since other: CivilTime) -> Int64 {
    let months = (year - other.year) * 12 + month - other.month
    let rest = (day, millisecond)
    let otherRest = (other.day, other.millisecond)
    if months > 0, rest < otherRest { return months - 1 }
    if months < 0, rest > otherRest { return months + 1 }
    return months
  }

  static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}
