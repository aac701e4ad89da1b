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
    if isWritable(date),
      let text = ISO8601Date.text(Int64((date.timeIntervalSince1970 * 1000).rounded()), hasMilliseconds: true)
    {
      return text
    }
    // The format cuts off what is below a millisecond, and most milliseconds have no double that is not a little below.
    return date.addingTimeInterval(0.0005).formatted(written)
  }

  /// Reads `YYYY-MM-DD`, with or without `THH:MM[:SS[.fff]]`, with or without a zone. Without a zone it is local time.
  static func date(from string: String) -> Date? {
    guard let (seconds, fraction) = ISO8601Date.instant(string) else { return nil }
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
        let text = ISO8601Date.text(Int64(second.timeIntervalSince1970) * 1000, hasMilliseconds: false)
        return text.map { "\($0.dropLast()).\(digits)Z" }
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

  private static let written = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
