public import JSONText
import TextAnalysis

/// Finds where a query matches in a document, and cuts snippets.
///
/// It analyses the document's text again, each field with its analyzer, so that the places are those that the index
/// found. It belongs to one thread at a time.
public final class Highlighter {
  private let query: FullTextQuery
  private let weights: [String: Double]
  private let rarities: PhraseRarities
  private let walker: FieldWalker
  private let tokenizers: GroupTokenizers
  private let buffer = TokenBuffer()

  /// A highlighter for the results of a query.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - weights: the factors by field name that it was ranked with; snippets come from the weightier fields.
  ///   - rarities: how rare its words are; snippets show the rarer ones.
  public init(
    _ query: FullTextQuery, weights: [String: Double] = [:], rarities: PhraseRarities = PhraseRarities()
  ) {
    self.query = query
    self.weights = weights
    self.rarities = rarities
    walker = FieldWalker(query.index.definition, tracksPaths: true)
    tokenizers = GroupTokenizers(query.index)
  }

  /// Where the query matches in a document: the words and phrases that a matching document may hold, those behind NOT
  /// left out, in the order of the fields and of the text.
  ///
  /// - Parameters:
  ///   - root: the parsed document.
  ///   - snippetCount: how many snippets to cut, at most 100.
  ///   - snippetLength: about how long they should be, in bytes.
  /// - Complexity: O(n) in the length of the fields' text, and O(m) a snippet in the number of matches.
  public func highlight(
    _ root: JSONElement, snippetCount: Int = 1, snippetLength: Int = 240
  ) throws -> (matches: [FieldMatch], snippets: [Snippet]) {
    var matches: [FieldMatch] = []
    var texts: [HighlightedText] = []
    var phrases = PhraseNumbers()
    for column in query.index.definition.fields.indices {
      let found = try highlightedTexts(of: column, in: root, &phrases)
      for text in found {
        matches += text.marks.map { FieldMatch(path: text.path, range: $0.range) }
      }
      texts += found
    }
    guard snippetCount > 0 else { return (matches, []) }
    let cutter = SnippetCutter(length: snippetLength, rarities: phrases.all.map { rarities[$0] })
    return (matches, cutter.cut(texts, count: snippetCount))
  }

  private func highlightedTexts(
    of column: Int, in root: JSONElement, _ phrases: inout PhraseNumbers
  ) throws -> [HighlightedText] {
    var groups: [PhraseGroup] = []
    let columns = Set(query.index.definition.fields.indices)
    query.match.forEachPositivePhrase(columns: columns) { group, columns in
      if columns.contains(column) { groups.append(group) }
    }
    let weight = weights[query.index.definition.fields[column].name] ?? 1
    var terms = PositionedTerms(TermFilter(groups))
    var texts: [HighlightedText] = []
    let tokenizer = tokenizers.tokenizer(ofColumn: column)
    try walker.forEachText(of: column, in: root) { bytes, steps in
      texts.append(
        HighlightedText(path: PropertyPath(steps).description, bytes: Array(bytes), weight: weight, marks: []))
      guard !groups.isEmpty else { return }
      buffer.removeAll()
      tokenizer.tokenize(bytes, into: buffer)
      terms.append(buffer, text: texts.count - 1)
    }
    let numbers = groups.flatMap(\.counted).map { phrases.number(of: $0) }
    for occurrence in PhraseFinder(groups).occurrences(in: terms) {
      for place in occurrence.places {
        texts[place.text].marks.append(HighlightedText.Mark(phrase: numbers[occurrence.phrase], range: place.range))
      }
    }
    for number in texts.indices { texts[number].removeOverlaps() }
    return texts
  }
}

@available(*, unavailable)
extension Highlighter: Sendable {}

/// The phrases of a query, numbered: the same in all fields, which a query may look for different phrases in.
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

/// A text of a document with the places that match.
struct HighlightedText {
  struct Mark: Hashable {
    /// The number of the phrase in the query.
    var phrase: Int
    var range: Range<Int>
  }

  var path: String
  var bytes: [UInt8]
  /// The weight of the field that it belongs to.
  var weight: Double
  /// In the order of the text, none touching another's bytes.
  var marks: [Mark]

  /// Where two phrases cover the same bytes, the longer mark stays.
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
