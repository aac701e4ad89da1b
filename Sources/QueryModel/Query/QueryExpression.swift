public import JSONText

/// An expression of a query.
///
/// Each meaning has one form: `x NOT IN y` is ``not(_:)`` around ``in(_:_:)``, `x IS NULL` is ``is(_:_:)`` with
/// ``null`` as its right operand, and `COUNT(*)` is the function `count` of ``everything(source:)``. This keeps
/// switches short and makes queries from different languages equal.
///
/// The compiler defines the semantics of null and missing values; see
/// <https://docs.couchbase.com/couchbase-lite/current/swift/query-n1ql-mobile.html>.
public indirect enum QueryExpression: Hashable, Sendable {
  // MARK: Literals

  /// `MISSING`: no value at all.
  case missing
  /// `NULL`
  case null
  /// `TRUE`, `FALSE`
  case boolean(Bool)
  /// `42`
  case integer(Int64)
  /// `1.5e3`. Infinities and NaN have no text form; use ``null`` instead.
  case double(Double)
  /// `'text'`
  case string(String)
  /// `[a, b]`
  case array([QueryExpression])
  /// `{'key': value}`, in source order.
  case dictionary([DictionaryEntry])

  // MARK: References

  /// `name.first`, `h.name.first`: a value inside a document. The path has at least one key.
  ///
  /// Without a source, the path may also be the alias of a result column, which takes precedence. With several sources
  /// and no such column, a path without a source is an error. The compiler resolves both.
  case property(PropertyPath, source: String?)
  /// `*`, `h.*`, and `h` if `h` is a source: the whole document, or the element of an unnest.
  case everything(source: String?)
  /// `META().id`, `META(h).id`; without a field `META()`, a dictionary of all metadata fields.
  case metadata(MetadataField?, source: String?)
  /// `$name`, a parameter that is bound when the query is run.
  case parameter(String)
  /// `v`, `v.name[0]`: the variable of an enclosing ``quantified(_:variable:in:satisfies:)``, and a possibly empty path
  /// inside it.
  case variable(String, PropertyPath)
  /// `(expression).name[0]`: a value inside the value of any other expression. Use ``member(at:)`` to create it.
  case member(of: QueryExpression, PropertyPath)

  // MARK: Operators

  /// `-x`
  case negated(QueryExpression)
  /// `x + y`, `x - y`, `x * y`, `x / y`, `x % y`
  case arithmetic(ArithmeticOperator, QueryExpression, QueryExpression)
  /// `x || y`
  case concatenation(QueryExpression, QueryExpression)
  /// `x = y`, `x < y`, …
  case comparison(ComparisonOperator, QueryExpression, QueryExpression)
  /// `x IS y`; `x IS NULL` and `x IS MISSING` with these literals on the right.
  case `is`(QueryExpression, QueryExpression)
  /// `x IS VALUED`: neither null nor missing.
  case isValued(QueryExpression)
  /// `x IN (a, b)`, with an ``array(_:)`` as its right operand, or `x IN list`, with any other expression.
  case `in`(QueryExpression, QueryExpression)
  /// `x BETWEEN low AND high`, both ends included.
  case between(QueryExpression, low: QueryExpression, high: QueryExpression)
  /// `x LIKE pattern`
  case like(QueryExpression, pattern: QueryExpression)
  /// `x ILIKE pattern`: case-insensitive LIKE, regardless of the collation.
  case ilike(QueryExpression, pattern: QueryExpression)
  /// `EXISTS x`: an array with at least one element.
  case exists(QueryExpression)
  /// `NOT x`
  case not(QueryExpression)
  /// `a AND b AND c`: two or more operands. A list, so that long conditions do not nest.
  case and([QueryExpression])
  /// `a OR b OR c`: two or more operands.
  case or([QueryExpression])
  /// `x COLLATE NOCASE`: strings inside `x` are compared, and the value is sorted, according to the collation. It
  /// applies to every comparison inside `x` that has no collation of its own, and to functions that compare values,
  /// such as NULLIF and ARRAY_SORT. MAX, MIN, GREATEST and LEAST compare by bytes.
  case collated(QueryExpression, QueryCollation)

  // MARK: Compound

  /// `CASE subject WHEN value THEN result … ELSE result END`; without a subject the values are conditions.
  case conditional(subject: QueryExpression?, branches: [ConditionalBranch], otherwise: QueryExpression?)
  /// `ANY v IN array SATISFIES condition END`. If `array` is a dictionary, the variable takes its values.
  case quantified(Quantifier, variable: String, in: QueryExpression, satisfies: QueryExpression)
  /// `LOWER(x)`, `COUNT(DISTINCT x)`; only aggregates can be distinct.
  case function(QueryFunction, [QueryExpression], isDistinct: Bool = false)
  /// `MATCH(index, 'red shoe')`: the document matches a full-text query.
  case match(FullTextIndexName, query: QueryExpression)
  /// `RANK(index)`: the score of the match; larger is better.
  case rank(FullTextIndexName)
}

/// A key and its value in a dictionary literal.
public struct DictionaryEntry: Hashable, Sendable {
  /// The key.
  public var key: String
  /// The value.
  public var value: QueryExpression

  /// Creates an entry.
  public init(_ key: String, _ value: QueryExpression) {
    self.key = key
    self.value = value
  }
}

/// A `WHEN` with its `THEN`.
public struct ConditionalBranch: Hashable, Sendable {
  /// The value that the subject must equal, or, without a subject, the condition.
  public var when: QueryExpression
  /// The result.
  public var then: QueryExpression

  /// Creates a branch.
  public init(when: QueryExpression, then: QueryExpression) {
    self.when = when
    self.then = then
  }
}

/// The name of a full-text index in a query: `index`, or `source.index` if there are several sources.
public struct FullTextIndexName: Hashable, Sendable {
  /// The name of the index.
  public var name: String
  /// The source whose collection has the index; nil if there is only one source.
  public var source: String?

  /// Creates a name.
  public init(_ name: String, source: String? = nil) {
    self.name = name
    self.source = source
  }
}
