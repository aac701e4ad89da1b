/// Parses what people type into a search box. Every text is a valid query.
///
/// | typed | meaning |
/// |---|---|
/// | `red shoe` | both words |
/// | `"red shoe"` | the phrase; without its second quotation mark it reaches to the end, see below |
/// | `-wide`, `-"very wide"`, `-title:wide`, `title:-wide`, `-(wide shoe)` | not this |
/// | `red AND shoe` | both, even where no document has both |
/// | `red OR green shoe` | red or green, and shoe |
/// | `shoe NOT wide` | shoe, and not wide: as `shoe -wide` |
/// | `(red OR green) AND NOT (wide shoe)` | brackets group |
/// | `title:red`, `title:"red shoe"` | in this field, if there is such a field |
/// | `title:(red shoe -wide)` | all that stands between the brackets, in this field |
/// | `sho*`, `"red sho"*` | the last word is a beginning |
/// | `shoo~` | also words that a typing error makes of this one |
///
/// All else is text: `don't`, `C++`, `http://x`, `a.b`, `and`, `f(x)`, `--help`. More exactly:
/// - A term ends at white space; a phrase begins only where a term can, so `5" disk` holds no phrase. The
///   quotation marks “ ” and „ that phones type count as `"`. A phrase that is not closed may be meant as its words:
///   it is a phrase, but where no document has it, any of its words will do.
/// - `-` excludes at the beginning of a term and before anything but `-`, `>`, `=` and white space, so that
///   `->` and `--help` stay text. A `-` or `*` on its own is passed over. The dash – and the sign − that phones make
///   of it exclude before a letter and a quotation mark.
/// - `AND`, `OR` and `NOT` are operators in capital letters. `NOT` binds most tightly, then `AND`, then `OR`, then terms side by
///   side: `a b OR c AND d` is a, and b or else both c and d. They mean what they mean in logic, also beside what is
///   excluded: `a OR NOT b` is all documents but those with b and without a.
/// - An operator without a term to join is a word, and so are `AND` and `OR` next to each other.
///   ``SearchBoxQuery/literals`` lists them.
/// - A colon belongs to the text unless a known field stands before it and something after it, with no space.
///   Field names are matched as they are, or else without regard to case.
/// - Brackets group at the beginning of a term or after the colon of a field, if both are there and the second one ends the term;
///   otherwise they are text. Between those of a field a colon is text. Brackets below ``maximumDepth`` others are text.
/// - Of Lucene's language, `shoe~1` is `shoe~`, and the numbers of `"red shoe"~3` and `shoe^2` are passed over. `x^2`,
///   `10^6` and `5~10` are text.
///
/// The spans of the result point into the text, so that a user interface can mark what was understood.
public struct SearchBoxParser: Sendable {
  private let fields: KnownFields

  /// How many groups may be nested; brackets in more are text.
  public static let maximumDepth = SearchBoxScanner.maximumDepth

  /// - Parameter fields: The names that are understood before a colon.
  public init(fields: [String] = []) {
    self.fields = KnownFields(fields)
  }

  /// What `text` asks for.
  ///
  /// - Complexity: O(*n*). Recursion is limited by ``maximumDepth``.
  public func parse(_ text: String) -> SearchBoxQuery {
    var scanner = SearchBoxScanner(source: SourceText(text), fields: fields)
    let clause = scanner.clause()
    return SearchBoxQuery(clause, scanner.notes)
  }
}
