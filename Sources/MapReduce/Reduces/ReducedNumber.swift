import DocumentStore
import JSONText

/// A number in a reduce function: an integer if it fits in 64 bits, otherwise a double.
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

  /// Returns the number as JSON.
  ///
  /// - Throws: ``ReduceError`` if it exceeds the range of a double, because JSON has no infinity.
  func json() throws -> JSONValue {
    if let integer { return .int64(integer) }
    guard double.isFinite else { throw ReduceError("a sum or a square exceeds the range of a double") }
    return .double(double)
  }

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

/// The error that a built-in reduce function reports for a value that it cannot reduce. As in CouchDB, the error
/// becomes the value of the row.
struct ReduceError: Error {
  let reason: String

  static let name = "builtin_reduce_error"

  var json: JSONValue {
    .object([JSONMember("error", .string(ReduceError.name)), JSONMember("reason", .string(reason))])
  }

  init(_ reason: String) { self.reason = reason }

  /// Reads the error in an earlier partial result; nil if the value is not an error.
  init?(_ value: JSONValue) {
    guard case .object(let members) = value, members.first == JSONMember("error", .string(ReduceError.name)),
      case .string(let reason)? = members.last?.value
    else { return nil }
    self.reason = reason
  }
}

extension ViewReducer {
  /// Folds JSON values. The first ``ReduceError`` becomes the result.
  ///
  /// - Parameter json: returns the JSON of the result; nil if there were no values.
  /// - Throws: `CancellationError` if the operation of this thread was interrupted, and any other error.
  func fold<Result>(
    _ texts: some Sequence<[UInt8]?>, into initial: Result, _ body: (inout Result, JSONValue) throws -> Void,
    json: (Result) throws -> JSONValue?
  ) throws -> [UInt8] {
    var result = initial
    var count = 0
    do {
      for text in texts {
        count += 1
        // Reading a number takes less time than a check.
        if count % 64 == 0 || (text?.count ?? 0) > 4096 { try Interruption.check() }
        let value = try text.map { try JSONValue(jsonText: $0) } ?? .null
        if let error = ReduceError(value) { throw error }
        try body(&result, value)
      }
      return Array((try json(result) ?? .null).text.utf8)
    } catch let error as ReduceError {
      return Array(error.json.text.utf8)
    }
  }
}
