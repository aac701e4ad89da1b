import TextAnalysis

/// Finds the phrases of one column while its text is analyzed, if each of them is a single word. It keeps no terms.
///
/// It finds the same occurrences in the same order as ``PhraseStream``, which finds all kinds of phrases.
struct WordStream {
  private struct Form {
    let bytes: [UInt8]
    let phrase: Int
    let isPrefix: Bool
  }

  /// The forms in the order of their phrases.
  private let forms: [Form]
  /// The first byte of each form: a form is only read, which retains it, for a term that begins with the same byte.
  private let beginnings: [UInt8]
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
    for (number, group) in groups.enumerated() {
      guard group.phrases.count == 1, let phrase = group.phrases.first, phrase.positions.count == 1, !phrase.isInitial,
        phrase.positions[0].count <= WordStream.maximumCount
      else { return nil }
      for form in phrase.positions[0] {
        forms.append(Form(bytes: Array(form.utf8), phrase: number, isPrefix: phrase.isPrefix))
      }
    }
    guard forms.count <= WordStream.maximumCount, forms.allSatisfy({ !$0.bytes.isEmpty }) else { return nil }
    self.forms = forms
    beginnings = forms.map { $0.bytes[0] }
    firstBytes = FirstByteFilter(forms.map(\.bytes))
    lastPositions = Array(repeating: .min, count: groups.count)
  }

  /// Appends the terms of a piece of a string, and passes occurrences to `body` in the order of their positions and
  /// phrases. The parameters are those of ``PhraseStream/append(_:text:offset:followsGap:_:)``.
  mutating func append(
    _ buffer: TokenBuffer, text: Int, offset: Int, followsGap: Bool, _ body: (Occurrence) -> Void
  ) {
    guard !buffer.tokens.isEmpty else { return }
    positions.begin(text: text, followsGap: followsGap)
    for token in buffer.tokens {
      positions.advance(to: token)
      let term = buffer.term(token)
      guard let first = term.first, firstBytes.contains(first) else { continue }
      for number in beginnings.indices where beginnings[number] == first && WordStream.matches(term, forms[number]) {
        let form = forms[number]
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

  private static func matches(_ term: UnsafeRawBufferPointer, _ form: Form) -> Bool {
    let bytes = form.bytes
    guard term.count == bytes.count || form.isPrefix && term.count > bytes.count else { return false }
    for index in bytes.indices where term[index] != bytes[index] { return false }
    return true
  }
}
