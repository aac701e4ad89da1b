import JSONText

/// A number of a reduce: an integer as long as it fits in 64 bits.
struct ReducedNumber {
  private var integer: Int64?
  private var double: Double

  init?(_ value: JSONValue) {
    switch value {
    case .int64(let number): (integer, double) = (number, Double(number))
    case .uint64(let number): (integer, double) = (nil, Double(number))
    case .double(let number): (integer, double) = (nil, number)
    default: return nil
    }
  }

  private init(_ integer: Int64?, _ double: Double) { (self.integer, self.double) = (integer, double) }

  static let zero = ReducedNumber(0, 0)

  /// The number as JSON. A sum beyond the doubles is null, because JSON has no infinity.
  var json: JSONValue { integer.map { .int64($0) } ?? (double.isFinite ? .double(double) : .null) }

  static func + (one: ReducedNumber, other: ReducedNumber) -> ReducedNumber {
    if let first = one.integer, let second = other.integer {
      let (sum, overflow) = first.addingReportingOverflow(second)
      if !overflow { return ReducedNumber(sum, Double(sum)) }
    }
    return ReducedNumber(nil, one.double + other.double)
  }

  var squared: ReducedNumber {
    if let integer {
      let (square, overflow) = integer.multipliedReportingOverflow(by: integer)
      if !overflow { return ReducedNumber(square, Double(square)) }
    }
    return ReducedNumber(nil, double * double)
  }

  static func < (one: ReducedNumber, other: ReducedNumber) -> Bool {
    if let first = one.integer, let second = other.integer { return first < second }
    return one.double < other.double
  }
}

/// A value that a built-in reduce cannot reduce. As in CouchDB, it becomes the value of the row.
struct ReduceError: Error {
  let reason: String

  static let name = "builtin_reduce_error"

  var json: JSONValue {
    .object([JSONMember("error", .string(ReduceError.name)), JSONMember("reason", .string(reason))])
  }

  init(_ reason: String) { self.reason = reason }

  /// Reads the error of an earlier partial result; nil if the value is not an error.
  init?(_ value: JSONValue) {
    guard case .object(let members) = value, members.first == JSONMember("error", .string(ReduceError.name)),
      case .string(let reason)? = members.last?.value
    else { return nil }
    self.reason = reason
  }
}

extension ViewReducer {
  /// Folds JSON values; the first ``ReduceError`` becomes the result.
  func fold(_ texts: some Sequence<[UInt8]?>, _ body: (inout JSONValue?, JSONValue) throws -> Void) throws -> [UInt8] {
    var result: JSONValue?
    do {
      for text in texts {
        let value = try text.map { try JSONValue(jsonText: $0) } ?? .null
        if let error = ReduceError(value) { throw error }
        try body(&result, value)
      }
    } catch let error as ReduceError {
      result = error.json
    }
    return Array((result ?? .null).text.utf8)
  }
}
