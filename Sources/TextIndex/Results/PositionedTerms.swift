import TextAnalysis

/// The terms of a column by position, for finding phrases. Only terms that the query may ask for are kept.
struct PositionedTerms {
  /// Bytes of one of the texts of the column.
  struct Place: Hashable {
    var text: Int
    var range: Range<Int>
  }

  /// A term and where it stands.
  struct Entry {
    var position: Int
    var term: [UInt8]
    var place: Place
  }

  /// In the order of the positions.
  private var entries: [Entry] = []
  private var nextPosition = 0
  private let filter: TermFilter

  init(_ filter: TermFilter) { self.filter = filter }

  /// Appends the terms of a text of the column.
  mutating func append(_ buffer: TokenBuffer, text: Int) {
    // The position of ``TermStream/boundaryTerm``.
    if nextPosition > 0, !buffer.tokens.isEmpty { nextPosition += 1 }
    for token in buffer.tokens {
      if !token.isColocated { nextPosition += 1 }
      let term = buffer.term(token)
      guard filter.mayHold(term) else { continue }
      let place = Place(text: text, range: Int(token.start)..<Int(token.end))
      entries.append(Entry(position: nextPosition - 1, term: Array(term), place: place))
    }
  }

  /// The terms that are one of the forms, at most one a position.
  func entries(of forms: [String], isPrefix: Bool) -> [Entry] {
    var found: [Entry] = []
    for entry in entries where matches(entry, forms, isPrefix) && found.last?.position != entry.position {
      found.append(entry)
    }
    return found
  }

  /// The term at a position that is one of the forms, or nil.
  func entry(of forms: [String], at position: Int, isPrefix: Bool) -> Entry? {
    entries[entries.partitionPoint { $0.position >= position }...].prefix { $0.position == position }.first {
      matches($0, forms, isPrefix)
    }
  }

  private func matches(_ entry: Entry, _ forms: [String], _ isPrefix: Bool) -> Bool {
    forms.contains { isPrefix ? entry.term.starts(with: $0.utf8) : entry.term.elementsEqual($0.utf8) }
  }
}

/// Says quickly of most terms that a query does not ask for them.
struct TermFilter {
  private var firstBytes = [Bool](repeating: false, count: 256)
  private var shortest = Int.max

  init(_ groups: [PhraseGroup]) {
    for form in groups.lazy.flatMap(\.phrases).flatMap(\.positions).joined() {
      guard let first = form.utf8.first else { continue }
      firstBytes[Int(first)] = true
      shortest = min(shortest, form.utf8.count)
    }
  }

  func mayHold(_ term: UnsafeRawBufferPointer) -> Bool {
    guard let first = term.first else { return false }
    return firstBytes[Int(first)] && term.count >= shortest
  }
}
