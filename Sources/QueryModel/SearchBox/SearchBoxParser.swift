/// Parses the text of a search box. Every text is a valid query.
///
/// | typed | meaning |
/// |---|---|
/// | `red shoe` | both words |
/// | `"red shoe"` | the phrase; without its closing quotation mark it extends to the end, see below |
/// | `-wide`, `-"very wide"`, `-title:wide`, `title:-wide`, `-(wide shoe)` | exclude this |
/// | `red AND shoe` | both; not relaxed if no document contains both |
/// | `red OR green shoe` | red or green, and shoe |
/// | `shoe NOT wide` | shoe but not wide, the same as `shoe -wide` |
/// | `(red OR green) AND NOT (wide shoe)` | groups |
/// | `title:red`, `title:"red shoe"` | in this field, if the field exists |
/// | `title:(red shoe -wide)` | the query between the brackets, in this field |
/// | `sho*`, `"red sho"*` | the last word is a prefix |
/// | `shoo~` | also words that differ from this one by a typo |
///
/// Everything else is text: `don't`, `C++`, `http://x`, `a.b`, `and`, `f(x)`, `--help`. In detail:
/// - A term ends at white space; a phrase begins only where a term can, so `5" disk` contains no phrase. The quotation
///   marks “ ” and „ that phones type are treated as `"`. An unclosed phrase is a phrase, but if no document contains
///   it, its words are searched for instead, because the quotation mark may be unintended.
/// - `-` excludes at the beginning of a term and before any character except `-`, `>`, `=` and white space, so that
///   `->` and `--help` stay text. A lone `-` or `*` is ignored. The dash – and the minus sign −, which phones type
///   instead, exclude only before a letter or a quotation mark.
/// - `AND`, `OR` and `NOT` are operators only in capital letters. `NOT` binds most tightly, then `AND`, then `OR`, then
///   adjacency: `a b OR c AND d` means `a AND (b OR (c AND d))`. Exclusions follow Boolean logic: `a OR NOT b` matches
///   all documents except those with b and without a.
/// - An operator without a term to join is a word, and so are adjacent `AND` and `OR`. ``SearchBoxQuery/literals``
///   lists them.
/// - A colon is text unless a known field comes before it and other text after it, without spaces. Field names are
///   matched exactly, or else case-insensitively.
/// - Brackets group at the beginning of a term or after the colon of a field, if the pair is complete and the closing
///   one ends the term; otherwise they are text. Between the brackets of a field, a colon is text. Brackets nested
///   deeper than ``maximumDepth`` are text.
/// - Of Lucene's syntax, `shoe~1` means `shoe~`, and the numbers of `"red shoe"~3` and `shoe^2` are ignored. `x^2`,
///   `10^6` and `5~10` are text.
///
/// The spans of the result refer to the text, so that a user interface can highlight the recognized syntax.
public struct SearchBoxParser: Sendable {
  private let fields: KnownFields

  /// The maximum nesting depth of groups; brackets nested deeper are text.
  public static let maximumDepth = SearchBoxScanner.maximumDepth

  /// Creates a parser.
  ///
  /// - Parameter fields: the field names that are recognized before a colon.
  public init(fields: [String] = []) {
    self.fields = KnownFields(fields)
  }

  /// Parses the text of a search box. Never fails.
  ///
  /// - Complexity: O(*n*). Recursion is limited by ``maximumDepth``.
  public func parse(_ text: String) -> SearchBoxQuery {
    var scanner = SearchBoxScanner(source: QueryText(text), fields: fields)
    let clause = scanner.clause()
    return SearchBoxQuery(clause, scanner.notes)
  }
}
