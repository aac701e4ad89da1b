/// One of several adjacent terms.
struct MatchTerm {
  private(set) var operand: MatchOperand
  /// The phrase, if the term consists of a single phrase. Only such terms form runs of adjacent phrases.
  private(set) var phrase: MatchPhrase?
  /// Whether the term is a phrase or group without any text, `""`. Such a term is ignored if there are other terms.
  private(set) var isVoid = false

  /// Creates a term from a parenthesized query.
  init(_ operand: MatchOperand) {
    self.operand = operand
  }

  /// Creates a term from a phrase or a group of phrases.
  init(_ group: MatchQuery) {
    operand = MatchOperand(queries: [group], depth: 1)
    switch group {
    case .phrase(let phrase): self.phrase = phrase
    case .nothing: isVoid = true
    case .and: operand.depth = 2
    default: break
    }
  }

  func filtered(by filter: FieldFilter?) -> MatchTerm {
    guard let filter else { return self }
    let depth = operand.depth + 1
    var term = MatchTerm(MatchOperand(queries: [.fields(filter, operand.query)], depth: depth))
    term.isVoid = isVoid
    return term
  }

  /// Returns the conjunction of adjacent terms.
  ///
  /// - Precondition: There is at least one term.
  static func sequence(_ terms: [MatchTerm]) -> MatchOperand {
    let filled = terms.filter { !$0.isVoid }
    guard let first = filled.first else {
      return terms.first?.operand ?? MatchOperand(queries: [.nothing], depth: 1)
    }
    if filled.count == 1 { return first.operand }
    var runs = AdjacentPhraseRuns()
    for term in filled {
      if let phrase = term.phrase {
        runs.append(phrase)
      } else {
        runs.append(term.operand.query)
      }
    }
    return MatchOperand(queries: runs.finish(), depth: filled.map(\.operand.depth).max() ?? 1)
  }
}
