import DocumentStore
import JSONText

/// `_sum`: the sum of numbers, of arrays of numbers by position, or of objects by key.
struct SumReducer: ViewReducer {
  /// The maximum size of a sum in bytes, without its numbers.
  private let maximumSize: Int

  /// - Parameter maximumSize: without a limit, objects whose keys differ in each document would fill the memory.
  init(maximumSize: Int = DocumentBody.maximumSize) { self.maximumSize = maximumSize }

  func partial(of rows: [ReducedRow]) throws -> [UInt8] { try sum(of: rows.lazy.map(\.value)) }

  func rereduce(_ partials: [[UInt8]]) throws -> [UInt8] { try sum(of: partials) }

  private func sum(of texts: some Sequence<[UInt8]?>) throws -> [UInt8] {
    let maximumSize = maximumSize
    return try fold(texts, into: SizedSum()) { result, value in
      let growth = try result.sum.add(value)
      result.size += growth
      guard result.size <= maximumSize else {
        throw ReduceError(
          "the result of _sum has more than \(maximumSize) bytes; emit objects with fewer different keys")
      }
    } json: {
      try $0.sum.json()
    }
  }
}

private struct SizedSum {
  var sum = AccumulatedSum.none
  /// The size of the sum in bytes, without its numbers.
  var size = 0
}

/// The sum of the values so far.
private enum AccumulatedSum {
  case none
  case number(ReducedNumber)
  case array([ReducedNumber])
  case object(AccumulatedObject)

  /// Adds a value.
  ///
  /// - Returns: the number of bytes by which the JSON of the sum grows, without its numbers. The total does not depend
  ///   on how the values are divided into partial results.
  mutating func add(_ value: JSONValue) throws -> Int {
    switch (self, value) {
    case (.none, .object(let members)):
      let object = AccumulatedObject()
      self = .object(object)
      return try object.add(members) + 2
    case (.object(let object), .object(let members)): return try object.add(members)
    case (.object, _), (.number, .object), (.array, .object):
      throw ReduceError("_sum cannot add an object to a value of another type")
    case (.none, .array(let elements)): return try add(elements, to: []) + 2
    case (.array(let sums), .array(let elements)): return try add(elements, to: sums)
    // A number is added to an array as if it were an array of one element.
    case (.array(let sums), _): return try add([value], to: sums)
    case (.number(let sum), .array(let elements)): return try add(elements, to: [sum]) + 3
    case (.none, _): self = .number(try AccumulatedSum.parsed(value))
    case (.number(let sum), _): self = .number(try sum + AccumulatedSum.parsed(value))
    }
    return 0
  }

  /// Adds the elements of an array by position. Returns the number of bytes for the commas of new elements.
  private mutating func add(_ elements: [JSONValue], to sums: [ReducedNumber]) throws -> Int {
    var result = sums
    for (index, element) in elements.enumerated() {
      let number = try AccumulatedSum.parsed(element)
      if index < sums.count { result[index] = sums[index] + number } else { result.append(number) }
    }
    self = .array(result)
    return result.count - sums.count
  }

  private static func parsed(_ value: JSONValue) throws -> ReducedNumber {
    guard let number = ReducedNumber(value) else {
      throw ReduceError(
        "_sum needs values that are numbers, arrays of numbers, or objects of these, not \(value.text.prefix(100))")
    }
    return number
  }

  /// Returns the sum as JSON; nil if there were no values.
  func json() throws -> JSONValue? {
    switch self {
    case .none: nil
    case .number(let sum): try sum.json()
    case .array(let sums): .array(try sums.map { try $0.json() })
    case .object(let object): .object(try object.members())
    }
  }
}

/// The sums of the members of objects. It is a class, so that a member can be added without a copy of the others.
private final class AccumulatedObject {
  private var keys: [String] = []
  private var sums: [AccumulatedSum] = []
  /// The position of each key. Keys are compared by their bytes.
  private var positions: [ExactString: Int] = [:]

  /// Adds members. A key can occur twice. Returns the number of bytes by which the JSON grows, without its numbers.
  ///
  /// - Complexity: O(n) in the number of added members.
  func add(_ members: [JSONMember]) throws -> Int {
    var growth = 0
    for member in members {
      let key = ExactString(member.key)
      let position = positions[key] ?? keys.count
      if position == keys.count {
        positions[key] = position
        keys.append(member.key)
        sums.append(.none)
        // The quotation marks, the colon and the comma.
        growth += member.key.utf8.count + 4
      }
      growth += try sums[position].add(member.value)
    }
    return growth
  }

  func members() throws -> [JSONMember] {
    try zip(keys, sums).map { key, sum in JSONMember(key, try sum.json() ?? .null) }
  }
}
