/// A match expression after analysis: index terms, and fields as column numbers.
indirect enum CompiledMatch: Hashable, Sendable {
  /// Matches no document.
  case nothing
  case phrase(CompiledPhrase)
  /// A word or phrase with different forms in some columns, because their analyzers differ. It is scored as one term:
  /// its frequency in a document is the sum over the columns. No column is listed twice.
  case phraseByColumns([ColumnPhrase])
  case near([CompiledPhrase], distance: Int)
  case and([CompiledMatch])
  case or([CompiledMatch])
  case not(CompiledMatch, CompiledMatch)
  /// An operand restricted to these columns.
  case columns([Int], CompiledMatch)
  /// An operand whose scores are multiplied by a positive factor. If FTS5 itself evaluates the match, only small
  /// integers count; see ``FTS5Expression``.
  case weighted(CompiledMatch, Double)
  /// A word as typed, and the words that may have been meant, which include it. Documents that contain the word as
  /// typed precede all other matches of this operand, and of the conjunction that contains it. If FTS5 evaluates the
  /// match, they only have higher scores. Both operands are phrases in some columns.
  case fuzzy(CompiledMatch, CompiledMatch)
}

/// Terms at successive positions.
struct CompiledPhrase: Hashable, Sendable {
  /// The accepted terms of each position.
  var positions: [[String]]
  /// Whether the last position accepts every term that begins with one of its terms.
  var isPrefix = false
  /// Whether the phrase must be at the beginning of a column.
  var isInitial = false
}

/// The analyzed form of a phrase in some columns.
struct ColumnPhrase: Hashable, Sendable {
  var columns: [Int]
  var phrase: CompiledPhrase
}

extension CompiledMatch {
  /// Returns the conjunction of the distinct operands; ``nothing`` if an operand matches nothing.
  ///
  /// - Parameter keepsRepetitions: whether repeated operands are kept, for ``FullTextQuery/windowSource``.
  static func all(_ operands: [CompiledMatch], keepingRepetitions keepsRepetitions: Bool = false) -> CompiledMatch {
    if operands.contains(.nothing) { return .nothing }
    let operands = keepsRepetitions ? operands : merged(operands)
    return operands.count == 1 ? operands[0] : operands.isEmpty ? .nothing : .and(operands)
  }

  /// Returns the disjunction of the distinct operands, without those that match nothing.
  ///
  /// - Parameter keepsRepetitions: whether repeated operands are kept, for ``FullTextQuery/windowSource``.
  static func any(_ operands: [CompiledMatch], keepingRepetitions keepsRepetitions: Bool = false) -> CompiledMatch {
    let matching = operands.filter { $0 != .nothing }
    let operands = keepsRepetitions ? matching : merged(matching)
    return operands.count == 1 ? operands[0] : operands.isEmpty ? .nothing : .or(operands)
  }

  /// Returns the disjunction, with nested disjunctions flattened.
  ///
  /// - Parameter keepsRepetitions: whether repeated operands are kept, for ``FullTextQuery/windowSource``.
  static func anyFlattened(
    _ operands: [CompiledMatch], keepingRepetitions keepsRepetitions: Bool = false
  ) -> CompiledMatch {
    .any(
      operands.flatMap { operand in
        if case .or(let inner) = operand { inner } else { [operand] }
      }, keepingRepetitions: keepsRepetitions)
  }

  /// The match with the repeated operands of each conjunction and disjunction merged.
  var mergingRepetitions: CompiledMatch {
    switch self {
    case .and(let operands): .all(operands.map(\.mergingRepetitions))
    case .or(let operands): .any(operands.map(\.mergingRepetitions))
    case .not(let positive, let negative): .not(positive.mergingRepetitions, negative.mergingRepetitions)
    case .columns(let columns, let operand): .columns(columns, operand.mergingRepetitions)
    case .weighted(let operand, let weight): .weighted(operand.mergingRepetitions, weight)
    case .nothing, .phrase, .phraseByColumns, .near, .fuzzy: self
    }
  }

  /// Returns the distinct operands. An operand that occurs n times has the weight n, because the frequency of a term in
  /// the query is a factor of its score. It is evaluated once: FTS5 takes quadratic time for repeated terms.
  private static func merged(_ operands: [CompiledMatch]) -> [CompiledMatch] {
    var counts: [CompiledMatch: Int] = [:]
    let distinct = operands.filter { operand in
      counts[operand, default: 0] += 1
      return counts[operand] == 1
    }
    guard distinct.count < operands.count else { return operands }
    return distinct.map { operand in
      counts[operand].flatMap { $0 > 1 ? .weighted(operand, Double($0)) : nil } ?? operand
    }
  }

  /// Calls `body` with every phrase that a matching document may contain and the columns in which it is searched for.
  /// Operands of NOT are skipped.
  func forEachPositivePhrase(columns: Set<Int>, _ body: (PhraseGroup, Set<Int>) -> Void) {
    switch self {
    case .nothing: break
    case .phrase(let phrase): body(PhraseGroup(phrases: [phrase], distance: 0), columns)
    case .phraseByColumns(let variants):
      for variant in variants {
        body(
          PhraseGroup(phrases: [variant.phrase], distance: 0, representative: variants.first?.phrase),
          columns.intersection(variant.columns))
      }
    case .near(let phrases, let distance): body(PhraseGroup(phrases: phrases, distance: distance), columns)
    case .and(let operands), .or(let operands):
      for operand in operands { operand.forEachPositivePhrase(columns: columns, body) }
    case .not(let operand, _): operand.forEachPositivePhrase(columns: columns, body)
    case .columns(let inner, let operand):
      operand.forEachPositivePhrase(columns: columns.intersection(inner), body)
    case .weighted(let operand, _): operand.forEachPositivePhrase(columns: columns, body)
    case .fuzzy(let typed, let all):
      for operand in [typed, all] { operand.forEachPositivePhrase(columns: columns, body) }
    }
  }
}

/// Phrases that must be near each other, or a single phrase.
struct PhraseGroup: Hashable, Sendable {
  var phrases: [CompiledPhrase]
  var distance: Int
  /// The phrase that represents all forms of a word, if this is one of them; see ``CompiledMatch/phraseByColumns(_:)``.
  var representative: CompiledPhrase?

  /// The phrases by which distinct phrases are counted.
  var counted: [CompiledPhrase] { representative.map { [$0] } ?? phrases }
}

extension CompiledMatch {
  /// The terms of the match and their weights, if it is a term, or a conjunction or disjunction of terms.
  var words: ([(term: String, weight: Double)], WindowedSearch.Combination)? {
    switch self {
    case .or(let operands): operands.words.map { ($0, .any) }
    case .and(let operands): operands.words.map { ($0, .all) }
    default: word.map { ([$0], .any) }
    }
  }

  /// The term of the match and its weight, if it is a single term.
  var word: (term: String, weight: Double)? {
    switch self {
    case .phrase(let phrase):
      phrase.positions.count == 1 && phrase.positions[0].count == 1 && !phrase.isPrefix && !phrase.isInitial
        ? (phrase.positions[0][0], 1) : nil
    case .weighted(let operand, let weight): operand.word.map { ($0.term, $0.weight * weight) }
    default: nil
    }
  }
}

extension [CompiledMatch] {
  fileprivate var words: [(term: String, weight: Double)]? {
    let words = compactMap(\.word)
    return words.count == count ? words : nil
  }
}
