import DocumentStore
public import JSONText

/// Finds the matches of a query in a document and extracts snippets.
///
/// It analyzes the text of the document again, each field with its analyzer, so that it finds the same matches as the
/// index. It must be used on one thread at a time.
public final class Highlighter {
  /// The maximum number of snippets of a document, even if more are requested.
  public static let maximumSnippetCount = 100

  private let columns: [ColumnPhrases]
  private let secondaryColumns: Set<Int>
  /// The idfs of the query's phrases, by phrase number; see ``SnippetWindows/integers(_:)``.
  private let idfs: [Int]
  private let walker: FieldWalker
  private let tokenizers: GroupTokenizers
  private let texts: MatchedTexts

  /// Creates a highlighter for the results of a query.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - weights: the field weights of the ranking, by name; they break ties between equally good snippets.
  ///   - idfs: the idfs of its phrases; snippets prefer phrases with a high idf.
  ///   - secondaryFields: fields that repeat words of other fields; they are used for snippets only if no other field
  ///     matches.
  public init(
    _ query: FullTextQuery, weights: [String: Double] = [:], idfs: PhraseIDFs = PhraseIDFs(),
    secondaryFields: Set<String> = []
  ) {
    let fields = query.index.definition.fields
    secondaryColumns = Set(fields.indices.filter { secondaryFields.contains(fields[$0].name) })
    var phrases = PhraseNumbers()
    columns = ColumnPhrases.of(query, weights, &phrases)
    self.idfs = SnippetWindows.integers(phrases.all.map { idfs[$0] })
    texts = MatchedTexts(columns, idfs: self.idfs)
    walker = FieldWalker(query.index.definition, tracksPaths: true)
    tokenizers = GroupTokenizers(query.index)
  }

  /// Returns the matches of the query's words and phrases in a document, except those after NOT, in the order of the
  /// fields and of the text, at most 10,000.
  ///
  /// - Parameters:
  ///   - root: the parsed document.
  ///   - snippetCount: the number of snippets to extract, at most ``maximumSnippetCount``.
  ///   - snippetLength: the approximate length of snippets in bytes.
  /// - Throws: the errors of `LongCall.check()`.
  /// - Complexity: O(n + p) in the length of the fields' text and the number of phrases, and O(m) per snippet in the
  ///   number of matches from which it is chosen, about 100,000 at most. The lines of a text are counted once for all
  ///   of its snippets. Memory for the text and these matches.
  public func highlight(
    _ root: JSONElement, snippetCount: Int, snippetLength: Int
  ) throws -> (matches: [FieldMatch], snippets: [Snippet]) {
    tokenizers.select(for: root)
    // Limited so that sums of offsets and the length do not overflow.
    let length = min(max(0, snippetLength), Int(Int32.max))
    texts.beginDocument(snippetLength: snippetCount > 0 ? length : nil)
    defer { texts.endDocument() }
    // Snippets may come from any field, but matches only from fields that are searched.
    for column in columns.indices where snippetCount > 0 || !columns[column].isEmpty {
      try texts.read(
        column, of: root, walker, tokenizers.tokenizer(ofColumn: column),
        isSecondary: secondaryColumns.contains(column))
    }
    guard snippetCount > 0 else { return (texts.matches, []) }
    return (texts.matches, try SnippetCutter(length: length, idfs: idfs).cut(texts.snippetTexts, count: snippetCount))
  }
}

@available(*, unavailable)
extension Highlighter: Sendable {}
