extension [CompiledMatch] {
  /// The distinct words and phrases of the operands, in order, each with the sum of its weights.
  var distinctLeaves: [(match: CompiledMatch, weight: Double)] {
    var order: [CompiledMatch] = []
    var weights: [CompiledMatch: Double] = [:]
    for leaf in flatMap(\.leaves) {
      if weights[leaf.match] == nil { order.append(leaf.match) }
      weights[leaf.match, default: 0] += leaf.weight
    }
    return order.map { ($0, weights[$0, default: 0]) }
  }
}

extension CompiledMatch {
  /// The words and phrases that AND and OR join at any level, each with its weight and its fields.
  fileprivate var leaves: [(match: CompiledMatch, weight: Double)] {
    switch self {
    case .nothing: []
    case .phrase, .phraseByColumns, .near, .fuzzy: [(self, 1)]
    case .and(let operands), .or(let operands): operands.flatMap(\.leaves)
    case .not(let operand, let negative): operand.leaves.map { (.not($0.match, negative), $0.weight) }
    case .columns(let columns, let operand): operand.leaves.map { (.columns(columns, $0.match), $0.weight) }
    case .weighted(let operand, let factor): operand.leaves.map { ($0.match, $0.weight * factor) }
    }
  }
}

extension CompiledMatch {
  /// The operands of AND at any level, and the operands of NOT that exclude documents from all of them.
  var conjuncts: (wanted: [CompiledMatch], excluded: [CompiledMatch]) {
    switch self {
    case .and(let operands):
      let parts = operands.map(\.conjuncts)
      return (parts.flatMap(\.wanted), parts.flatMap(\.excluded))
    case .not(let operand, let negative):
      let part = operand.conjuncts
      return (part.wanted, part.excluded + [negative])
    default: return ([self], [])
    }
  }

  /// Returns whether each word of the match has a field. In a query for these columns, a disjunction whose fields are
  /// all of them is a word with a different form in each, so it is not restricted.
  func isRestricted(within columns: Set<Int>) -> Bool {
    switch self {
    case .columns: true
    case .weighted(let operand, _), .not(let operand, _): operand.isRestricted(within: columns)
    case .and, .or: restriction.map { !$0.isSuperset(of: columns) } ?? false
    case .nothing, .phrase, .phraseByColumns, .near, .fuzzy: false
    }
  }

  /// The columns of a match of which each word has a field; nil for other matches.
  private var restriction: Set<Int>? {
    switch self {
    case .columns(let columns, _): return Set(columns)
    case .weighted(let operand, _), .not(let operand, _): return operand.restriction
    case .and(let operands), .or(let operands):
      var columns: Set<Int> = []
      for operand in operands {
        guard let restriction = operand.restriction else { return nil }
        columns.formUnion(restriction)
      }
      return columns
    case .nothing, .phrase, .phraseByColumns, .near, .fuzzy: return nil
    }
  }
}
