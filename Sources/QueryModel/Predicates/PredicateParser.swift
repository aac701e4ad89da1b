/// Parses the string formats of Foundation's `NSPredicate`, `NSExpression` and `NSSortDescriptor`.
///
/// ```swift
/// let parser = PredicateParser()
/// let filter = try parser.parse("type == 'hotel' AND price < $MaxPrice AND name BEGINSWITH[cd] 'grand'")
/// let column = try parser.parseExpression("average(price)")
/// let order = try parser.parseSortTerm("-reviews.@count")
/// ```
///
/// ```
/// condition  = x op[[flags]] x | (ANY | SOME | ALL | NONE) x op[[flags]] x | x BETWEEN {x, x}
///            | NOT condition | condition AND condition | condition OR condition | TRUEPREDICATE | FALSEPREDICATE
/// op         = = == != <> < <= =< > >= => BEGINSWITH CONTAINS ENDSWITH LIKE MATCHES IN
/// flags      = c (ignores case), d (ignores accents), l (locale-aware), n (normalized already)
/// x          = x + x | x - x | x * x | x / x | x ** x | -x | (x) | {x, …} | function(x, …) | key path | $name
///            | 'text' | "text" | 12 | 1.5e3 | 0x1F | TRUE | YES | FALSE | NO | NULL | NIL | SELF
/// key path   = name{.name}, with [0] [-1] [FIRST] [LAST] [SIZE] ['key'] and .@count .@sum .@avg .@min .@max
///              .@distinctUnionOfObjects after it
/// subquery   = SUBQUERY(x, $name, condition).@count, if the comparison depends only on whether it is 0
/// ```
///
/// The operators, tightest first: paths, `**` (right-associative), `-x`, `*` `/`, `+` `-`, comparisons (which do not
/// chain), `NOT` `!`, `AND` `&&`, `OR` `||`. Reserved words are case-insensitive. After a `#` or a dot, a reserved word
/// is a key, as in `#in` and `date.between`; a key with other characters is quoted with backticks. `_id`, `_sequence`,
/// `_deleted`, `_expiration` and `_revisionID` are the metadata of the document.
///
/// The functions are those of SQL++, the equivalent functions of `NSExpression` (`lowercase`, `ceiling`, `modulus:by:`,
/// …), `MATCH(index, 'words')`, `RANK(index)`, `META()`, and `TERNARY(condition, x, x)`. `count`, `sum`, `min`, `max`
/// and `average` aggregate the elements of an array or many rows; see ``Aggregation``.
///
/// ### Semantics
/// - A `$name` is a parameter of the query.
/// - `x == NULL` is true if `x` is null or missing. Other comparisons with a null or missing value are not true, as in
///   SQL++: `type != 'hotel'` does not match documents without a type, which Foundation would match.
/// - `CONTAINS` and `IN` apply to strings and arrays, depending on the value. Only `x IN $list` requires an array, so
///   that an index can look up its elements.
/// - In `ANY orders.items.price > 5` any of `orders`, `orders.items` and `orders.items.price` may be the array.
/// - The wildcards of `LIKE` are `*` and `?`; `\` escapes them. `MATCHES` matches a regular expression against the
///   whole text; it accepts only the flags `c` and `n`.
///
/// Format arguments (`%@`) are not supported; use parameters.
///
/// Sources: Apple, "Predicate Programming Guide": Predicate Format String Syntax, BNF Definition of Cocoa Predicates
/// <https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Predicates/Articles/pSyntax.html>.
public struct PredicateParser: Sendable {
  /// The values that `count(x)`, `sum(x)`, `min(x)`, `max(x)` and `average(x)` aggregate.
  public enum Aggregation: Hashable, Sendable {
    /// The elements of the array `x`: `ARRAY_LENGTH(x)`, `ARRAY_SUM(x)`, … Used in filters.
    case elements
    /// The values of `x` in all rows, or in those of a group: `COUNT(x)`, `SUM(x)`, … Used in result columns. A literal
    /// list is still aggregated by itself: `max({a, b})`.
    case rows
  }

  /// The maximum number of expressions in a comparison that is expanded into several alternatives. Nested expansions
  /// would otherwise grow exponentially.
  static let maximumSize = 100_000

  /// Creates a parser.
  public init() {}

  /// Parses the condition of a predicate string.
  ///
  /// - Parameter aggregation: the values that `count(x)` and the like aggregate; `.rows` for a condition on groups.
  /// - Throws: A ``QuerySyntaxError`` that points at the error.
  /// - Complexity: O(*n*) in the length of the text, except for comparisons that are expanded into several
  ///   alternatives.
  public func parse(
    _ text: String, aggregation: Aggregation = .elements
  ) throws(QuerySyntaxError) -> QueryExpression {
    try expression(text, aggregation, "a predicate")
  }

  /// Parses an `NSExpression` string: a key path, or a computation.
  ///
  /// - Parameter aggregation: the values that `count(x)` and the like aggregate; `.elements` for an index or a
  ///   grouping.
  /// - Throws: A ``QuerySyntaxError`` that points at the error.
  public func parseExpression(
    _ text: String, aggregation: Aggregation = .rows
  ) throws(QuerySyntaxError) -> QueryExpression {
    try expression(text, aggregation, "an expression")
  }

  /// Parses a sort term: a key path or another expression, descending if it begins with `-`.
  ///
  /// - Throws: A ``QuerySyntaxError`` that points at the error.
  public func parseSortTerm(
    _ text: String, aggregation: Aggregation = .rows
  ) throws(QuerySyntaxError) -> SortTerm {
    var grammar = try PredicateGrammar(text, aggregation)
    let isDescending = grammar.accept(.minus)
    return SortTerm(try grammar.whole("an expression"), isAscending: !isDescending)
  }

  private func expression(
    _ text: String, _ aggregation: Aggregation, _ what: String
  ) throws(QuerySyntaxError) -> QueryExpression {
    var grammar = try PredicateGrammar(text, aggregation)
    return try grammar.whole(what)
  }
}
