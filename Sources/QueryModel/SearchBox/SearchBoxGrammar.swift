/// Combines the tokens of a search box, or of a group in it, into a clause.
///
/// ```
/// query        = alternatives*                    all of them
/// alternatives = conjunction ("OR" conjunction)*
/// conjunction  = negation ("AND" negation)*
/// negation     = "NOT"* operand
/// ```
///
/// An operator without operands is a word. Such operators are found first; after that the grammar cannot fail.
struct SearchBoxGrammar {
  private enum Item {
    case operand(SearchBoxClause)
    case not
    case and
    case or
  }

  private let items: [Item]
  private(set) var notes = SearchBoxNotes()

  init(_ tokens: [SearchBoxToken]) {
    var items: [Item] = []
    var position = 0
    while position < tokens.count {
      switch tokens[position] {
      case .operand(let clause):
        items.append(.operand(clause))
        position += 1
      case .operator(.not, _):
        let run = Self.run(of: tokens, at: position) { $0 == .not }
        position += run.count
        let isOperator = Self.hasOperand(tokens, at: position)
        for (_, phrase) in run { items.append(isOperator ? Item.not : .operand(notes.word(phrase))) }
      case .operator(let kind, _):
        // `a OR OR b` means `a OR b`, but `a AND OR b` has no defined meaning.
        let run = Self.run(of: tokens, at: position) { $0 != .not }
        position += run.count
        let end = position + Self.run(of: tokens, at: position) { $0 == .not }.count
        let hasLeft = if case .operand = items.last { true } else { false }
        if hasLeft, run.allSatisfy({ $0.kind == kind }), Self.hasOperand(tokens, at: end) {
          items.append(kind == .and ? .and : .or)
          if kind == .and { notes.usesAND = true }
        } else {
          for (_, phrase) in run { items.append(.operand(notes.word(phrase))) }
        }
      }
    }
    self.items = items
  }

  /// Returns the operators from a position on, up to the first token that is not one of them.
  private static func run(
    of tokens: [SearchBoxToken], at position: Int, _ belongs: (SearchBoxOperator) -> Bool
  ) -> [(kind: SearchBoxOperator, phrase: MatchPhrase)] {
    var run: [(kind: SearchBoxOperator, phrase: MatchPhrase)] = []
    while position + run.count < tokens.count, case .operator(let kind, let phrase) = tokens[position + run.count],
      belongs(kind)
    {
      run.append((kind, phrase))
    }
    return run
  }

  private static func hasOperand(_ tokens: [SearchBoxToken], at position: Int) -> Bool {
    if position < tokens.count, case .operand = tokens[position] { true } else { false }
  }

  /// Returns the clause; nil if there are no tokens.
  func clause() -> SearchBoxClause? {
    var clauses: [SearchBoxClause] = []
    // A list of alternatives that OR joins, each a list of operands that AND joins.
    var alternatives: [[SearchBoxClause]] = []
    var isNegated = false
    var connective: Item?
    func finished() -> SearchBoxClause? {
      alternatives.isEmpty
        ? nil : SearchBoxClause.disjunction(of: alternatives.map { SearchBoxClause.conjunction(of: $0) })
    }
    for item in items {
      guard case .operand(let operand) = item else {
        if case .not = item { isNegated.toggle() } else { connective = item }
        continue
      }
      let clause = isNegated ? operand.negated : operand
      switch connective {
      case .and: alternatives[alternatives.count - 1].append(clause)
      case .or: alternatives.append([clause])
      case .not, .operand, nil:
        clauses += [finished()].compactMap { $0 }
        alternatives = [[clause]]
      }
      (isNegated, connective) = (false, nil)
    }
    return .conjunction(ofAdjacent: clauses + [finished()].compactMap { $0 })
  }
}

extension SearchBoxNotes {
  /// Records that an operator is treated as a word.
  fileprivate mutating func word(_ phrase: MatchPhrase) -> SearchBoxClause {
    let part = phrase.parts[0]
    literals.append((part.span?.start ?? 0, part.text))
    return SearchBoxClause(phrase, in: nil)
  }
}
