extension SearchBoxQuery {
  /// Separates the conditions on one field from the rest of the query, for a field that is compared as a property and
  /// not searched as text.
  ///
  /// ```swift
  /// SearchBoxParser(fields: ["type"]).parse("parser type:code -type:html").separating(field: "type")
  /// // conditions: [(type:code, false), (type:html, true)], rest: parser
  /// ```
  ///
  /// - Returns: The conditions on the field, each with a flag that is true if it is negated, and the query without
  ///   them. A condition that `OR` joins with words stays in the rest; `isMixed` is then true.
  public func separating(
    field: String
  ) -> (conditions: [(query: MatchQuery, isExcluded: Bool)], rest: SearchBoxQuery, isMixed: Bool) {
    func operands(_ query: MatchQuery?, _ parts: (MatchQuery) -> [MatchQuery]?) -> [MatchQuery] {
      query.map { parts($0) ?? [$0] } ?? []
    }
    let wanted = operands(wanted) { if case .and(let operands) = $0 { operands } else { nil } }
    let excluded = operands(excluded) { if case .or(let operands) = $0 { operands } else { nil } }
    let keptWanted = wanted.filter { !$0.isOnly(inField: field) }
    let keptExcluded = excluded.filter { !$0.isOnly(inField: field) }
    let conditions =
      wanted.filter { $0.isOnly(inField: field) }.map { ($0, false) }
      + excluded.filter { $0.isOnly(inField: field) }.map { ($0, true) }
    let rest = SearchBoxQuery(
      wanted: keptWanted.isEmpty ? nil : .all(of: keptWanted),
      excluded: keptExcluded.isEmpty ? nil : .any(of: keptExcluded),
      requiresAllWords: requiresAllWords, literals: literals)
    return (conditions, rest, (keptWanted + keptExcluded).contains { $0.mentions(field: field) })
  }

  /// Returns the query with conditions on a field treated as words: `type:c` becomes `c`.
  public func ignoring(field: String) -> SearchBoxQuery {
    func ignoring(_ query: MatchQuery) -> MatchQuery {
      query.map { if case .fields(let filter, let operand) = $0, filter.isOnly(field) { operand } else { $0 } }
    }
    return SearchBoxQuery(
      wanted: wanted.map(ignoring), excluded: excluded.map(ignoring), requiresAllWords: requiresAllWords,
      literals: literals)
  }
}

extension MatchQuery {
  /// Returns whether the query consists of nothing but words in a field.
  fileprivate func isOnly(inField field: String) -> Bool {
    switch self {
    case .fields(let filter, _): filter.isOnly(field)
    case .and(let operands), .or(let operands): operands.allSatisfy { $0.isOnly(inField: field) }
    case .not(let wanted, let excluded): wanted.isOnly(inField: field) && excluded.isOnly(inField: field)
    case .nothing, .phrase, .words, .near: false
    }
  }

  fileprivate func mentions(field: String) -> Bool {
    var isMentioned = false
    visit { if case .fields(let filter, _) = $0, filter.isOnly(field) { isMentioned = true } }
    return isMentioned
  }
}

extension FieldFilter {
  fileprivate func isOnly(_ field: String) -> Bool { !isExcluding && names.map(\.name) == [field] }
}
