import TextAnalysis

/// Finds the phrases of one column while its text is analyzed, if each of them is a single word. It keeps no terms.
///
/// It finds the same occurrences in the same order as ``PhraseStream``, which finds all kinds of phrases.
struct WordStream {
  private struct Form {
    let first: UInt8
    /// The range of its bytes in ``WordStream/bytes``, so that reading a form retains nothing.
    let range: Range<Int>
    let phrase: Int
    let isPrefix: Bool
  }

  /// The forms in the order of their phrases.
  private let forms: [Form]
  /// The bytes of all forms.
  private let bytes: [UInt8]
  private let firstBytes: FirstByteFilter
  /// The position at which each phrase occurred last; less than any position if it did not occur.
  private var lastPositions: [Int]
  private var positions = TermPositions()
  /// The occurrences at the last position.
  private var found: [Occurrence] = []

  /// An occurrence of a phrase in one of the strings of the column.
  struct Occurrence {
    /// The number of the phrase in the query.
    var phrase: Int
    var text: Int
    var range: Range<Int>
  }

  /// With more forms, ``PhraseStream`` takes less time.
  private static let maximumCount = 16

  /// - Parameter groups: the phrases to find; they are numbered across all groups.
  /// - Returns: nil if some of the phrases are not single words, or if there are too many words.
  init?(_ groups: [PhraseGroup]) {
    var forms: [Form] = []
    var bytes: [UInt8] = []
    for (number, group) in groups.enumerated() {
      guard group.phrases.count == 1, let phrase = group.phrases.first, phrase.positions.count == 1, !phrase.isInitial,
        phrase.positions[0].count <= WordStream.maximumCount
      else { return nil }
      for form in phrase.positions[0] {
        guard let first = form.utf8.first else { return nil }
        let start = bytes.count
        bytes += form.utf8
        forms.append(
          Form(first: first, range: start..<bytes.count, phrase: number, isPrefix: phrase.isPrefix))
      }
    }
    guard forms.count <= WordStream.maximumCount else { return nil }
    (self.forms, self.bytes) = (forms, bytes)
    firstBytes = FirstByteFilter(forms.map(\.first))
    lastPositions = Array(repeating: .min, count: groups.count)
  }

  /// Begins the column of another document, and keeps the memory.
  mutating func begin() {
    for phrase in lastPositions.indices { lastPositions[phrase] = .min }
    positions = TermPositions()
    found.removeAll(keepingCapacity: true)
  }

  /// Appends the terms of a piece of a string, and passes occurrences to `body` in the order of their positions and
  /// phrases. The parameters are those of ``PhraseStream/append(_:text:offset:followsGap:_:)``.
  mutating func append(
    _ buffer: TokenBuffer, text: Int, offset: Int, followsGap: Bool, _ body: (Occurrence) -> Void
  ) {
    guard !buffer.tokens.isEmpty else { return }
    positions.begin(text: text, followsGap: followsGap)
    let (forms, bytes) = (forms, bytes)
    for token in buffer.tokens {
      positions.advance(to: token)
      let term = buffer.term(token)
      guard let first = term.first, firstBytes.contains(first) else { continue }
      for form in forms where form.first == first && WordStream.matches(term, form, bytes) {
        // Of several terms at a position, such as the parts of an identifier, the first one counts.
        guard lastPositions[form.phrase] != positions.last else { continue }
        if !found.isEmpty, !lastPositions.contains(positions.last) { pass(body) }
        lastPositions[form.phrase] = positions.last
        found.append(
          Occurrence(phrase: form.phrase, text: text, range: (offset + Int(token.start))..<(offset + Int(token.end))))
      }
    }
  }

  /// Passes the remaining occurrences.
  mutating func finish(_ body: (Occurrence) -> Void) { pass(body) }

  private mutating func pass(_ body: (Occurrence) -> Void) {
    if found.count > 1 { found.sort { $0.phrase < $1.phrase } }
    for occurrence in found { body(occurrence) }
    found.removeAll(keepingCapacity: true)
  }

  private static func matches(_ term: UnsafeRawBufferPointer, _ form: Form, _ bytes: [UInt8]) -> Bool {
    let count = form.range.count
    guard term.count == count || form.isPrefix && term.count > count else { return false }
    for index in 0..<count where term[index] != bytes[form.range.lowerBound + index] { return false }
    return true
  }
}
