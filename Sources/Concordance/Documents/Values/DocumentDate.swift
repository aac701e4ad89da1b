import Foundation
import QueryCompiler

/// Dates as documents hold them: ISO 8601 strings, written in UTC.
///
/// Setters write milliseconds, as Couchbase Lite does. Types of a program's own, which are to be equal after they were read
/// back, get as many digits as that takes. A text with up to three digits is read as the date nearest to that number of
/// milliseconds since 1970, which is what programs mean by such a date; a longer one as the nearest date of all, which `Date`
/// counts from 2001 with a finer step.
enum DocumentDate {
  /// `2026-02-28T12:30:00.250Z`, to the nearest millisecond.
  static func string(from date: Date) -> String {
    // The format cuts off what is below a millisecond, and most milliseconds have no double that is not a little below.
    guard isWritable(date) else { return date.addingTimeInterval(0.0005).formatted(written) }
    let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
    let (second, fraction) = milliseconds.flooredDivision(by: 1000)
    return "\(civilText(second)).\(padded(fraction, 3))Z"
  }

  /// Reads `YYYY-MM-DD`, with or without `THH:MM[:SS[.fff]]`, with or without a zone. Without a zone it is local time.
  static func date(from string: String) -> Date? {
    guard let (seconds, fraction) = DateReader.instant(string) else { return nil }
    return date(Date(timeIntervalSince1970: Double(seconds)), addingFraction: fraction[...])
  }

  /// As ``string(from:)``, with the digits that it takes to read an equal date.
  ///
  /// - Returns: nil for a date that has no year of four digits.
  static func exactString(from date: Date) -> String? {
    guard isWritable(date) else { return nil }
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    if Date(timeIntervalSince1970: milliseconds / 1000) == date { return string(from: date) }
    let interval = date.timeIntervalSinceReferenceDate
    // Seven digits are finer than the steps of a `Date` of this century; 17 significant ones tell any two numbers apart.
    let significant = 16 - Int(log10(abs(interval)).rounded(.down))
    var digitCount = 7
    while true {
      let (seconds, digits) = parts(of: interval, digitCount)
      let second = Date(timeIntervalSinceReferenceDate: Double(seconds))
      if digitCount >= significant || DocumentDate.date(second, addingFraction: digits[...]) == date {
        return "\(civilText(Int64(second.timeIntervalSince1970))).\(digits)Z"
      }
      digitCount = significant
    }
  }

  /// Whether a date can be written and read: it is in the years 1 to 9999.
  static func isWritable(_ date: Date) -> Bool {
    (-62_135_769_600..<253_402_300_799.999).contains(date.timeIntervalSince1970)
  }

  /// An interval as whole seconds, rounded down, and the decimal digits of the rest.
  private static func parts(of interval: Double, _ digitCount: Int) -> (seconds: Int, digits: String) {
    let text = String(format: "%.\(digitCount)f", abs(interval))
    let digits = String(text.suffix(digitCount))
    let seconds = Int(text.dropLast(digitCount + 1)) ?? 0
    guard interval < 0 else { return (seconds, digits) }
    return digits.allSatisfy { $0 == "0" } ? (-seconds, digits) : (-seconds - 1, complement(of: digits))
  }

  /// The date that is a fraction of a second, in decimal digits, after a whole second.
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

  /// The digits of 1 minus a fraction that is not 0.
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

  /// Returns `YYYY-MM-DDTHH:MM:SS` of a second since 1970 in UTC, in the proleptic Gregorian calendar of ISO 8601, in which
  /// dates are read. Foundation writes dates before 1582 in the Julian calendar.
  ///
  /// See Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
  /// <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>.
  private static func civilText(_ second: Int64) -> String {
    let (days, time) = second.flooredDivision(by: 86_400)
    // Eras of 400 years begin on 1 March of the year 0.
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static let written = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

extension Int64 {
  /// Divides and rounds the quotient down, so that the remainder is not negative.
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
