/// A date as text, `YYYY-MM-DD[THH:MM[:SS[.FFF]]][Z|±HH[:]MM]`, and its format, in which other dates can be written.
struct DateText {
  /// The format of the text: the parts that it contains and how they are written.
  struct Shape: Hashable {
    enum Precision: Int, Comparable {
      case day, minute, second, millisecond
      static func < (one: Precision, other: Precision) -> Bool { one.rawValue < other.rawValue }
    }
    enum Zone: Hashable {
      case none
      /// `Z`, or `±HH:MM` if the offset is not 0.
      case colon
      /// `±HHMM`
      case basic
    }

    var precision = Precision.second
    var separator = UInt8(ascii: "T")
    var zone = Zone.colon
  }

  var civil = CivilTime()
  var shape = Shape()
  /// All digits of the fractional second if there are more than three; ``civil`` contains the first three.
  private(set) var fineDigits: String?
  /// The zone of the text; local time if it has none.
  var zone = ZoneRule.local

  /// Milliseconds since 1970.
  var milliseconds: Int64 { zone.milliseconds(civil) }

  /// Parses a string; nil if it is not a date.
  init?(_ text: String) {
    var reader = DigitReader(text)
    guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
      let day = reader.digits(2)
    else { return nil }
    (civil.year, civil.month, civil.day) = (year, month, day)
    shape.precision = .day
    shape.zone = .none
    let separator = reader.peek
    if reader.skip("T") || reader.skip(" ") || reader.skip("t") {
      shape.separator = separator ?? shape.separator
      guard let hour = reader.digits(2), hour < 24, reader.skip(":"), let minute = reader.digits(2), minute < 60
      else { return nil }
      shape.precision = .minute
      civil.millisecond = (hour * 60 + minute) * 60_000
      if reader.skip(":") {
        guard let second = reader.digits(2), second < 60 else { return nil }
        shape.precision = .second
        civil.millisecond += second * 1000
        if reader.skip(".") || reader.skip(",") {
          guard let fraction = reader.fraction() else { return nil }
          shape.precision = .millisecond
          civil.millisecond += fraction.milliseconds
          fineDigits = fraction.fineDigits
        }
      }
    }
    if let (offset, isBasic) = reader.zone() {
      zone = .fixed(offset)
      shape.zone = isBasic ? .basic : .colon
    }
    guard reader.isAtEnd, civil.isValid else { return nil }
  }

  /// Formats a point in time in the local time of a zone; nil for a year outside 0 to 9999.
  static func format(_ milliseconds: Int64, in zone: ZoneRule, _ shape: Shape) -> String? {
    let civil = zone.civil(milliseconds)
    guard civil.isValid else { return nil }
    var text = DateWriter()
    text.date(civil)
    if shape.precision > .day {
      text.bytes.append(shape.separator)
      text.number(civil.millisecond / 3_600_000, 2)
      text.bytes.append(UInt8(ascii: ":"))
      text.number(civil.millisecond / 60_000 % 60, 2)
    }
    if shape.precision >= .second {
      text.bytes.append(UInt8(ascii: ":"))
      text.number(civil.millisecond / 1000 % 60, 2)
    }
    if shape.precision == .millisecond {
      text.bytes.append(UInt8(ascii: "."))
      text.number(civil.millisecond % 1000, 3)
    }
    let offset = zone.offset(at: milliseconds)
    switch shape.zone {
    case .none: break
    case .colon where offset == 0: text.bytes.append(UInt8(ascii: "Z"))
    case .colon: text.offset(offset, hasColon: true)
    case .basic: text.offset(offset, hasColon: false)
    }
    return String(decoding: text.bytes, as: UTF8.self)
  }
}

/// Parses and formats points in time as ISO 8601 text. Other modules use it too, so that documents and queries accept
/// the same strings as dates.
///
/// The calendar is Gregorian for all years from 0 to 9999, as in ISO 8601. Text without a zone is in local time. `T`,
/// `t` or a space separates date and time, and a period or a comma precedes the fraction of a second.
public enum ISO8601Date {
  /// Parses a string; nil if it is not a date.
  ///
  /// - Returns: whole seconds since 1970, and the digits of the fraction: three, or all digits of the text if it has
  ///   more.
  public static func instant(_ text: String) -> (seconds: Int64, fraction: String)? {
    guard let date = DateText(text) else { return nil }
    let seconds = CivilTime.floorDivide(date.milliseconds, 1000)
    let milliseconds = String(date.milliseconds - seconds * 1000)
    return (seconds, date.fineDigits ?? String(repeating: "0", count: 3 - milliseconds.utf8.count) + milliseconds)
  }

  /// Formats a point in time in UTC, `2026-02-28T12:30:00Z`, or with milliseconds, `2026-02-28T12:30:00.250Z`.
  ///
  /// - Parameters:
  ///   - milliseconds: milliseconds since 1970.
  ///   - hasMilliseconds: whether the text contains the milliseconds.
  /// - Returns: The text; nil if the year is outside 0 to 9999.
  public static func text(_ milliseconds: Int64, hasMilliseconds: Bool) -> String? {
    DateText.format(milliseconds, in: .utc, DateText.Shape(precision: hasMilliseconds ? .millisecond : .second))
  }
}

/// Writes numbers of fixed width.
struct DateWriter {
  var bytes: [UInt8] = []

  mutating func number(_ value: Int64, _ width: Int) {
    let digits = String(value)
    for _ in 0..<max(0, width - digits.utf8.count) { bytes.append(UInt8(ascii: "0")) }
    bytes.append(contentsOf: digits.utf8)
  }

  mutating func date(_ civil: CivilTime) {
    number(civil.year, 4)
    bytes.append(UInt8(ascii: "-"))
    number(civil.month, 2)
    bytes.append(UInt8(ascii: "-"))
    number(civil.day, 2)
  }

  mutating func offset(_ seconds: Int64, hasColon: Bool) {
    bytes.append(UInt8(ascii: seconds < 0 ? "-" : "+"))
    let minutes = abs(seconds) / 60
    number(minutes / 60, 2)
    if hasColon { bytes.append(UInt8(ascii: ":")) }
    number(minutes % 60, 2)
  }
}

/// Reads numbers of fixed width.
struct DigitReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { index == bytes.count }

  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek.map({ UInt32($0) }) == character.value else { return false }
    index += 1
    return true
  }

  /// Reads a number of exactly this many digits.
  mutating func digits(_ count: Int) -> Int64? {
    guard index + count <= bytes.count, bytes[index..<(index + count)].allSatisfy({ $0 &- 0x30 < 10 }) else {
      return nil
    }
    defer { index += count }
    return bytes[index..<(index + count)].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// Reads the digits of a fraction as milliseconds; also returns all digits if there are more than three.
  mutating func fraction() -> (milliseconds: Int64, fineDigits: String?)? {
    let start = index
    var value: Int64 = 0
    var count = 0
    while let byte = peek, byte &- 0x30 < 10 {
      if count < 3 { value = value * 10 + Int64(byte - 0x30) }
      count += 1
      index += 1
    }
    guard count > 0 else { return nil }
    for _ in 0..<max(0, 3 - count) { value *= 10 }
    return (value, count > 3 ? String(decoding: bytes[start..<index], as: UTF8.self) : nil)
  }

  /// Reads `Z`, `±HH:MM` or `±HHMM`. Returns the offset in seconds and whether the form was `±HHMM`.
  mutating func zone() -> (offset: Int64, isBasic: Bool)? {
    if skip("Z") || skip("z") { return (0, false) }
    let start = index
    let isNegative = peek == UInt8(ascii: "-")
    guard isNegative || peek == UInt8(ascii: "+") else { return nil }
    index += 1
    if let hours = digits(2), hours < 24 {
      let hasColon = skip(":")
      if let minutes = digits(2), minutes < 60 {
        let offset = (hours * 60 + minutes) * 60
        return (isNegative ? -offset : offset, !hasColon)
      }
    }
    index = start
    return nil
  }
}
