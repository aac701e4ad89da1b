import JSONText

/// A function of all rows of a group.
public struct QueryAggregate: Sendable {
  /// The name, in capitals.
  public let name: String
  let make: @Sendable () -> any AggregateState

  /// The name in SQL. It takes one argument, encoded exactly, and so is its result. `DISTINCT` is SQL's own; equal values
  /// that are written in different ways need their sort keys for it.
  public var sqlName: String { QueryFunctions.sqlPrefix + "aggregate_" + name.lowercased() }
}

/// What an aggregate knows of the rows so far.
protocol AggregateState: AnyObject {
  func add(_ value: QueryValue)
  var result: QueryValue { get }
}

/// The aggregates, by name. MISSING counts nowhere, null only in ARRAY_AGG; of a group without values all but COUNT are null.
public enum QueryAggregates {
  /// Every aggregate.
  public static let all: [QueryAggregate] = [
    // All values, null among them, in the order of the rows.
    QueryAggregate(name: "ARRAY_AGG") { ArrayAggregate() },
    // Numbers only.
    QueryAggregate(name: "AVG") { NumberAggregate(isAverage: true) },
    QueryAggregate(name: "SUM") { NumberAggregate(isAverage: false) },
    // How many values are neither MISSING nor null. COUNT(*) is SQL's own.
    QueryAggregate(name: "COUNT") { CountAggregate() },
    // By the order of ORDER BY, so of any type.
    QueryAggregate(name: "MAX") { BestAggregate(sign: 1) },
    QueryAggregate(name: "MIN") { BestAggregate(sign: -1) },
  ]

  /// The aggregate with this name, in any letter case, or nil.
  public static func named(_ name: String) -> QueryAggregate? {
    let name = name.uppercased()
    return all.first { $0.name == name }
  }
}

private final class ArrayAggregate: AggregateState {
  private var elements: [JSONValue] = []

  func add(_ value: QueryValue) {
    if let tree = value.json { elements.append(tree) }
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

private final class BestAggregate: AggregateState {
  private var best = QueryValue.null
  private let sign: Int

  init(sign: Int) { self.sign = sign }

  func add(_ value: QueryValue) {
    guard value.isValued else { return }
    if !best.isValued || value.compare(best) * sign > 0 { best = value }
  }

  var result: QueryValue { best }
}
