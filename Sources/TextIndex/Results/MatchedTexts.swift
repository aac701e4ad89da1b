import DocumentStore
import JSONText
import TextAnalysis

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
  /// Whether its field repeats words of other fields.
  var isSecondary = false
}

/// The strings of a document, with the matches of a query.
///
/// The documents of a page use one object, one after the other, so that its arrays keep their memory.
final class MatchedTexts {
  private struct State {
    var matches: [FieldMatch] = []
    var texts: [HighlightedText] = []
    var collector: MatchCollector
    /// Finds the phrases of each column if they are single words.
    var words: [WordStream?]
    /// Finds the phrases of the current column otherwise.
    var stream: PhraseStream?
    var call = LongCall()
  }

  private let columns: [ColumnPhrases]
  /// A pointer, because changing a property in place requires an exclusivity check for each match.
  private let state: UnsafeMutablePointer<State>
  private let buffer = TokenBuffer()

  /// - Parameters:
  ///   - columns: the phrases of each column.
  ///   - idfs: the idf of each phrase by its number; see ``SnippetWindows/integers(_:)``.
  init(_ columns: [ColumnPhrases], idfs: [Int]) {
    self.columns = columns
    state = .allocate(capacity: 1)
    state.initialize(to: State(collector: MatchCollector(idfs: idfs), words: columns.map(\.words)))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// The matches in the order of the fields and of the text.
  var matches: [FieldMatch] { state.pointee.matches }

  /// The strings from which snippets are chosen. Secondary ones are used only if no other has a match.
  var snippetTexts: [HighlightedText] {
    let texts = state.pointee.texts
    guard texts.contains(where: \.isSecondary) else { return texts }
    let primary = texts.filter { !$0.isSecondary }
    guard primary.allSatisfy({ $0.marks.isEmpty }) else { return primary }
    return primary + texts.filter { $0.isSecondary && !$0.marks.isEmpty }
  }

  /// Begins a document.
  ///
  /// - Parameter snippetLength: nil if there are no snippets.
  func beginDocument(snippetLength: Int?) {
    state.pointee.collector.beginDocument(snippetLength: snippetLength)
  }

  /// Ends a document: frees its strings.
  func endDocument() {
    state.pointee.matches = []
    state.pointee.texts.removeAll(keepingCapacity: true)
    state.pointee.stream = nil
  }

  /// Reads the strings of a column.
  ///
  /// - Throws: the errors of `LongCall.check()`.
  func read(
    _ column: Int, of root: JSONElement, _ walker: FieldWalker, _ tokenizer: Tokenizer, isSecondary: Bool
  ) throws {
    let phrases = columns[column]
    state.pointee.words[column]?.begin()
    state.pointee.stream = phrases.stream
    try walker.forEachText(of: column, in: root) { bytes, steps in
      state.pointee.texts.append(
        HighlightedText(
          path: PropertyPath(steps).description, bytes: Array(bytes), weight: phrases.weight, marks: [],
          isSecondary: isSecondary))
      if !phrases.isEmpty { try find(column, in: bytes, tokenizer) }
    }
    state.pointee.words[column]?.finish { add($0, of: phrases) }
    state.pointee.stream?.finish { add($0, of: phrases) }
    endColumn()
  }

  private func find(_ column: Int, in bytes: UnsafeRawBufferPointer, _ tokenizer: Tokenizer) throws {
    if bytes.count <= TextPieces.size, let parts = columns[column].regions?.ranges(in: bytes, for: tokenizer) {
      for part in parts { try find(column, in: part, of: bytes, tokenizer, followsGap: true) }
    } else {
      try TextPieces.forEach(in: bytes) { try find(column, in: $0, of: bytes, tokenizer, followsGap: false) }
    }
  }

  private func find(
    _ column: Int, in piece: Range<Int>, of bytes: UnsafeRawBufferPointer, _ tokenizer: Tokenizer, followsGap: Bool
  ) throws {
    try state.pointee.call.step(piece.count / 16 + 1)
    buffer.removeAll()
    tokenizer.tokenize(UnsafeRawBufferPointer(rebasing: bytes[piece]), into: buffer)
    let phrases = columns[column]
    let (text, offset) = (state.pointee.texts.count - 1, piece.lowerBound)
    state.pointee.words[column]?.append(buffer, text: text, offset: offset, followsGap: followsGap) {
      add($0, of: phrases)
    }
    state.pointee.stream?.append(buffer, text: text, offset: offset, followsGap: followsGap) { add($0, of: phrases) }
    state.pointee.collector.flush()
  }

  private func add(_ word: WordStream.Occurrence, of phrases: ColumnPhrases) {
    state.pointee.collector.add(
      .init(text: word.text, mark: .init(phrase: phrases.numbers[word.phrase], range: word.range)))
  }

  private func add(_ occurrence: PhraseFinder.Occurrence, of phrases: ColumnPhrases) {
    let found = occurrence.textRange
    state.pointee.collector.add(
      .init(text: found.text, mark: .init(phrase: phrases.numbers[occurrence.phrase], range: found.range)))
  }

  private func endColumn() {
    let state = state
    state.pointee.collector.endColumn { matches in
      state.pointee.matches.reserveCapacity(state.pointee.matches.count + matches.count)
      var lines = LineCounter([])
      var counted = -1
      for match in matches {
        if match.text != counted { lines = LineCounter(state.pointee.texts[match.text].bytes) }
        counted = match.text
        let range = match.mark.range
        state.pointee.matches.append(
          FieldMatch(
            path: state.pointee.texts[match.text].path, range: range, line: lines.line(at: range.lowerBound)))
      }
    } _: { candidates in
      var rest = candidates[...]
      while let text = rest.first?.text {
        let end = rest.firstIndex { $0.text != text } ?? rest.endIndex
        state.pointee.texts[text].marks = rest[..<end].map(\.mark)
        rest = rest[end...]
      }
    }
  }
}

@available(*, unavailable)
extension MatchedTexts: Sendable {}
