import Foundation

extension Date {
  /// Parses a time such as `2030-01-31T12:00:00Z` or `2030-01-31t12:00:00.5+01:00` (RFC 3339, section 5.6).
  /// Foundation's strategies accept days that the month does not have, and text after the time.
  ///
  /// Returns nil if the text has another format, or for a time that does not exist. Leap seconds are not supported.
  init?(rfc3339 text: String) {
    let format =
      #/([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})/#
    guard let match = text.wholeMatch(of: format) else { return nil }
    let parts = [match.1, match.2, match.3, match.4, match.5, match.6].compactMap { Int($0) }
    guard parts.count == 6, let offset = Date.offset(match.8) else { return nil }
    let (year, month, day, hour, minute, second) = (parts[0], parts[1], parts[2], parts[3], parts[4], parts[5])
    guard (1...12).contains(month), (1...Date.dayCount(month, year)).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Date.days(before: year) + (1..<month).reduce(0) { $0 + Date.dayCount($1, year) } + day - 1
    let seconds = (days * 24 + hour) * 3600 + minute * 60 + second - offset
    let fraction = match.7.flatMap { Double("0\($0)") } ?? 0
    self.init(timeIntervalSince1970: Double(seconds) + fraction)
  }

  /// Returns the seconds of `Z`, `+01:00` or `-05:30`.
  private static func offset(_ text: Substring) -> Int? {
    guard text.lowercased() != "z" else { return 0 }
    guard let hours = Int(text.dropFirst().prefix(2)), let minutes = Int(text.suffix(2)), hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return text.hasPrefix("-") ? -seconds : seconds
  }

  /// Returns the number of days from 1970 to the beginning of a year of the Gregorian calendar.
  private static func days(before year: Int) -> Int {
    let last = year - 1
    return last * 365 + last / 4 - last / 100 + last / 400 - 719_162
  }

  private static func dayCount(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
