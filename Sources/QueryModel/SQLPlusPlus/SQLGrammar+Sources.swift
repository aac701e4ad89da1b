/// Parsing of `FROM` and its joins.
extension SQLGrammar {
  /// Reads ahead to the names of the sources, because the meaning of a name in `SELECT` depends on the `FROM` clause.
  ///
  /// There are no subqueries, so the first `FROM` begins the clause.
  mutating func readSourceNames() {
    guard let from = firstIndex(of: .from) else { return }
    var ahead = self
    ahead.move(to: from + 1)
    ahead.sourcesAreUnknown = true
    // An error in the clause is reported when the clause is parsed, so that errors in the text before it come first.
    guard let sources = try? ahead.sources() else {
      sourcesAreUnknown = true
      return
    }
    sourceNames = SourceNames(of: sources)
  }

  mutating func sources() throws(QuerySyntaxError) -> [QuerySource] {
    sourceSpans = [current.span]
    var first = QuerySource(.collection(try collectionPath()))
    first.alias = try alias()
    var sources = [first]
    while let join = try joinKind() {
      sourceSpans.append(current.span)
      sources.append(try joined(join))
    }
    return sources
  }

  func rejectDuplicates() throws(QuerySyntaxError) {
    guard let (_, position) = sourceNames.duplicate, position < sourceSpans.count else { return }
    throw source.error(.duplicateSource, at: sourceSpans[position], hint: .nameTheSource)
  }

  private mutating func collectionPath() throws(QuerySyntaxError) -> CollectionPath {
    let name = try expectName("the name of a collection")
    guard accept(.dot) else { return CollectionPath(name) }
    return CollectionPath(try expectName("the name of a collection"), scope: name)
  }

  // MARK: Joins

  private enum Join {
    case collection(JoinKind)
    case unnest(JoinKind)
  }

  /// Parses the keywords of a join up to its source; returns nil if another clause begins.
  private mutating func joinKind() throws(QuerySyntaxError) -> Join? {
    if accept(.join) { return .collection(.inner) }
    if accept(.unnest) { return .unnest(.inner) }
    if accept(.cross) {
      try expect(.join)
      return .collection(.cross)
    }
    guard isAt(.inner) || isAt(.left) else { return nil }
    let kind: JoinKind = isAt(.left) ? .left : .inner
    advance()
    if kind == .left { _ = accept(.outer) }
    if accept(.unnest) { return .unnest(kind) }
    guard accept(.join) else { throw unexpected([.symbol("JOIN"), .symbol("UNNEST")]) }
    return .collection(kind)
  }

  private mutating func joined(_ join: Join) throws(QuerySyntaxError) -> QuerySource {
    switch join {
    case .collection(let kind):
      var source = QuerySource(.collection(try collectionPath()), join: kind)
      source.alias = try alias()
      if kind == .cross {
        if isAt(.on) { throw unexpected([], hint: .crossJoinHasNoCondition) }
      } else {
        guard accept(.on) else { throw unexpected([.symbol("ON")], hint: .joinNeedsCondition) }
        source.condition = try expression()
      }
      return source
    case .unnest(let kind):
      var source = QuerySource(.unnest(try expression()), join: kind)
      source.alias = try alias()
      // An unnest without a name cannot be referred to.
      if SourceNames(of: [source]).all == [""] { throw unexpected([.symbol("AS"), .element("a name")]) }
      return source
    }
  }
}
