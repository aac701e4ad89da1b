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
/// query      = SELECT [DISTINCT | ALL] column {, column} [FROM sources] [WHERE x] [GROUP BY x {, x}] [HAVING x]
///              [ORDER BY order {, order}] [LIMIT x] [OFFSET x] [;]
/// column     = * | x [[AS] name]
/// sources    = collection [[AS] name] {join}
/// join       = [INNER | LEFT [OUTER]] JOIN collection [[AS] name] ON x | CROSS JOIN collection [[AS] name]
///            | [INNER | LEFT [OUTER]] UNNEST x [[AS] name]
/// collection = name | name . name
/// order      = x [ASC | DESC] [NULLS (FIRST | LAST)]
/// ```
///
/// Operators in order of decreasing precedence. Operators in the same row are left-associative; `IN`, `LIKE` and
/// `BETWEEN` cannot be chained with other operators in their row.
///
/// | operator | |
/// |---|---|
/// | `.name` `[0]` `[-1]` | paths |
/// | `-x` `+x` `EXISTS x` | prefix operators; `+` has no effect |
/// | `\|\|` | |
/// | `*` `/` `%` | |
/// | `+` `-` | |
/// | `<` `<=` `>` `>=` | |
/// | `=` `==` `!=` `<>` `IS [NOT]` `[NOT] IN` `[NOT] LIKE` `[NOT] ILIKE` `[NOT] BETWEEN … AND …` | also `NOT NULL`, `NOT MISSING`, `NOT VALUED` |
/// | `NOT x` | `NOT a = b` means `NOT (a = b)` |
/// | `AND` | |
/// | `OR` | |
/// | `COLLATE` | after the operand |
///
/// An operand is a literal (`MISSING`, `NULL`, `TRUE`, `12`, `1.5e3`, `.5`, `5.`, `'it''s'`, `"it's"`, `[a, b]`,
/// `{'key': value}`), a property (`name.first`), `alias.*`, `META()` or `META(alias)`, `$parameter`, a function call,
/// `CASE … END`, `ANY v IN array SATISFIES x END` (also `SOME`, `EVERY`, `ANY AND EVERY`, `SOME AND EVERY`),
/// `MATCH(index, x)`, `RANK(index)`, or any expression in parentheses.
///
/// Reserved words and function names are case-insensitive; property names are case-sensitive. A name that is a reserved
/// word or contains characters other than letters, digits, `_` and `$` is quoted with backticks. Comments are `-- …`
/// and `/* … */`.
///
/// ### Differences from Couchbase Lite
/// - `NOT` binds more loosely than comparisons, as in SQL. Couchbase Lite parses `NOT a = b` as `(NOT a) = b`.
/// - `COLLATE` applies to the whole expression before it, as in Couchbase Lite: `a = b COLLATE NOCASE` compares
///   case-insensitively. Before a comparison, where Couchbase Lite reports an error, it applies to the operand before
///   it, as in SQL: `a COLLATE NOCASE = b`.
/// - The right operand of `IN` may be any array, `x IN list`. Parentheses always make a list, even of one element, so
///   an array expression that needs parentheses needs two pairs, `x IN ((a || b))`.
/// - `ALL`, `SOME` and `EXISTS` are not reserved: each is a name if the next token does not fit the keyword, as in
///   `SELECT all, some FROM x`.
/// - The grammar of Couchbase Lite also contains `&`, `|`, `<<` and `>>`, and joins without `ON`, but its compiler
///   refuses them. Here, they are syntax errors with a hint.
///
/// Sources: <https://docs.couchbase.com/couchbase-lite/current/swift/query-n1ql-mobile.html> and its list of
/// differences from the server's language.
public struct SQLParser: Sendable {
  /// The maximum nesting depth of a query. It bounds the stack that parsing and every traversal of the tree need.
  /// Each pair of parentheses and each operator except `AND` and `OR` adds a level: `a + b + c` has two levels of `+`.
  public static let maximumDepth = 256

  /// Creates a parser.
  public init() {}

  /// Parses a query.
  ///
  /// - Throws: A ``QuerySyntaxError`` that points at the error.
  /// - Complexity: O(*n*) in the length of the text.
  public func parse(_ text: String) throws(QuerySyntaxError) -> SelectQuery {
    let source = QueryText(text)
    var grammar = SQLGrammar(source: source, tokens: try SQLLexer.tokens(of: source))
    return try grammar.query()
  }

  /// Parses an expression, as in the definition of an index: `lower(name)`.
  ///
  /// - Parameter sources: the sources whose names the expression may use, as in `FROM`; not needed for a single source.
  /// - Throws: A ``QuerySyntaxError`` that points at the error.
  public func parseExpression(
    _ text: String, sources: [QuerySource] = []
  ) throws(QuerySyntaxError) -> QueryExpression {
    let source = QueryText(text)
    var grammar = SQLGrammar(source: source, tokens: try SQLLexer.tokens(of: source))
    grammar.sourceNames = SourceNames(of: sources)
    return try grammar.wholeExpression()
  }

  /// Parses one or more expressions separated by commas, as in the key of a view: `type, lower(name)`.
  ///
  /// - Throws: A ``QuerySyntaxError`` that points at the error.
  public func parseExpressions(_ text: String) throws(QuerySyntaxError) -> [QueryExpression] {
    let source = QueryText(text)
    var grammar = SQLGrammar(source: source, tokens: try SQLLexer.tokens(of: source))
    return try grammar.wholeExpressions()
  }

  /// Parses sort terms with the syntax of `ORDER BY`: `price DESC NULLS LAST, META().id`.
  ///
  /// - Parameter sources: as in ``parseExpression(_:sources:)``.
  /// - Throws: A ``QuerySyntaxError`` that points at the error.
  public func parseOrdering(_ text: String, sources: [QuerySource] = []) throws(QuerySyntaxError) -> [SortTerm] {
    let source = QueryText(text)
    var grammar = SQLGrammar(source: source, tokens: try SQLLexer.tokens(of: source))
    grammar.sourceNames = SourceNames(of: sources)
    return try grammar.wholeOrdering()
  }
}
