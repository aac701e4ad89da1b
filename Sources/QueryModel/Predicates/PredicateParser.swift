/// Parses predicates as Foundation's `NSPredicate`, `NSExpression` and `NSSortDescriptor` have them as strings.
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
/// flags      = c (case does not count), d (accents do not count), l (order of the language), n (neither)
/// x          = x + x | x - x | x * x | x / x | x ** x | -x | (x) | {x, …} | function(x, …) | key path | $name
///            | 'text' | "text" | 12 | 1.5e3 | 0x1F | TRUE | YES | FALSE | NO | NULL | NIL | SELF
/// key path   = name{.name}, with [0] [-1] [FIRST] [LAST] [SIZE] ['key'] and .@count .@sum .@avg .@min .@max
///              .@distinctUnionOfObjects behind it
/// subquery   = SUBQUERY(x, $name, condition).@count, compared so that it asks for none or some
/// ```
///
/// Tightest first the operators are: paths, `**` (from the right), `-x`, `*` `/`, `+` `-`, comparisons (which do not
/// chain), `NOT` `!`, `AND` `&&`, `OR` `||`. Words may be in any letter case. A word of the language is a key behind a
/// `#` or a dot, as in `#in` and `date.between`; a key with other characters stands between backticks. `_id`, `_sequence`,
/// `_deleted`, `_expiration` and `_revisionID` are what is known about the document itself.
///
/// Functions are all those of SQL++, the ones of `NSExpression` that mean the same (`lowercase`, `ceiling`,
/// `modulus:by:`, …), `MATCH(index, 'words')`, `RANK(index)`, `META()`, and `TERNARY(condition, x, x)`. `count`, `sum`,
/// `min`, `max` and `average` are taken of the elements of an array or of many rows; see ``Aggregation``.
///
/// ### What it means
/// - A `$name` is a parameter of the query, set when it is run.
/// - `x == NULL` holds where `x` is null or missing. Other comparisons with what is null or missing are not true, as in
///   SQL++: `type != 'hotel'` leaves out documents without a type, which Foundation would find.
/// - `CONTAINS` and `IN` look into strings and arrays, by what is there. Only `x IN $list` is for arrays alone, since an
///   index can look these up.
/// - In `ANY orders.items.price > 5` any of `orders`, `orders.items` and `orders.items.price` may be the array.
/// - `LIKE` has `*` and `?`, and `\` before them for the characters. `MATCHES` takes a regular expression for all of the
///   text; flags of it are `c` alone.
///
/// There are no format arguments (`%@`): parameters take their place.
///
/// Sources: Apple, "Predicate Programming Guide": Predicate Format String Syntax, BNF Definition of Cocoa Predicates
/// <https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Predicates/Articles/pSyntax.html>.
public struct PredicateParser: Sendable {
  /// What `count(x)`, `sum(x)`, `min(x)`, `max(x)` and `average(x)` are taken of.
  public enum Aggregation: Hashable, Sendable {
    /// The elements of the array `x`: `ARRAY_LENGTH(x)`, `ARRAY_SUM(x)`, … So it is in a filter.
    case elements
    /// The values of `x` in all rows, or in those of a group: `COUNT(x)`, `SUM(x)`, … So it is in what a query returns.
    /// A list is still taken for itself: `max({a, b})`.
    case rows
  }

  /// How many expressions a comparison may have that is written out more than once, because it means more than one
  /// thing: inside of each other these would grow without bound.
  static let maximumSize = 100_000

  /// Makes a parser.
  public init() {}

  /// The condition of a predicate string.
  ///
  /// - Parameter aggregation: what `count(x)` and its like are taken of; `.rows` for a condition on groups.
  /// - Throws: A ``QuerySyntaxError`` that points at the fault.
  /// - Complexity: O(*n*) in the length of the text, but for conditions that are written out twice.
  public func parse(
    _ text: String, aggregation: Aggregation = .elements
  ) throws(QuerySyntaxError) -> QueryExpression {
    try expression(text, aggregation, "a predicate")
  }

  /// The expression of a string as `NSExpression` has it: a key path, or a computation.
  ///
  /// - Parameter aggregation: what `count(x)` and its like are taken of; `.elements` for an index or a grouping.
  /// - Throws: A ``QuerySyntaxError`` that points at the fault.
  public func parseExpression(
    _ text: String, aggregation: Aggregation = .rows
  ) throws(QuerySyntaxError) -> QueryExpression {
    try expression(text, aggregation, "an expression")
  }

  /// The order of a string: a key path or another expression, descending with `-` in front.
  ///
  /// - Throws: A ``QuerySyntaxError`` that points at the fault.
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
