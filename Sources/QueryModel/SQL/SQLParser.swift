/// Parses SQL++, the query language of Couchbase Lite: SQL for JSON documents.
///
/// ```swift
/// let parser = SQLParser()
/// let query = try parser.parse(
///   "SELECT h.name, COUNT(*) AS n FROM hotel AS h WHERE h.stars >= $stars GROUP BY h.name ORDER BY n DESC")
/// let condition = try parser.parseExpression("type = 'hotel' AND ANY r IN reviews SATISFIES r.rating > 4 END")
/// ```
///
/// ```
/// query      = SELECT [DISTINCT] column {, column} [FROM sources] [WHERE x] [GROUP BY x {, x}] [HAVING x]
///              [ORDER BY order {, order}] [LIMIT x] [OFFSET x] [;]
/// column     = * | x [[AS] name]
/// sources    = collection [[AS] name] {join}
/// join       = [INNER | LEFT [OUTER]] JOIN collection [[AS] name] ON x | CROSS JOIN collection [[AS] name]
///            | [INNER | LEFT [OUTER]] UNNEST x [[AS] name]
/// collection = name | name . name
/// order      = x [ASC | DESC] [NULLS (FIRST | LAST)]
/// ```
///
/// Operators, the tightest first. Those of one row are grouped from the left; `IN`, `LIKE` and `BETWEEN` cannot be
/// chained with others of their row.
///
/// | operator | |
/// |---|---|
/// | `.name` `[0]` `[-1]` | paths |
/// | `-x` `+x` `EXISTS x` | before the operand; `+` changes nothing |
/// | `\|\|` | |
/// | `*` `/` `%` | |
/// | `+` `-` | |
/// | `<` `<=` `>` `>=` | |
/// | `=` `==` `!=` `<>` `IS [NOT]` `[NOT] IN` `[NOT] LIKE` `[NOT] ILIKE` `[NOT] BETWEEN … AND …` | also `NOT NULL`, `NOT MISSING`, `NOT VALUED` |
/// | `NOT x` | `NOT a = b` is `NOT (a = b)` |
/// | `AND` | |
/// | `OR` | |
/// | `COLLATE` | after the operand |
///
/// An operand is a literal (`MISSING`, `NULL`, `TRUE`, `12`, `1.5e3`, `'it''s'`, `"it's"`, `[a, b]`, `{'key': value}`), a
/// property (`name.first`), `alias.*`, `META()` or `META(alias)`, `$parameter`, a function call, `CASE … END`,
/// `ANY v IN array SATISFIES x END` (also `SOME`, `EVERY`, `ANY AND EVERY`), `MATCH(index, x)`, `RANK(index)`, or any
/// expression in parentheses.
///
/// Words of the language and names of functions may be in any letter case, names of properties may not. A name that is
/// a reserved word or has odd characters stands between backticks. Comments are `-- …` and `/* … */`.
///
/// ### Where this differs from Couchbase Lite
/// - `NOT` binds more loosely than comparisons, as in SQL. Couchbase Lite takes `NOT a = b` for `(NOT a) = b`.
/// - `COLLATE` applies to all that stands before it, as there: `a = b COLLATE NOCASE` compares without case. Before a
///   comparison, where Couchbase Lite has an error, it applies to its operand, as in SQL: `a COLLATE NOCASE = b`.
/// - `IN` takes any array on its right, `x IN list`. A list stands in parentheses, also one of one element: the array
///   of an expression that needs parentheses itself takes two pairs, `x IN ((a || b))`.
/// - There are no operators on bits.
///
/// Sources: <https://docs.couchbase.com/couchbase-lite/current/swift/query-n1ql-mobile.html> and its differences to the
/// server's language.
public struct SQLParser: Sendable {
  /// How deep a query may nest. It bounds the stack that parsing, and every later walk over the tree, can need.
  /// Parentheses nest, and so does each operator but `AND` and `OR`: `a + b + c` has two levels of `+`.
  public static let maximumDepth = 256

  /// Makes a parser.
  public init() {}

  /// The query of a text.
  ///
  /// - Throws: A ``QuerySyntaxError`` that points at the fault.
  /// - Complexity: O(*n*) in the length of the text.
  public func parse(_ text: String) throws(QuerySyntaxError) -> SelectQuery {
    let source = SourceText(text)
    var grammar = SQLGrammar(source: source, tokens: try SQLLexer.tokens(of: source))
    return try grammar.query()
  }

  /// The expression of a text, as in the definition of an index: `lower(name)`.
  ///
  /// - Parameter sources: the names by which it may refer to documents, as with `FROM`; none are needed for one source.
  /// - Throws: A ``QuerySyntaxError`` that points at the fault.
  public func parseExpression(
    _ text: String, sources: [QuerySource] = []
  ) throws(QuerySyntaxError) -> QueryExpression {
    let source = SourceText(text)
    var grammar = SQLGrammar(source: source, tokens: try SQLLexer.tokens(of: source))
    grammar.sourceNames = SourceNames(of: sources)
    return try grammar.wholeExpression()
  }

  /// The terms of an order, as behind `ORDER BY`: `price DESC NULLS LAST, META().id`.
  ///
  /// - Parameter sources: as in ``parseExpression(_:sources:)``.
  /// - Throws: A ``QuerySyntaxError`` that points at the fault.
  public func parseOrdering(_ text: String, sources: [QuerySource] = []) throws(QuerySyntaxError) -> [SortTerm] {
    let source = SourceText(text)
    var grammar = SQLGrammar(source: source, tokens: try SQLLexer.tokens(of: source))
    grammar.sourceNames = SourceNames(of: sources)
    return try grammar.wholeOrdering()
  }
}
