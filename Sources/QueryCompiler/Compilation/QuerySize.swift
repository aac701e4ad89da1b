import QueryModel

/// The limit on the size of queries.
enum QuerySize {
  /// How many operators and calls of functions a query may have. A condition such as `a = 1` is one, and so is a chain of `AND`.
  ///
  /// SQLite compares each constant with all others while it compiles a statement: 30,000 conditions take it 3 s.
  static let maximumOperatorCount = 32_768

  /// Throws ``QueryCompilationError`` for a query that is too large.
  static func check(_ query: SelectQuery) throws {
    var count = 0
    for expression in query.expressions {
      expression.visit { if !$0.children.isEmpty { count += 1 } }
    }
    guard count <= maximumOperatorCount else {
      throw QueryCompilationError(
        .invalid,
        "the query has \(count) operators and calls of functions, and \(maximumOperatorCount) are the limit; divide it, or compare "
          + "with a list: x IN [1, 2, 3]")
    }
  }
}
