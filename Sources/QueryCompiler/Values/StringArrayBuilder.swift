import JSONText
import QueryModel

/// Builds an array of strings within the ``ValueBudget``.
struct StringArrayBuilder {
  private let function: QueryFunction
  private var elements: [JSONValue] = []
  private var size = 0

  /// - Parameter function: the function that the array is the result of.
  init(_ function: QueryFunction) { self.function = function }

  /// - Throws: ``QueryRuntimeError`` once the array is too large.
  mutating func append(_ string: String) throws(QueryRuntimeError) {
    size += ValueBudget.elementSize + string.utf8.count
    try ValueBudget.check(size, function.rawValue)
    elements.append(.string(string))
  }

  var value: QueryValue { .array(elements) }
}
