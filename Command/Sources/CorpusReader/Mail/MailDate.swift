import Foundation

/// Parses the date of a mail message: `Mon, 3 Jun 2024 10:11:12 +0200 (CEST)` (RFC 5322, section 3.3).
enum MailDate {
  /// Returns the date as ISO 8601 in UTC, or nil if it is malformed.
  static func iso8601(_ text: String) -> String? {
    var words = text.prefix { $0 != "(" }.split { $0 == " " || $0 == "," }[...]
    if let first = words.first, first.first?.isLetter == true { words = words.dropFirst() }
    let parts = Array(words)
    guard parts.count >= 4, let day = Int32(parts[0]), (1...31).contains(day),
      let month = months.firstIndex(of: parts[1].prefix(3).lowercased()), var year = Int32(parts[2]),
      year >= 0
    else { return nil }
    // RFC 5322, section 4.3 defines the meaning of years with two and three digits.
    if parts[2].count == 2 { year += year < 50 ? 2000 : 1900 } else if parts[2].count == 3 { year += 1900 }
    let clock = parts[3].split(separator: ":").map { Int32($0) }
    guard year <= 9999, clock.count == 2 || clock.count == 3, let hour = clock[0], let minute = clock[1],
      let second = clock.count == 3 ? clock[2] : 0, (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    var time = tm()
    time.tm_year = year - 1900
    time.tm_mon = Int32(month)
    time.tm_mday = day
    time.tm_hour = hour
    time.tm_min = minute
    time.tm_sec = second
    let zone = parts.count > 4 ? offset(parts[4]) : 0
    return Timestamp.text(seconds: Int64(timegm(&time)) - zone)
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Returns the offset in seconds east of UTC. Unknown zone names are treated as UTC.
  private static func offset(_ zone: Substring) -> Int64 {
    let named: [String: Int64] = [
      "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
    ]
    if let hours = named[zone.uppercased()] { return hours * 3600 }
    guard let sign = zone.first, sign == "+" || sign == "-", zone.utf8.count == 5,
      let number = Int64(zone.dropFirst()), number >= 0
    else { return 0 }
    let seconds = (number / 100 * 60 + number % 100) * 60
    return sign == "-" ? -seconds : seconds
  }
}
