import DocumentStore
public import JSONText
import TextAnalysis

/// Finds the matches of a query in a document and extracts snippets.
///
/// It analyzes the text of the document again, each field with its analyzer, so that it finds the same matches as the
/// index. It must be used on one thread at a time.
public final class Highlighter {
  /// The maximum number of snippets of a document, even if more are requested.
  public static let maximumSnippetCount = 100

  private let columns: [ColumnPhrases]
  private let secondaryColumns: Set<Int>
  /// The idfs of the query's phrases, by phrase number.
  private let idfs: [Double]
  private let walker: FieldWalker
  private let tokenizers: GroupTokenizers
  private let buffer = TokenBuffer()

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
    self.idfs = phrases.all.map { idfs[$0] }
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
    var collector = MatchCollector(snippetCount > 0 ? SnippetCandidates(length: length, idfs: idfs) : nil)
    var matches: [FieldMatch] = []
    var texts: [HighlightedText] = []
    var secondaryTexts: [HighlightedText] = []
    // Snippets may come from any field, but matches only from fields that are searched.
    for column in columns.indices where snippetCount > 0 || !columns[column].isEmpty {
      let found = try highlightedTexts(of: column, in: root, &collector, &matches)
      if secondaryColumns.contains(column) { secondaryTexts += found } else { texts += found }
    }
    if texts.allSatisfy({ $0.marks.isEmpty }) { texts += secondaryTexts.filter { !$0.marks.isEmpty } }
    guard snippetCount > 0 else { return (matches, []) }
    let cutter = SnippetCutter(length: length, idfs: idfs)
    return (matches, try cutter.cut(texts, count: snippetCount))
  }

  /// Returns the strings of a column with the matches from which snippets are chosen, and appends its matches.
  private func highlightedTexts(
    of column: Int, in root: JSONElement, _ collector: inout MatchCollector, _ matches: inout [FieldMatch]
  ) throws -> [HighlightedText] {
    let phrases = columns[column]
    var words = phrases.words
    var stream = phrases.stream
    var texts: [HighlightedText] = []
    let tokenizer = tokenizers.tokenizer(ofColumn: column)
    var call = LongCall()
    func add(_ word: WordStream.Occurrence) {
      collector.add(.init(text: word.text, mark: .init(phrase: phrases.numbers[word.phrase], range: word.range)))
    }
    func add(_ occurrence: PhraseFinder.Occurrence) {
      let number = phrases.numbers[occurrence.phrase]
      let found = occurrence.textRange
      collector.add(.init(text: found.text, mark: .init(phrase: number, range: found.range)))
    }
    try walker.forEachText(of: column, in: root) { bytes, steps in
      texts.append(
        HighlightedText(path: PropertyPath(steps).description, bytes: Array(bytes), weight: phrases.weight, marks: []))
      guard !phrases.isEmpty else { return }
      func append(_ piece: Range<Int>, followsGap: Bool) throws {
        try call.step(piece.count / 16 + 1)
        buffer.removeAll()
        tokenizer.tokenize(UnsafeRawBufferPointer(rebasing: bytes[piece]), into: buffer)
        words?.append(buffer, text: texts.count - 1, offset: piece.lowerBound, followsGap: followsGap, add)
        stream?.append(buffer, text: texts.count - 1, offset: piece.lowerBound, followsGap: followsGap, add)
        collector.flush()
      }
      if bytes.count <= TextPieces.size, let parts = phrases.regions?.ranges(in: bytes, for: tokenizer) {
        for part in parts { try append(part, followsGap: true) }
      } else {
        try TextPieces.forEach(in: bytes) { try append($0, followsGap: false) }
      }
    }
    words?.finish(add)
    stream?.finish(add)
    let found = collector.endColumn()
    var rest = found.candidates[...]
    while let text = rest.first?.text {
      let end = rest.firstIndex { $0.text != text } ?? rest.endIndex
      texts[text].marks += rest[..<end].map(\.mark)
      rest = rest[end...]
    }
    matches.reserveCapacity(matches.count + found.matches.count)
    var lines: LineCounter?
    var counted = -1
    for match in found.matches {
      if match.text != counted { lines = LineCounter(texts[match.text].bytes) }
      counted = match.text
      let range = match.mark.range
      matches.append(
        FieldMatch(path: texts[match.text].path, range: range, line: lines?.line(at: range.lowerBound) ?? 1))
    }
    return texts
  }
}

@available(*, unavailable)
extension Highlighter: Sendable {}

/// A string of a document with its matches.
struct HighlightedText {
  struct Mark: Hashable {
    /// The number of the phrase in the query.
    var phrase: Int
    var range: Range<Int>
  }

  var path: String
  var bytes: [UInt8]
  /// The weight of its field.
  var weight: Double
  /// The matches in the order of the text, without overlaps.
  var marks: [Mark]
}
