/// A term of a search box, or a word that may be an operator.
enum SearchBoxToken {
  case operand(SearchBoxClause)
  /// The operator, and the phrase to use if it joins nothing.
  case `operator`(SearchBoxOperator, MatchPhrase)
}

/// The operators of a search box: words in capital letters.
enum SearchBoxOperator: String {
  case and = "AND"
  case or = "OR"
  case not = "NOT"

  /// Creates the operator that a phrase may denote; nil for all other phrases.
  init?(_ phrase: MatchPhrase) {
    guard phrase.isBareWord, !phrase.isPrefix, !phrase.isFuzzy else { return nil }
    self.init(rawValue: phrase.parts[0].text)
  }
}

/// Observations that a search box's scanner makes in addition to the query.
struct SearchBoxNotes {
  /// Operators and brackets that were treated as words, with their offsets.
  var literals: [(offset: Int, text: String)] = []
  /// Whether `AND` joins any clauses.
  var usesAND = false

  mutating func add(_ other: SearchBoxNotes) {
    literals += other.literals
    usesAND = usesAND || other.usesAND
  }
}
