extension CompiledMatch {
  /// The terms that a search for the match requests from a store, except prefixes.
  var expectedTerms: [ExpectedTerm] {
    var terms: [ExpectedTerm] = []
    addExpectedTerms(to: &terms, isNear: false)
    return terms
  }

  private func addExpectedTerms(to terms: inout [ExpectedTerm], isNear: Bool) {
    switch self {
    case .nothing: break
    case .phrase(let phrase): phrase.addExpectedTerms(to: &terms, isNear: isNear)
    case .phraseByColumns(let variants):
      for variant in variants { variant.phrase.addExpectedTerms(to: &terms, isNear: isNear) }
    case .near(let phrases, _):
      for phrase in phrases { phrase.addExpectedTerms(to: &terms, isNear: true) }
    case .and(let operands), .or(let operands):
      for operand in operands { operand.addExpectedTerms(to: &terms, isNear: isNear) }
    case .not(let one, let other), .fuzzy(let one, let other):
      one.addExpectedTerms(to: &terms, isNear: isNear)
      other.addExpectedTerms(to: &terms, isNear: isNear)
    case .columns(_, let operand), .weighted(let operand, _):
      operand.addExpectedTerms(to: &terms, isNear: isNear)
    }
  }
}

extension CompiledPhrase {
  fileprivate func addExpectedTerms(to terms: inout [ExpectedTerm], isNear: Bool) {
    let positions: ExpectedTerm.Positions =
      if isTerm { isNear ? .candidates : .none } else { self.positions.count > 1 && !isPrefix ? .candidates : .all }
    for (number, forms) in self.positions.enumerated() where !isPrefix || number < self.positions.count - 1 {
      terms += forms.map { ExpectedTerm(text: $0, positions: positions) }
    }
  }

  /// Whether the phrase is one term, whose documents are those of its posting list.
  var isTerm: Bool { positions.count == 1 && positions[0].count == 1 && !isInitial }
}
