import QueryModel
extension QueryFunctions {
  /// Date functions. A date is a number of milliseconds since 1970, or text in ISO 8601 (``DateText``) or in a format
  /// (``DateFormat``). Text without a zone is local time. MISSING gives MISSING; any other value that is not a date
  /// gives null.
  static let dateFunctions: [ScalarFunction] = [
    ScalarFunction(.millisToString) { arguments in
      write(milliseconds(arguments[0]), .local, format: arguments.dropFirst().first, of: arguments)
    },
    ScalarFunction(.millisToUTC) { arguments in
      write(milliseconds(arguments[0]), .utc, format: arguments.dropFirst().first, of: arguments)
    },
    ScalarFunction(.millisToTimeZone) { arguments in
      write(milliseconds(arguments[0]), ZoneRule(arguments[1]), format: arguments.dropFirst(2).first, of: arguments)
    },
    ScalarFunction(.stringToMillis) { arguments in
      read(arguments[0], format: arguments.dropFirst().first).map { .integer($0) } ?? QueryValue.wrongType(arguments)
    },
    ScalarFunction(.stringToUTC) { arguments in
      let format = arguments.dropFirst().first
      return write(read(arguments[0], format: format), .utc, format: format, of: arguments)
    },
    ScalarFunction(.stringToTimeZone) { arguments in
      let format = arguments.dropFirst(2).first
      return write(read(arguments[0], format: format), ZoneRule(arguments[1]), format: format, of: arguments)
    },
    ScalarFunction(.dateDifferenceMillis) { arguments in
      guard let one = milliseconds(arguments[0]), let other = milliseconds(arguments[1]),
        let part = arguments[2].string.flatMap({ DatePart($0) })
      else { return QueryValue.wrongType(arguments) }
      return .integer(part.difference(CivilTime(milliseconds: one), CivilTime(milliseconds: other)))
    },
    ScalarFunction(.dateDifferenceString) { arguments in
      guard let one = arguments[0].string.flatMap({ DateText($0) }),
        let other = arguments[1].string.flatMap({ DateText($0) }),
        let part = arguments[2].string.flatMap({ DatePart($0) })
      else { return QueryValue.wrongType(arguments) }
      if case .milliseconds(let size) = part { return .integer((one.milliseconds - other.milliseconds) / size) }
      // Months are counted in the zone of the first date.
      return .integer(part.difference(one.civil, one.zone.civil(other.milliseconds)))
    },
    ScalarFunction(.dateAddMillis) { arguments in
      guard let start = milliseconds(arguments[0]), let count = arguments[1].integer,
        let part = arguments[2].string.flatMap({ DatePart($0) }),
        let end = part.add(count, to: CivilTime(milliseconds: start))
      else { return QueryValue.wrongType(arguments) }
      return .integer(end.milliseconds)
    },
    // The result has the shape and the zone of the first argument, unless a format is given.
    ScalarFunction(.dateAddString) { arguments in
      guard let start = arguments[0].string.flatMap({ DateText($0) }), let count = arguments[1].integer,
        let part = arguments[2].string.flatMap({ DatePart($0) }), let end = add(part, count, to: start)
      else { return QueryValue.wrongType(arguments) }
      if arguments.count == 4 { return write(end, start.zone, format: arguments[3], of: arguments) }
      return DateText.format(end, in: start.zone, start.shape).map { .string($0) } ?? .null
    },
  ]

  /// Adds units to a date. Units up to hours are added as elapsed time; days and longer units keep the local time of
  /// day.
  private static func add(_ part: DatePart, _ count: Int64, to start: DateText) -> Int64? {
    if case .milliseconds(let size) = part, size < CivilTime.millisecondsPerDay {
      return part.add(count, to: CivilTime(milliseconds: start.milliseconds))?.milliseconds
    }
    return part.add(count, to: start.civil).map { start.zone.milliseconds($0) }
  }

  /// Returns milliseconds since 1970; nil if the value is not a number or is far outside the years 0 to 9999.
  private static func milliseconds(_ value: QueryValue) -> Int64? {
    guard let number = value.integer, abs(number / 2) < 150_000_000_000_000 else { return nil }
    return number
  }

  /// Parses a date in ISO 8601 or in the given format.
  private static func read(_ value: QueryValue, format: QueryValue?) -> Int64? {
    guard let text = value.string else { return nil }
    return DateText(text)?.milliseconds
      ?? format?.string.flatMap { DateFormat($0) }.flatMap { $0.milliseconds(text) }
  }

  /// Formats a date in the given format. Without one, the result is ISO 8601, with milliseconds if they are not 0.
  private static func write(
    _ milliseconds: Int64?, _ zone: ZoneRule?, format: QueryValue?, of arguments: [QueryValue]
  ) -> QueryValue {
    guard let milliseconds, let zone else { return QueryValue.wrongType(arguments) }
    guard let format else {
      var shape = DateText.Shape()
      if milliseconds % 1000 != 0 { shape.precision = .millisecond }
      return DateText.format(milliseconds, in: zone, shape).map { .string($0) } ?? .null
    }
    guard let format = format.string.flatMap({ DateFormat($0) }) else { return QueryValue.wrongType(arguments) }
    return format.string(milliseconds, in: zone).map { .string($0) } ?? .null
  }
}
