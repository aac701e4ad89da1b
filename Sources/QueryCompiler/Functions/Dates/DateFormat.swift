/// A date format: text with `%Y %m %d %F %H %M %S %s %T %z %Ez %%`, or, as in Couchbase Server, an example of
/// the shape, such as `1111-11-11T00:00:00Z`.
///
/// `%F` is `%Y-%m-%d`, `%T` is `%H:%M:%S`, `%s` is the milliseconds, `%z` is an offset such as `+0200`, and `%Ez` one
/// such as `+02:00`.
enum DateFormat {
  case shape(DateText.Shape)
  case tokens([Token])

  enum Token: Hashable {
    case literal(Unicode.Scalar)
    case year, month, day, hour, minute, second, millisecond
    case offset(hasColon: Bool)
  }

  /// Parses a format; nil if the text is not a valid format.
  init?(_ text: String) {
    guard text.contains("%") else {
      guard let example = DateText(text) else { return nil }
      self = .shape(example.shape)
      return
    }
    var tokens: [Token] = []
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "%" else {
        tokens.append(.literal(scalar))
        continue
      }
      switch scalars.popFirst() {
      case "Y": tokens.append(.year)
      case "m": tokens.append(.month)
      case "d": tokens.append(.day)
      case "H": tokens.append(.hour)
      case "M": tokens.append(.minute)
      case "S": tokens.append(.second)
      case "s": tokens.append(.millisecond)
      case "F": tokens += [.year, .literal("-"), .month, .literal("-"), .day]
      case "T": tokens += [.hour, .literal(":"), .minute, .literal(":"), .second]
      case "z": tokens.append(.offset(hasColon: false))
      case "E" where scalars.first == "z":
        scalars.removeFirst()
        tokens.append(.offset(hasColon: true))
      case "%": tokens.append(.literal("%"))
      default: return nil
      }
    }
    self = .tokens(tokens)
  }

  /// Formats a point in time; nil if the year is not in the range 0 to 9999.
  func string(_ milliseconds: Int64, in zone: ZoneRule) -> String? {
    switch self {
    case .shape(let shape): return DateText.format(milliseconds, in: zone, shape)
    case .tokens(let tokens):
      let civil = zone.civil(milliseconds)
      guard civil.isValid else { return nil }
      var text = DateWriter()
      for token in tokens {
        switch token {
        case .literal(let scalar): text.bytes.append(contentsOf: String(scalar).utf8)
        case .year: text.number(civil.year, 4)
        case .month: text.number(civil.month, 2)
        case .day: text.number(civil.day, 2)
        case .hour: text.number(civil.millisecond / 3_600_000, 2)
        case .minute: text.number(civil.millisecond / 60_000 % 60, 2)
        case .second: text.number(civil.millisecond / 1000 % 60, 2)
        case .millisecond: text.number(civil.millisecond % 1000, 3)
        case .offset(let hasColon): text.offset(zone.offset(at: milliseconds), hasColon: hasColon)
        }
      }
      return String(decoding: text.bytes, as: UTF8.self)
    }
  }

  /// Parses a date in this format and returns milliseconds since 1970; nil if the text does not have this format. Text
  /// without an offset is in local time.
  func milliseconds(_ text: String) -> Int64? {
    guard case .tokens(let tokens) = self else { return DateText(text)?.milliseconds }
    var reader = DigitReader(text)
    var civil = CivilTime()
    var zone = ZoneRule.local
    for token in tokens {
      switch token {
      case .literal(let scalar):
        for byte in String(scalar).utf8 where !reader.skip(Unicode.Scalar(byte)) { return nil }
      case .offset:
        guard let (offset, _) = reader.zone() else { return nil }
        zone = .fixed(offset)
      case .millisecond:
        guard let fraction = reader.fraction() else { return nil }
        civil.millisecond += fraction.milliseconds
      case .year:
        guard let number = reader.digits(4) else { return nil }
        civil.year = number
      default:
        guard let number = reader.digits(2), DateFormat.set(token, number, &civil) else { return nil }
      }
    }
    return reader.isAtEnd && civil.isValid ? zone.milliseconds(civil) : nil
  }

  private static func set(_ token: Token, _ number: Int64, _ civil: inout CivilTime) -> Bool {
    switch token {
    case .month: civil.month = number
    case .day: civil.day = number
    case .hour: civil.millisecond += number * 3_600_000
    case .minute: civil.millisecond += number * 60_000
    case .second: civil.millisecond += number * 1000
    default: return true
    }
    return token == .month || token == .day || number < (token == .hour ? 24 : 60)
  }
}
