public import JSONText
import TextAnalysis

/// Finds the matches of a query in a document and extracts snippets.
///
/// It analyzes the text of the document again, each field with its analyzer, so that it finds the same matches as the
/// index. It must be used on one thread at a time.
public final class Highlighter {
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
  /// fields and of the text.
  ///
  /// - Parameters:
  ///   - root: the parsed document.
  ///   - snippetCount: the number of snippets to extract, at most 100.
  ///   - snippetLength: the approximate length of snippets in bytes.
  /// - Complexity: O(n + p) in the length of the fields' text and the number of phrases, and O(m) per snippet in the
  ///   number of matches.
  public func highlight(
    _ root: JSONElement, snippetCount: Int, snippetLength: Int
  ) throws -> (matches: [FieldMatch], snippets: [Snippet]) {
    tokenizers.select(for: root)
    var matches: [FieldMatch] = []
    var texts: [HighlightedText] = []
    var secondaryTexts: [HighlightedText] = []
    // Snippets may come from any field, but matches only from fields that are searched.
    for column in columns.indices where snippetCount > 0 || !columns[column].isEmpty {
      let found = try highlightedTexts(of: column, in: root)
      for text in found {
        var lines = LineCounter(text.bytes)
        matches += text.marks.map {
          FieldMatch(path: text.path, range: $0.range, line: lines.line(at: $0.range.lowerBound))
        }
      }
      if secondaryColumns.contains(column) { secondaryTexts += found } else { texts += found }
    }
    if texts.allSatisfy(\.marks.isEmpty) { texts += secondaryTexts.filter { !$0.marks.isEmpty } }
    guard snippetCount > 0 else { return (matches, []) }
    // Limited so that sums of offsets and the length do not overflow.
    let cutter = SnippetCutter(length: min(max(0, snippetLength), Int(Int32.max)), idfs: idfs)
    return (matches, cutter.cut(texts, count: snippetCount))
  }

  private func highlightedTexts(of column: Int, in root: JSONElement) throws -> [HighlightedText] {
    let phrases = columns[column]
    var terms = PositionedTerms(phrases.filter)
    var texts: [HighlightedText] = []
    let tokenizer = tokenizers.tokenizer(ofColumn: column)
    try walker.forEachText(of: column, in: root) { bytes, steps in
      texts.append(
        HighlightedText(path: PropertyPath(steps).description, bytes: Array(bytes), weight: phrases.weight, marks: []))
      guard !phrases.isEmpty else { return }
      buffer.removeAll()
      tokenizer.tokenize(bytes, into: buffer)
      terms.append(buffer, text: texts.count - 1)
    }
    for occurrence in phrases.finder.occurrences(in: terms) {
      let phrase = phrases.numbers[occurrence.phrase]
      for textRange in occurrence.textRanges {
        texts[textRange.text].marks.append(HighlightedText.Mark(phrase: phrase, range: textRange.range))
      }
    }
    for number in texts.indices { texts[number].removeOverlaps() }
    return texts
  }
}

@available(*, unavailable)
extension Highlighter: Sendable {}

/// The phrases of a query in one column.
private struct ColumnPhrases {
  let weight: Double
  let finder: PhraseFinder
  let filter: TermFilter
  /// The numbers of the finder's phrases in the query.
  let numbers: [Int]

  var isEmpty: Bool { numbers.isEmpty }

  /// Returns the phrases for each column of a query's index.
  static func of(
    _ query: FullTextQuery, _ weights: [String: Double], _ phrases: inout PhraseNumbers
  ) -> [ColumnPhrases] {
    let fields = query.index.definition.fields
    var groups: [[PhraseGroup]] = fields.map { _ in [] }
    query.match.forEachPositivePhrase(columns: Set(fields.indices)) { group, columns in
      for column in columns { groups[column].append(group) }
    }
    return zip(fields, groups).map { field, groups in
      ColumnPhrases(
        weight: weights[field.name] ?? 1, finder: PhraseFinder(groups), filter: TermFilter(groups),
        numbers: groups.flatMap(\.counted).map { phrases.number(of: $0) })
    }
  }
}

/// The phrases of a query, numbered across all fields. Fields may have different phrases.
private struct PhraseNumbers {
  private(set) var all: [CompiledPhrase] = []
  private var numbers: [CompiledPhrase: Int] = [:]

  mutating func number(of phrase: CompiledPhrase) -> Int {
    if let known = numbers[phrase] { return known }
    numbers[phrase] = all.count
    all.append(phrase)
    return all.count - 1
  }
}

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
  /// The matches in the order of the text; without overlaps after ``removeOverlaps()``.
  var marks: [Mark]

  /// Removes overlapping marks: of two marks that overlap, the longer one is kept.
  mutating func removeOverlaps() {
    var kept: [Mark] = []
    for mark in marks.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard let last = kept.last, mark.range.lowerBound < last.range.upperBound else {
        kept.append(mark)
        continue
      }
      if mark.range.count > last.range.count { kept[kept.count - 1] = mark }
    }
    marks = kept
  }
}
