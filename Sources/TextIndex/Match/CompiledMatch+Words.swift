extension CompiledMatch {
  /// The terms of the match and their weights, where it is a term or several of which one, or each, must be there.
  var words: ([(term: String, weight: Double)], WindowedSearch.Combination)? {
    switch self {
    case .or(let operands): operands.words.map { ($0, .any) }
    case .and(let operands): operands.words.map { ($0, .all) }
    default: word.map { ([$0], .any) }
    }
  }

  /// The term of the match and its weight, where it is one.
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
