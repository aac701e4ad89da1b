import Foundation

/// Dates as documents hold them: ISO 8601 strings, in UTC with milliseconds when we write them.
enum DocumentDate {
  /// `2026-02-28T12:30:00.250Z`, to the nearest millisecond.
  static func string(from date: Date) -> String {
    // The format cuts off what is below a millisecond, and most milliseconds have no double that is not a little below.
    date.addingTimeInterval(0.0005).formatted(written)
  }

  /// Reads `YYYY-MM-DD`, with or without `THH:MM[:SS[.fff]]`, with or without a zone. Without a zone it is local time.
  static func date(from string: String) -> Date? {
    guard let match = string.wholeMatch(of: pattern)?.output else { return nil }
    func number(_ text: Substring?) -> Int { text.flatMap { Int($0) } ?? 0 }
    var components = DateComponents()
    components.year = number(match.1)
    components.month = number(match.2)
    components.day = number(match.3)
    components.hour = number(match.4)
    components.minute = number(match.5)
    components.second = number(match.6)
    guard let zone = timeZone(match.8) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    components.calendar = calendar
    guard components.isValidDate(in: calendar), let date = calendar.date(from: components) else { return nil }
    let fraction = match.7.flatMap { Double("0.\($0)") } ?? 0
    return date.addingTimeInterval(fraction)
  }

  private static let written = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private static var pattern:
    Regex<(Substring, Substring, Substring, Substring, Substring?, Substring?, Substring?, Substring?, Substring?)>
  {
    /(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}:?\d{2})?)?/
  }

  private static func timeZone(_ text: Substring?) -> TimeZone? {
    guard let text else { return .current }
    guard text != "Z" else { return .gmt }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let number = Int(digits) else { return nil }
    let seconds = (number / 100 * 60 + number % 100) * 60
    return TimeZone(secondsFromGMT: text.first == "-" ? -seconds : seconds)
  }
}
