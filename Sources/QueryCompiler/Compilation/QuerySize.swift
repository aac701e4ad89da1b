import JSONText
import QueryModel
import SQLiteAccess

/// The size of a query or of one of its expressions, and the limits on it.
///
/// The limits apply to the resolved query, in which each alias of a column is replaced by the column: a few references
/// to a long column would otherwise produce gigabytes of SQL.
struct QuerySize {
  /// The maximum number of operators and function calls in a query. A condition such as `a = 1` counts as one, and so
  /// does a chain of `AND`.
  ///
  /// The limit exists because SQLite compares each constant with all others when it prepares a statement: 30,000
  /// conditions take 3 s.
  static let maximumOperatorCount = 32_768
  /// The maximum length of the columns that replace aliases, and of the SQL of a query, in bytes.
  static let maximumLength = 16 << 20

  /// The maximum number of columns, which is SQLite's limit.
  static let maximumColumnCount = 2000
  /// The maximum number of sources, which is SQLite's limit on the tables of a join.
  static let maximumSourceCount = 64

  /// The number of operators and function calls.
  private(set) var operatorCount = 0
  /// An estimate of the length as SQL: the lengths of strings, keys and paths, and ``baseLength`` for each expression.
  private(set) var length = 0

  /// The estimated length of an expression without its names and literals.
  private static let baseLength = 16

  /// Measures expressions.
  ///
  /// - Complexity: O(n) in the number of expressions inside them, which must not be nested deeper than
  ///   ``SQLParser/maximumDepth``.
  init(of expressions: [QueryExpression]) {
    var (operatorCount, length) = (0, 0)
    for expression in expressions {
      expression.visit { part in
        if !part.children.isEmpty { operatorCount += 1 }
        length += QuerySize.baseLength + part.lengthOfNames
      }
    }
    self.operatorCount = operatorCount
    self.length = length
  }

  /// Throws ``QueryCompilationError`` if a query has too many operators.
  func check() throws {
    guard operatorCount <= QuerySize.maximumOperatorCount else {
      throw QueryCompilationError(
        .invalid,
        "the query has \(operatorCount) operators and function calls; the limit is \(QuerySize.maximumOperatorCount): "
          + "split it, or compare with a list, x IN [1, 2, 3]")
    }
  }

  /// Throws ``QueryCompilationError`` if a query has too many columns. The compiler checks this first, because SQLite
  /// would only notice after the whole query is compiled.
  static func check(columnCount: Int) throws {
    guard columnCount <= maximumColumnCount else {
      throw QueryCompilationError(
        .invalid,
        "the query has \(columnCount) columns; the limit is \(maximumColumnCount): split it, or select an array")
    }
  }

  /// Throws ``QueryCompilationError`` if a query has too many sources.
  static func check(sourceCount: Int) throws {
    guard sourceCount <= maximumSourceCount else {
      throw QueryCompilationError(
        .invalid, "the query has \(sourceCount) sources; the limit is \(maximumSourceCount): split it")
    }
  }

  /// Throws ``QueryCompilationError`` if the SQL of a query is too long.
  static func check(sql: String) throws {
    guard sql.utf8.count <= maximumLength else {
      throw QueryCompilationError(
        .invalid,
        "the SQL of the query is \(sql.utf8.count >> 20) MiB long; the limit is \(maximumLength >> 20) MiB: split the "
          + "query, or pass long strings and arrays as parameters")
    }
  }

  /// Adds the column that replaces an alias.
  ///
  /// - Returns: the error if the query is now too large, otherwise nil.
  mutating func add(_ column: QuerySize, of alias: String) -> QueryCompilationError? {
    operatorCount += column.operatorCount
    length += column.length
    let reason: String
    if operatorCount > QuerySize.maximumOperatorCount {
      reason = "has more than \(QuerySize.maximumOperatorCount) operators and function calls"
    } else if length > QuerySize.maximumLength {
      reason = "is longer than \(QuerySize.maximumLength >> 20) MiB"
    } else {
      return nil
    }
    return QueryCompilationError(
      .invalid,
      "the query \(reason) when the alias \"\(MessageNames.visible(alias))\" is replaced by its column; use the alias "
        + "less often, or store the value of the column in a property")
  }
}

extension QueryExpression {
  /// The length of the names and literals of this expression in bytes, without those of the expressions inside it.
  fileprivate var lengthOfNames: Int {
    switch self {
    case .string(let string): string.utf8.count
    case .property(let path, _), .member(_, let path): path.lengthOfKeys
    case .variable(let name, let path): name.utf8.count + path.lengthOfKeys
    case .parameter(let name): name.utf8.count
    case .dictionary(let entries): entries.reduce(0) { $0 + $1.key.utf8.count }
    default: 0
    }
  }
}

extension PropertyPath {
  fileprivate var lengthOfKeys: Int {
    components.reduce(0) { sum, component in
      if case .key(let key) = component { sum + key.utf8.count + 1 } else { sum + 4 }
    }
  }
}
