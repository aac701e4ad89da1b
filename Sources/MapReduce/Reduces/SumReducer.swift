import JSONText

/// `_sum`: the sum of numbers, of arrays of numbers by position, or of objects by key.
struct SumReducer: ViewReducer {
  func partial(of rows: [ReducedRow]) throws -> [UInt8] { try sum(of: rows.lazy.map(\.value)) }

  func rereduce(_ partials: [[UInt8]]) throws -> [UInt8] { try sum(of: partials) }

  private func sum(of texts: some Sequence<[UInt8]?>) throws -> [UInt8] {
    let none: JSONValue? = nil
    return try fold(texts, into: none) {
      $0 = try SumReducer.sum($0, $1)
    } json: {
      $0
    }
  }

  /// - Parameter sum: the sum so far; nil before the first value.
  private static func sum(_ sum: JSONValue?, _ value: JSONValue) throws -> JSONValue {
    guard let sum else { return try checked(value) }
    switch (sum, value) {
    case (.object(let one), .object(let other)): return .object(try members(one, other))
    case (.object, _), (_, .object): throw ReduceError("_sum cannot add an object to a value of another type")
    case (.array(let one), .array(let other)): return .array(try elements(one, other))
    // A number is added to an array as if it were an array of one element.
    case (.array(let one), _): return .array(try elements(one, [value]))
    case (_, .array(let other)): return .array(try elements([sum], other))
    default: return try (number(sum) + number(value)).json()
    }
  }

  private static func checked(_ value: JSONValue) throws -> JSONValue {
    switch value {
    case .array(let elements): .array(try elements.map { try number($0).json() })
    case .object(let members): .object(try members.map { JSONMember($0.key, try checked($0.value)) })
    default: try number(value).json()
    }
  }

  private static func number(_ value: JSONValue) throws -> ReducedNumber {
    guard let number = ReducedNumber(value) else {
      throw ReduceError(
        "_sum needs values that are numbers, arrays of numbers, or objects of these, not \(value.text.prefix(100))")
    }
    return number
  }

  private static func elements(_ one: [JSONValue], _ other: [JSONValue]) throws -> [JSONValue] {
    let (long, short) = one.count >= other.count ? (one, other) : (other, one)
    return try long.indices.map { index in
      let element = try number(long[index])
      return index < short.count ? try (element + number(short[index])).json() : try element.json()
    }
  }

  private static func members(_ one: [JSONMember], _ other: [JSONMember]) throws -> [JSONMember] {
    var result = one
    var indices = Dictionary(
      one.enumerated().map { (ExactString($1.key), $0) }, uniquingKeysWith: { first, _ in first })
    for member in other {
      let key = ExactString(member.key)
      if let index = indices[key] {
        result[index].value = try sum(result[index].value, member.value)
      } else {
        indices[key] = result.count
        result.append(JSONMember(member.key, try checked(member.value)))
      }
    }
    return result
  }
}
