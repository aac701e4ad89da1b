import JSONText

/// `_stats`: sum, count, minimum, maximum and sum of squares of numbers, or of arrays of numbers by position.
struct StatsReducer: ViewReducer {
  func partial(of rows: [ReducedRow]) throws -> [UInt8] { try fold(rows.lazy.map(\.value)) { try add($1, to: &$0) } }

  func combine(_ partials: [[UInt8]]) throws -> [UInt8] { try fold(partials) { try add($1, to: &$0) } }

  private func add(_ value: JSONValue, to result: inout JSONValue?) throws {
    switch (result, value) {
    case (nil, .array(let elements)): result = .array(try elements.map { try Statistics($0).json })
    case (nil, _): result = try Statistics(value).json
    case (.array(let one)?, .array(let other)):
      guard one.count == other.count else { throw ReduceError("_stats needs arrays of the same length") }
      result = .array(try zip(one, other).map { try Statistics($0).adding(Statistics($1)).json })
    case (.array?, _), (_, .array):
      throw ReduceError("_stats cannot combine an array and a value of another type")
    case (let known?, _): result = try Statistics(known).adding(Statistics(value)).json
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

  var json: JSONValue {
    .object([
      JSONMember("sum", sum.json), JSONMember("count", count.json), JSONMember("min", minimum.json),
      JSONMember("max", maximum.json), JSONMember("sumsqr", sumOfSquares.json),
    ])
  }

  private static func error(_ value: JSONValue) -> ReduceError {
    ReduceError(
      "_stats needs values that are numbers, or objects with sum, count, min, max and sumsqr, or arrays of these, not "
        + "\(value.text.prefix(100))")
  }
}
