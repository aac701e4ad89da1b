/// The shape of a random query.
public enum RandomShape: String, CaseIterable, Sendable {
  /// `SELECT META().id … WHERE` with a condition that is up to four levels deep.
  case filter
  /// Computed columns.
  case projection
  /// `ORDER BY` with `LIMIT` and `OFFSET`; the id is the last term, so that the order is total.
  case ordering
  /// `GROUP BY` with aggregates and `HAVING`.
  case grouping
  /// Aggregates of all rows.
  case aggregate
  /// `SELECT DISTINCT`
  case distinct
  /// Two or three collections.
  case join
  /// Elements of arrays as rows.
  case unnest
  /// A condition with `ANY` and `EVERY` in it.
  case quantifier
  /// Like the first three, with parameters for about half of the literals.
  case parameters

  /// The relative frequency of the shape.
  var weight: Int {
    switch self {
    case .filter, .projection, .grouping: 4
    case .ordering, .join, .unnest: 3
    default: 2
    }
  }

  static func random(_ choices: inout RandomChoices) -> RandomShape {
    choices.one(of: allCases.flatMap { Array(repeating: $0, count: $0.weight) })
  }
}
