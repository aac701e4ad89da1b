import Foundation
import QueryCompiler

/// Conversion between dates and the ISO 8601 strings that documents contain. Strings are written in UTC.
///
/// Setters write milliseconds, as Couchbase Lite does. Encoders write as many digits as are needed to decode an equal
/// date.
///
/// A string with at most three fractional digits is read as milliseconds since 1970, rounded to the nearest `Date`. A
/// string with more digits is read as seconds since 2001, the reference date of `Date`, which has a finer resolution.
enum DocumentDate {
  /// Returns a string such as `2026-02-28T12:30:00.250Z`, rounded to the nearest millisecond.
  static func string(from date: Date) -> String {
    if isWritable(date),
      let text = ISO8601Date.text(Int64((date.timeIntervalSince1970 * 1000).rounded()), hasMilliseconds: true)
    {
      return text
    }
    // The format style truncates to milliseconds, and the double nearest to a millisecond may be slightly below it.
    return date.addingTimeInterval(0.0005).formatted(millisecondStyle)
  }

  /// Parses `YYYY-MM-DD`, optionally with `THH:MM[:SS[.fff]]` and a time zone. Without a time zone it is local time.
  static func date(from string: String) -> Date? {
    guard let (seconds, fraction) = ISO8601Date.instant(string) else { return nil }
    return date(Date(timeIntervalSince1970: Double(seconds)), addingFraction: fraction[...])
  }

  /// Returns a string like `string(from:)`, but with as many digits as are needed to decode an equal date.
  ///
  /// - Returns: the string, or nil for a date outside the years 0 to 9999.
  static func exactString(from date: Date) -> String? {
    guard isWritable(date) else { return nil }
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    if Date(timeIntervalSince1970: milliseconds / 1000) == date { return string(from: date) }
    let interval = date.timeIntervalSinceReferenceDate
    // Seven digits are finer than the resolution of a `Date` in this century. 17 significant digits identify any
    // double.
    let significant = 16 - Int(log10(abs(interval)).rounded(.down))
    var digitCount = 7
    while true {
      let (seconds, digits) = parts(of: interval, digitCount)
      let second = Date(timeIntervalSinceReferenceDate: Double(seconds))
      if digitCount >= significant || DocumentDate.date(second, addingFraction: digits[...]) == date {
        let text = ISO8601Date.text(Int64(second.timeIntervalSince1970) * 1000, hasMilliseconds: false)
        return text.map { "\($0.dropLast()).\(digits)Z" }
      }
      digitCount = significant
    }
  }

  /// Returns whether a date is in the years 0 to 9999 of the Gregorian calendar, so that it can be written and read.
  /// `Date.distantPast` is in the year 0, because it is the first day of the year 1 in the Julian calendar.
  static func isWritable(_ date: Date) -> Bool {
    (-62_167_219_200..<253_402_300_799.999).contains(date.timeIntervalSince1970)
  }

  /// Splits an interval into whole seconds, rounded down, and the decimal digits of the fraction.
  private static func parts(of interval: Double, _ digitCount: Int) -> (seconds: Int, digits: String) {
    let text = String(format: "%.\(digitCount)f", abs(interval))
    let digits = String(text.suffix(digitCount))
    let seconds = Int(text.dropLast(digitCount + 1)) ?? 0
    guard interval < 0 else { return (seconds, digits) }
    return digits.allSatisfy { $0 == "0" } ? (-seconds, digits) : (-seconds - 1, complement(of: digits))
  }

  /// Adds a fraction of a second, in decimal digits, to a date without a fraction.
  private static func date(_ second: Date, addingFraction digits: Substring) -> Date {
    if digits.count <= 3 {
      let milliseconds = Double(digits.padding(toLength: 3, withPad: "0", startingAt: 0)) ?? 0
      return Date(timeIntervalSince1970: (second.timeIntervalSince1970 * 1000 + milliseconds) / 1000)
    }
    let seconds = Int(second.timeIntervalSinceReferenceDate)
    guard seconds < 0, digits.contains(where: { $0 != "0" }) else {
      return Date(timeIntervalSinceReferenceDate: Double("\(seconds).\(digits)") ?? Double(seconds))
    }
    let magnitude = Double("\(-seconds - 1).\(complement(of: String(digits)))") ?? Double(-seconds)
    return Date(timeIntervalSinceReferenceDate: -magnitude)
  }

  /// Returns the digits of 1 minus a fraction. The fraction must not be 0.
  private static func complement(of digits: String) -> String {
    var result = digits.utf8.map { UInt8(ascii: "9") - $0 }
    var position = result.count - 1
    while position >= 0, result[position] == 9 {
      result[position] = 0
      position -= 1
    }
    if position >= 0 { result[position] += 1 }
    return result.map { String($0) }.joined()
  }

  private static let millisecondStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
