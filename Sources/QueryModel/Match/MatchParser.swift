/// Parses FTS5's language of match expressions.
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
/// | `pre*`, `"one pre" *` | the last word is a beginning |
/// | `^word` | at the beginning of a field |
/// | `NEAR(a "b c", 5)` | close together; 10 when no number is given |
/// | `f: x`, `{f g}: x`, `-f: x`, `-{f g}: x` | in, or outside, these fields; `x` a phrase, `NEAR` group or `(…)` |
/// | `a b` | both |
/// | `a NOT b` | a without b |
/// | `a AND b` | both |
/// | `a OR b` | at least one |
///
/// `AND`, `OR` and `NOT` are in upper case, operators of one kind are grouped from the left, and parentheses
/// group.
///
/// ### Beyond FTS5
/// Everything that FTS5 accepts means the same here, except what is marked with †. These are accepted as well:
/// - A word is any run of characters other than white space and `" ( ) { } : + * ^ ,` that does not begin
///   with `-`; FTS5 stops at all ASCII punctuation. So `don't`, `tcp/ip`, `user@x`, `multi-agent` and
///   `reviews[0].author: x` work. Two or more `+` in a row belong to the word before them: `c++`.
/// - White space is all of Unicode's, † where FTS5 takes a non-ASCII space as part of a word.
/// - Parentheses may stand beside other terms, `a (b OR c)`, which means `a AND (b OR c)` and binds as `a b`.
/// - FTS4's `a NEAR b` and `a NEAR/3 b` between phrases. † FTS5 takes the first for three words. A chain
///   `a NEAR b NEAR c` asks for each pair of neighbours.
///
/// The words are not analyzed: stop words, stems and unknown fields are for the index to deal with.
///
/// See the source of the language: <https://www.sqlite.org/fts5.html#full_text_query_syntax> and, for the infix
/// `NEAR`, <https://www.sqlite.org/fts3.html#full_text_index_queries>.
public struct MatchParser: Sendable {
  /// How deep a query may nest, the limit of FTS5. It bounds the stack that parsing, and every later walk
  /// over the tree, can need. Words, `AND` and `OR` do not nest, parentheses and a chain of `NOT` do.
  public static let maximumDepth = 256

  public init() {}

  /// The query that `text` asks for.
  ///
  /// - Throws: A ``QuerySyntaxError`` that points at the fault. An empty text is one.
  /// - Complexity: O(*n*).
  public func parse(_ text: String) throws(QuerySyntaxError) -> MatchQuery {
    let source = SourceText(text)
    var grammar = MatchGrammar(source: source, tokens: try MatchLexer.tokens(of: source))
    return try grammar.parse()
  }
}
