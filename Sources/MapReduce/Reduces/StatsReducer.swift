import JSONText

/// `_stats`: the sum, count, minimum, maximum and sum of squares of numbers. For arrays of numbers, it computes these
/// statistics at each position.
struct StatsReducer: ViewReducer {
  func partial(of rows: [ReducedRow]) throws -> [UInt8] { try statistics(of: rows.lazy.map(\.value)) }

  func rereduce(_ partials: [[UInt8]]) throws -> [UInt8] { try statistics(of: partials) }

  private func statistics(of texts: some Sequence<[UInt8]?>) throws -> [UInt8] {
    try fold(texts, into: AccumulatedStatistics.none) {
      try $0.add($1)
    } json: {
      try $0.json()
    }
  }
}

/// The statistics of the values so far.
private enum AccumulatedStatistics {
  case none
  case numbers(Statistics)
  /// The values are arrays.
  case positions([Statistics])

  mutating func add(_ value: JSONValue) throws {
    switch (self, value) {
    case (.none, .array(let elements)): self = .positions(try elements.map { try Statistics($0) })
    case (.none, _): self = .numbers(try Statistics(value))
    case (.positions(let known), .array(let elements)):
      guard known.count == elements.count else { throw ReduceError("_stats needs arrays of the same length") }
      self = .positions(try zip(known, elements).map { try $0.adding(Statistics($1)) })
    case (.positions, _), (.numbers, .array):
      throw ReduceError("_stats cannot combine an array and a value of another type")
    case (.numbers(let known), _): self = .numbers(known.adding(try Statistics(value)))
    }
  }

  func json() throws -> JSONValue? {
    switch self {
    case .none: nil
    case .numbers(let statistics): try statistics.json()
    case .positions(let statistics): .array(try statistics.map { try $0.json() })
    }
  }
}

/// The five numbers of `_stats`.
private struct Statistics {
  var sum: ReducedNumber
  var count: ReducedNumber
  var minimum: ReducedNumber
  var maximum: ReducedNumber
  var sumOfSquares: ReducedNumber

  /// Reads a number, or an object with the five numbers.
  init(_ value: JSONValue) throws {
    if let number = ReducedNumber(value), let one = ReducedNumber(.int64(1)) {
      (sum, count, minimum, maximum, sumOfSquares) = (number, one, number, number, number.squared)
      return
    }
    guard case .object(let members) = value else { throw Statistics.error(value) }
    func number(_ key: String) throws -> ReducedNumber {
      guard let found = members.first(where: { $0.key == key }), let number = ReducedNumber(found.value) else {
        throw Statistics.error(value)
      }
      return number
    }
    sum = try number("sum")
    count = try number("count")
    minimum = try number("min")
    maximum = try number("max")
    sumOfSquares = try number("sumsqr")
  }

  func adding(_ other: Statistics) -> Statistics {
    var result = self
    result.sum = sum + other.sum
    result.count = count + other.count
    result.minimum = other.minimum < minimum ? other.minimum : minimum
    result.maximum = maximum < other.maximum ? other.maximum : maximum
    result.sumOfSquares = sumOfSquares + other.sumOfSquares
    return result
  }

  func json() throws -> JSONValue {
    .object([
      JSONMember("sum", try sum.json()), JSONMember("count", try count.json()), JSONMember("min", try minimum.json()),
      JSONMember("max", try maximum.json()), JSONMember("sumsqr", try sumOfSquares.json()),
    ])
  }

  private static func error(_ value: JSONValue) -> ReduceError {
    ReduceError(
      "_stats needs values that are numbers, or objects with sum, count, min, max and sumsqr, or arrays of these, not "
        + "\(value.text.prefix(100))")
  }
}
