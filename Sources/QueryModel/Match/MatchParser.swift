/// Parses FTS5 query syntax.
///
/// ```swift
/// let query = try MatchParser().parse("title: (red OR green) NOT \"shoe laces\" AND siz*")
/// ```
///
/// From the tightest binding to the loosest:
///
/// | syntax | meaning |
/// |---|---|
/// | `word`, `"a phrase"`, `a + b` | a phrase; a double quote inside quotes is doubled |
/// | `pre*`, `"one pre" *` | the last word is a prefix |
/// | `^word` | at the beginning of a field |
/// | `NEAR(a "b c", 5)` | at most 5 tokens apart; 10 if no number is given |
/// | `f: x`, `{f g}: x`, `-f: x`, `-{f g}: x` | in, or outside, these fields; `x` is a phrase, `NEAR` group or `(…)` |
/// | `a b` | both |
/// | `a NOT b` | a without b |
/// | `a AND b` | both |
/// | `a OR b` | at least one |
///
/// `AND`, `OR` and `NOT` must be in upper case. Operators of one kind are left-associative.
///
/// ### Beyond FTS5
/// Everything that FTS5 accepts means the same here, except for the points marked with †. The parser also accepts:
/// - A word is any run of characters other than white space and `" ( ) { } : + * ^ ,` that does not begin
///   with `-`; FTS5 stops at all ASCII punctuation. So `don't`, `tcp/ip`, `user@x`, `multi-agent` and
///   `reviews[0].author: x` work. Two or more `+` in a row belong to the word before them: `c++`.
/// - White space includes Unicode white space. † FTS5 treats a non-ASCII space as part of a word.
/// - Parentheses may be adjacent to other terms: `a (b OR c)` means `a AND (b OR c)` and binds like `a b`.
/// - FTS4's `a NEAR b` and `a NEAR/3 b` between phrases. † FTS5 parses the first as three words. A chain
///   `a NEAR b NEAR c` requires each pair of adjacent phrases to be near each other.
///
/// Words are not analyzed. The index handles stop words, stems and unknown fields.
///
/// The language is documented at <https://www.sqlite.org/fts5.html#full_text_query_syntax> and, for the infix `NEAR`,
/// <https://www.sqlite.org/fts3.html#full_text_index_queries>.
public struct MatchParser: Sendable {
  /// The maximum nesting depth of a query, the same as in FTS5. It bounds the stack that parsing and every traversal of
  /// the tree need. Words, `AND` and `OR` do not nest; parentheses and a chain of `NOT` do.
  public static let maximumDepth = 256

  public init() {}

  /// Parses a match expression.
  ///
  /// - Throws: A ``QuerySyntaxError`` that points at the error. An empty text is an error.
  /// - Complexity: O(*n*).
  public func parse(_ text: String) throws(QuerySyntaxError) -> MatchQuery {
    let source = QueryText(text)
    var grammar = MatchGrammar(source: source, tokens: try MatchLexer.tokens(of: source))
    return try grammar.parse()
  }
}
