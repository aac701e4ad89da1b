extension CompiledMatch {
  /// The terms that a search for the match requests from a store, except prefixes. Those of phrases are requested with
  /// their positions.
  var expectedTerms: [ExpectedTerm] {
    var terms: [ExpectedTerm] = []
    addExpectedTerms(to: &terms, withPositions: false)
    return terms
  }

  private func addExpectedTerms(to terms: inout [ExpectedTerm], withPositions: Bool) {
    switch self {
    case .nothing: break
    case .phrase(let phrase): phrase.addExpectedTerms(to: &terms, withPositions: withPositions)
    case .phraseByColumns(let variants):
      for variant in variants { variant.phrase.addExpectedTerms(to: &terms, withPositions: withPositions) }
    case .near(let phrases, _):
      for phrase in phrases { phrase.addExpectedTerms(to: &terms, withPositions: true) }
    case .and(let operands), .or(let operands):
      for operand in operands { operand.addExpectedTerms(to: &terms, withPositions: withPositions) }
    case .not(let one, let other), .fuzzy(let one, let other):
      one.addExpectedTerms(to: &terms, withPositions: withPositions)
      other.addExpectedTerms(to: &terms, withPositions: withPositions)
    case .columns(_, let operand), .weighted(let operand, _):
      operand.addExpectedTerms(to: &terms, withPositions: withPositions)
    }
  }
}

extension CompiledPhrase {
  fileprivate func addExpectedTerms(to terms: inout [ExpectedTerm], withPositions: Bool) {
    let isTerm = positions.count == 1 && positions[0].count == 1 && !isInitial
    for (number, forms) in positions.enumerated() where !isPrefix || number < positions.count - 1 {
      terms += forms.map { ExpectedTerm(text: $0, withPositions: withPositions || !isTerm) }
    }
  }
}
