import JSONText
import QueryModel
import SQLiteAccess

/// The limits on the memory of values that functions of a query build.
///
/// Documents have separate limits. Every function that builds a value from others checks the size before or while it
/// builds the value, and ``ScalarFunction/call(_:)`` checks every result.
enum ValueBudget {
  /// The maximum size of a value; see ``size(of:)-(QueryValue)``.
  static let maximumSize = 64 << 20
  /// The size of an element of an array or a member of an object, in addition to its content.
  static let elementSize = 16
  /// The maximum length of a string or blob that SQLite creates or reads on the connections of a database. Because of
  /// escapes, JSON text may be six times as long as the strings in it.
  static let maximumLength = 6 * maximumSize
  /// The measured memory of an element of an array that an aggregate builds, in addition to the content of its strings.
  static let elementMemory = 64
  /// The maximum amount of memory that SQLite, excluding page caches, and aggregates and facets (``MemoryReservation``)
  /// may use in this process when another large value is added. The limit exists because a query may build a value in
  /// each of thousands of columns.
  static let maximumTotal: Int64 = 1 << 30
  /// The minimum size of values for which ``maximumTotal`` is checked.
  private static let largeSize = 1 << 20

  /// Throws if a value of this size would be too large.
  static func check(_ size: Int, _ function: String) throws(QueryRuntimeError) {
    guard size <= maximumSize else { throw .tooLarge(function) }
  }

  /// Throws if a value that contains all these values would be too large.
  static func check(sumOf values: some Sequence<QueryValue>, _ function: QueryFunction) throws(QueryRuntimeError) {
    try check(sumOf: values, function.rawValue)
  }

  /// Throws if a value that contains all these values would be too large.
  static func check(sumOf values: some Sequence<QueryValue>, _ function: String) throws(QueryRuntimeError) {
    // No value is larger than a document, so the sum of 127 does not overflow.
    try check(values.reduce(0) { $0 + size(of: $1) }, function)
  }

  /// Throws if a value that is repeated this many times would be too large.
  static func check(_ size: Int, times count: Int64, _ function: QueryFunction) throws(QueryRuntimeError) {
    guard size == 0 || count <= Int64(maximumSize / size) else { throw .tooLarge(function.rawValue) }
  }

  /// Throws if another large value of this size would exceed the limit on memory.
  static func checkTotal(adding size: Int, _ function: String) throws(QueryRuntimeError) {
    guard size >= largeSize else { return }
    try checkMemory(adding: size, function)
  }

  /// Throws if this much memory more would exceed the limit on memory.
  static func checkMemory(
    adding size: Int, limit: Int64 = ValueBudget.maximumTotal, _ function: String
  ) throws(QueryRuntimeError) {
    // Pages do not count, because the caches of several databases may exceed the limit.
    let used = SQLiteMemory.sizeWithoutPages + Int64(MemoryReservation.total)
    guard used + Int64(size) > limit else { return }
    throw .tooMuchInTotal(function)
  }

  /// Returns the approximate memory of an element of an array that an aggregate builds, in bytes.
  static func memory(ofElement value: JSONValue) -> Int {
    switch value {
    case .null, .boolean, .int64, .uint64, .double: elementMemory
    case .string(let string): elementMemory + string.utf8.count
    case .array(let elements): elements.reduce(elementMemory) { $0 + memory(ofElement: $1) }
    case .object(let members): members.reduce(elementMemory) { $0 + $1.key.utf8.count + memory(ofElement: $1.value) }
    }
  }

  /// Returns the approximate size of a value in bytes, or any size above ``maximumSize`` if the value is larger than
  /// that: elements of an array may share their memory, so counting all of them can take hours.
  ///
  /// - Complexity: O(n) in the elements of arrays and objects, up to ``maximumSize`` / ``elementSize``.
  static func size(of value: QueryValue) -> Int {
    switch value {
    case .missing, .null, .boolean, .integer, .double: 0
    case .string(let string): string.utf8.count
    case .array(let elements): size(of: elements)
    case .object(let members): size(of: members)
    }
  }

  /// Returns the approximate size of a value; see ``size(of:)-(QueryValue)``.
  static func size(of value: JSONValue) -> Int {
    switch value {
    case .null, .boolean, .int64, .uint64, .double: 0
    case .string(let string): string.utf8.count
    case .array(let elements): size(of: elements)
    case .object(let members): size(of: members)
    }
  }

  private static func size(of elements: [JSONValue]) -> Int {
    var sum = 0
    for element in elements where sum <= maximumSize { sum += elementSize + size(of: element) }
    return sum
  }

  private static func size(of members: [JSONMember]) -> Int {
    var sum = 0
    for member in members where sum <= maximumSize {
      sum += elementSize + member.key.utf8.count + size(of: member.value)
    }
    return sum
  }
}

/// Builds an array of strings within the ``ValueBudget``.
struct StringArrayBuilder {
  private let function: QueryFunction
  private var elements: [JSONValue] = []
  private var size = 0

  /// - Parameter function: the function that returns the array.
  init(_ function: QueryFunction) { self.function = function }

  /// - Throws: ``QueryRuntimeError`` if the array is too large.
  mutating func append(_ string: String) throws(QueryRuntimeError) {
    size += ValueBudget.elementSize + string.utf8.count
    try ValueBudget.check(size, function.rawValue)
    elements.append(.string(string))
  }

  var value: QueryValue { .array(elements) }
}
