/// Parses what people type into a search box. Every text is a valid query.
///
/// | typed | meaning |
/// |---|---|
/// | `red shoe` | both words |
/// | `"red shoe"` | the phrase; without its second quotation mark it reaches to the end, see below |
/// | `-wide`, `-"very wide"`, `-title:wide`, `title:-wide` | not this |
/// | `red OR green shoe` | red or green, and shoe: `OR` joins the two terms beside it |
/// | `title:red`, `title:"red shoe"` | in this field, if there is such a field |
/// | `title:(red shoe -wide)` | all that stands between the brackets, in this field |
/// | `sho*`, `"red sho"*` | the last word is a beginning |
/// | `shoo~` | also words that a typing error makes of this one |
///
/// All else is text: `don't`, `C++`, `http://x`, `a.b`, `AND`, `(`, `--help`. More exactly:
/// - A term ends at white space; a phrase begins only where a term can, so `5" disk` holds no phrase. The
///   quotation marks “ ” and „ that phones type count as `"`. A phrase that is not closed may be meant as its words:
///   it is a phrase, but where no document has it, any of its words will do.
/// - `-` excludes at the beginning of a term and before anything but `-`, `>`, `=` and white space, so that
///   `->` and `--help` stay text. A `-` or `*` on its own is passed over. The dash – and the sign − that phones make
///   of it exclude before a letter and a quotation mark.
/// - `OR` that does not stand between two wanted terms is a word.
/// - A colon belongs to the text unless a known field stands before it and something behind it, with no space.
///   Field names are matched as they are, or else without regard to case.
/// - Brackets are text but for those behind a field's colon, if both are there. Between these a colon is text.
/// - Of Lucene's language, `shoe~1` is `shoe~`, and the numbers of `"red shoe"~3` and `shoe^2` are passed over. `x^2`,
///   `10^6` and `5~10` are text.
///
/// The spans of the result point into the text, so that a user interface can mark what was understood.
public struct SearchBoxParser: Sendable {
  private let fields: KnownFields

  /// - Parameter fields: The names that are understood before a colon.
  public init(fields: [String] = []) {
    self.fields = KnownFields(fields)
  }

  /// What `text` asks for.
  ///
  /// - Complexity: O(*n*), without recursion.
  public func parse(_ text: String) -> SearchBoxQuery {
    var scanner = SearchBoxScanner(source: SourceText(text), fields: fields)
    return Self.parse(&scanner)
  }

  /// What the terms of a scanner ask for.
  static func parse(_ scanner: inout SearchBoxScanner) -> SearchBoxQuery {
    var wanted: [Alternatives] = []
    var excluded: [MatchQuery] = []
    // Terms OR that may yet turn out to be an operator: they stand after a wanted term.
    var pending: [SearchBoxTerm] = []

    func keepPendingAsWords() {
      wanted += pending.map { Alternatives(terms: [$0]) }
      pending.removeAll()
    }
    var followsWanted = false
    while let term = scanner.next() {
      if let unwanted = term.excluded { excluded.append(unwanted) }
      if term.wanted == nil {
        keepPendingAsWords()
      } else if term.isOR, followsWanted {
        pending.append(term)
      } else if pending.isEmpty {
        wanted.append(Alternatives(terms: [term]))
      } else {
        wanted[wanted.count - 1].terms.append(term)
        pending.removeAll()
      }
      followsWanted = term.wanted != nil
    }
    keepPendingAsWords()
    return SearchBoxQuery(
      wanted: wanted.isEmpty ? nil : .all(of: joined(wanted)),
      excluded: excluded.isEmpty ? nil : .any(of: excluded))
  }

  /// The terms that one or more `OR` join.
  private struct Alternatives {
    var terms: [SearchBoxTerm]

    /// The phrase, when there is just one and no field before it.
    var phrase: MatchPhrase? {
      terms.count == 1 ? terms[0].phrase : nil
    }
  }

  /// The operands of the conjunction, neighbouring phrases brought together.
  private static func joined(_ wanted: [Alternatives]) -> [MatchQuery] {
    var runs = NeighbourRuns()
    for alternatives in wanted {
      if let phrase = alternatives.phrase {
        runs.append(phrase)
      } else {
        runs.append(.any(of: alternatives.terms.compactMap(\.wanted)))
      }
    }
    return runs.finish()
  }
}
