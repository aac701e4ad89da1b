import JSONText
public import QueryModel

/// An aggregate function.
public struct QueryAggregate: Sendable {
  /// The function.
  public let function: QueryFunction
  /// Whether it ignores values that equal an earlier one.
  var isDistinct = false
  let make: @Sendable () -> any AggregateState

  /// The name in SQL. The argument and the result are in the exact encoding. If SQLite evaluates `DISTINCT`, the
  /// argument must be encoded identically for equal values.
  public var sqlName: String {
    QueryFunctions.sqlPrefix + "aggregate_" + function.rawValue.lowercased() + (isDistinct ? "_distinct" : "")
  }
}

/// The state of an aggregate while rows are added.
protocol AggregateState: AnyObject {
  /// - Throws: ``QueryRuntimeError`` if the result is too large.
  func add(_ value: QueryValue) throws
  var result: QueryValue { get }
}

/// The aggregates. All of them ignore MISSING, and all but ARRAY_AGG ignore null. For a group without values, all but
/// COUNT are null.
public enum QueryAggregates {
  /// Every aggregate.
  public static let all: [QueryAggregate] = [
    // All values, including null, in the order of the rows.
    QueryAggregate(function: .arrayAggregate) { ArrayAggregate() },
    // Numbers only.
    QueryAggregate(function: .average) { NumberAggregate(isAverage: true) },
    QueryAggregate(function: .sum) { NumberAggregate(isAverage: false) },
    // The number of values that are neither MISSING nor null. SQLite evaluates COUNT(*).
    QueryAggregate(function: .count) { CountAggregate() },
    // Values of any type, in the order of ORDER BY. Of equal values, such as TRUE, 1 and 1.0, the first row's is
    // returned, so the result depends on the order in which the rows are read.
    QueryAggregate(function: .maximum) { MinMaxAggregate(sign: 1) },
    QueryAggregate(function: .minimum) { MinMaxAggregate(sign: -1) },
  ]

  /// `ARRAY_AGG(DISTINCT x)`. It returns the first of equal values unchanged, while SQLite's DISTINCT would need the
  /// canonical text of objects, which has another order of members.
  static let distinctArray = QueryAggregate(function: .arrayAggregate, isDistinct: true) {
    ArrayAggregate(isDistinct: true)
  }

  /// Returns the implementation of an aggregate; nil for scalar functions.
  public static func implementation(of function: QueryFunction) -> QueryAggregate? {
    all.first { $0.function == function }
  }
}

private final class ArrayAggregate: AggregateState {
  private var elements: [JSONValue] = []
  private var size = 0
  private let memory = MemoryReservation(QueryFunction.arrayAggregate.rawValue)
  private let isDistinct: Bool
  /// The canonical text of each element, if equal values are ignored.
  private var known: Set<[UInt8]> = []

  init(isDistinct: Bool = false) { self.isDistinct = isDistinct }

  func add(_ value: QueryValue) throws {
    guard let tree = value.json else { return }
    if isDistinct {
      let text = CanonicalJSON.bytes(of: tree)
      guard known.insert(text).inserted else { return }
      try memory.add(ValueBudget.elementMemory + text.count)
    }
    size += ValueBudget.elementSize + ValueBudget.size(of: tree)
    try ValueBudget.check(size, QueryFunction.arrayAggregate.rawValue)
    try memory.add(ValueBudget.memory(ofElement: tree))
    elements.append(tree)
  }

  var result: QueryValue { elements.isEmpty ? .null : .array(elements) }
}

private final class NumberAggregate: AggregateState {
  private var numbers = NumberSum()
  private let isAverage: Bool

  init(isAverage: Bool) { self.isAverage = isAverage }

  func add(_ value: QueryValue) { numbers.add(value) }

  var result: QueryValue {
    if numbers.count == 0 { return .null }
    return isAverage ? QueryValue.finite(numbers.double / Double(numbers.count)) : numbers.value
  }
}

private final class CountAggregate: AggregateState {
  private var count: Int64 = 0

  func add(_ value: QueryValue) { if value.isValued { count += 1 } }

  var result: QueryValue { .integer(count) }
}

private final class MinMaxAggregate: AggregateState {
  private var best = QueryValue.null
  private let sign: Int

  init(sign: Int) { self.sign = sign }

  func add(_ value: QueryValue) {
    guard value.isValued else { return }
    if !best.isValued || value.compare(best) * sign > 0 { best = value }
  }

  var result: QueryValue { best }
}
