import TextAnalysis

/// The terms of a column by position, for finding phrases. Only terms that may be in the query are kept.
struct PositionedTerms {
  /// A byte range in one of the strings of the column.
  struct TextRange: Hashable {
    var text: Int
    var range: Range<Int>
  }

  /// A term and its position.
  struct Entry {
    var position: Int
    var term: [UInt8]
    var textRange: TextRange

    func matches(_ form: String, isPrefix: Bool) -> Bool {
      isPrefix ? term.starts(with: form.utf8) : term.elementsEqual(form.utf8)
    }
  }

  /// The terms in ascending order of position.
  fileprivate var entries: [Entry] = []
  private var positions = TermPositions()
  private let filter: TermFilter

  init(_ filter: TermFilter) { self.filter = filter }

  /// The number of terms that are kept.
  var count: Int { entries.count }

  /// The position of the last term that is kept.
  var lastPosition: Int? { entries.last?.position }

  /// Appends the terms of a string of the column, or of a piece of it.
  ///
  /// - Parameters:
  ///   - text: the number of the string.
  ///   - offset: the offset of the piece in the string.
  ///   - followsGap: whether terms before the piece may have been left out, so that no phrase spans it and the terms
  ///     before it.
  mutating func append(_ buffer: TokenBuffer, text: Int, offset: Int = 0, followsGap: Bool = false) {
    guard !buffer.tokens.isEmpty else { return }
    positions.begin(text: text, followsGap: followsGap)
    for token in buffer.tokens {
      positions.advance(to: token)
      let term = buffer.term(token)
      guard let bytes = filter.bytes(of: term) else { continue }
      let textRange = TextRange(text: text, range: (offset + Int(token.start))..<(offset + Int(token.end)))
      entries.append(Entry(position: positions.last, term: bytes, textRange: textRange))
    }
  }

  /// Removes the terms before a position.
  mutating func removeAll(before position: Int) {
    entries.removeFirst(entries.partitionPoint { $0.position >= position })
  }
}

/// The terms of a column, indexed by term and by position.
struct TermPositionIndex {
  typealias Entry = PositionedTerms.Entry

  /// The terms in ascending order of position.
  private let entries: [Entry]
  /// The indexes of the entries of each term, ascending.
  private lazy var numbers: [[UInt8]: [Int]] = Dictionary(grouping: entries.indices) { [entries] in entries[$0].term }
  /// The distinct terms in byte order, created when a prefix is first looked up.
  private lazy var sorted: [[UInt8]] = numbers.keys.sorted { $0.lexicographicallyPrecedes($1) }

  /// Fewer terms are compared one by one, which takes less time than a dictionary.
  private static let indexedCount = 32

  init(_ terms: PositionedTerms) { entries = terms.entries }

  /// Returns the terms that equal one of the forms, at most one per position, in the order of positions.
  ///
  /// - Complexity: O(f + k) in the number of forms and of terms found; the first call takes O(n) in the number of
  ///   terms. The first prefix sorts the terms, and each prefix sorts its matches.
  mutating func entries(of forms: [String], isPrefix: Bool) -> [Entry] {
    var found: [Int] = []
    if forms.count == 1, entries.count < TermPositionIndex.indexedCount {
      let form = Array(forms[0].utf8)
      found = entries.indices.filter { entries[$0].term == form || isPrefix && entries[$0].term.starts(with: form) }
    } else {
      for form in forms { found += isPrefix ? numbers(beginningWith: form) : numbers[Array(form.utf8)] ?? [] }
      if forms.count > 1 || isPrefix { found.sort() }
    }
    var kept: [Entry] = []
    for number in found where kept.last?.position != entries[number].position { kept.append(entries[number]) }
    return kept
  }

  private mutating func numbers(beginningWith prefix: String) -> [Int] {
    let first = sorted.partitionPoint { !$0.lexicographicallyPrecedes(prefix.utf8) }
    return sorted[first...].prefix { $0.starts(with: prefix.utf8) }.flatMap { numbers[$0] ?? [] }
  }

  /// Returns the term at a position that equals one of the forms, or nil.
  ///
  /// - Complexity: O(log n) in the number of terms.
  func entry(of forms: [String], at position: Int, isPrefix: Bool) -> Entry? {
    entries[entries.partitionPoint { $0.position >= position }...].prefix { $0.position == position }.first { entry in
      forms.contains { entry.matches($0, isPrefix: isPrefix) }
    }
  }
}

/// A filter that quickly rejects terms that are not in the query. It may accept others, such as terms that begin with a
/// form of the query.
struct TermFilter {
  /// The forms in ascending order.
  private let forms: [[UInt8]]
  /// For each byte, the index of the first form that begins with it or with a greater byte; and the number of forms.
  private let starts: [Int]
  private let firstBytes: FirstByteFilter
  /// A query may have thousands of forms. If more begin with the same byte, they are not compared one by one.
  private static let maximumCount = 16

  init(_ groups: [PhraseGroup]) {
    let all = Set(groups.lazy.flatMap(\.phrases).flatMap(\.positions).joined().map { Array($0.utf8) })
    let forms = all.filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
    self.forms = forms
    firstBytes = FirstByteFilter(forms.map { $0[0] })
    var starts = Array(repeating: 0, count: 257)
    for form in forms { starts[Int(form[0]) + 1] += 1 }
    for byte in 1...256 { starts[byte] += starts[byte - 1] }
    self.starts = starts
  }

  /// Returns the bytes of a term that may be in the query; nil for other terms.
  func bytes(of term: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let first = term.first, firstBytes.contains(first) else { return nil }
    let range = starts[Int(first)]..<starts[Int(first) + 1]
    if range.count > TermFilter.maximumCount { return Array(term) }
    // The bytes of a form are not copied for each of its occurrences.
    var isAccepted = false
    for number in range where term.starts(with: forms[number]) {
      if forms[number].count == term.count { return forms[number] }
      isAccepted = true
    }
    return isAccepted ? Array(term) : nil
  }
}
