/// A part of a search box's query: the documents that match ``wanted``, or all documents if it is nil, except those
/// that match ``excluded``.
///
/// Clauses are closed under AND, OR and NOT, although ``MatchQuery`` has no node for all documents: operators on
/// clauses that only exclude combine their exclusions.
struct SearchBoxClause {
  /// The query that documents must match; nil for all documents.
  let wanted: MatchQuery?
  /// The query that documents must not match.
  let excluded: MatchQuery?
  /// The phrase, if the clause consists of one without field, operator or brackets. Adjacent phrases are searched for
  /// as words, because synonyms may consist of several words.
  let phrase: MatchPhrase?

  init(_ phrase: MatchPhrase, in field: FieldName?) {
    wanted = field.map { .fields(.include([$0]), .phrase(phrase)) } ?? .phrase(phrase)
    excluded = nil
    self.phrase = field == nil ? phrase : nil
  }

  private init(wanted: MatchQuery?, excluded: MatchQuery?) {
    (self.wanted, self.excluded, phrase) = (wanted, excluded, nil)
  }

  /// The clause as one query; nil if it only excludes.
  var query: MatchQuery? {
    guard let wanted else { return nil }
    return excluded.map { .not(wanted, $0) } ?? wanted
  }

  /// The complement of the clause.
  var negated: SearchBoxClause {
    guard let query else { return SearchBoxClause(wanted: excluded, excluded: nil) }
    return SearchBoxClause(wanted: nil, excluded: query)
  }

  /// Returns the clause restricted to a field.
  func inField(_ field: FieldName) -> SearchBoxClause {
    func inField(_ query: MatchQuery) -> MatchQuery { .fields(.include([field]), query) }
    return SearchBoxClause(wanted: wanted.map(inField), excluded: excluded.map(inField))
  }

  /// Returns the conjunction of adjacent clauses; nil for none.
  static func conjunction(ofAdjacent clauses: [SearchBoxClause]) -> SearchBoxClause? {
    guard clauses.count > 1 else { return clauses.first }
    var runs = AdjacentPhraseRuns()
    for clause in clauses {
      if let phrase = clause.phrase {
        runs.append(phrase)
      } else if let wanted = clause.wanted {
        runs.append(wanted)
      }
    }
    return conjunction(wanted: runs.finish(), clauses)
  }

  /// Returns the conjunction of clauses joined by `AND`.
  ///
  /// - Precondition: There is at least one clause.
  static func conjunction(of clauses: [SearchBoxClause]) -> SearchBoxClause {
    clauses.count > 1 ? conjunction(wanted: clauses.compactMap(\.wanted), clauses) : clauses[0]
  }

  private static func conjunction(wanted: [MatchQuery], _ clauses: [SearchBoxClause]) -> SearchBoxClause {
    let excluded = clauses.compactMap(\.excluded)
    return SearchBoxClause(
      wanted: wanted.isEmpty ? nil : .all(of: wanted), excluded: excluded.isEmpty ? nil : .any(of: excluded))
  }

  /// Returns the disjunction of the clauses.
  ///
  /// `a OR NOT b` can be expressed only by its complement: the documents with b and without a.
  ///
  /// - Precondition: There is at least one clause.
  static func disjunction(of clauses: [SearchBoxClause]) -> SearchBoxClause {
    guard clauses.count > 1 else { return clauses[0] }
    let queries = clauses.compactMap(\.query)
    let exclusions = clauses.filter { $0.wanted == nil }.compactMap(\.excluded)
    guard !exclusions.isEmpty else { return SearchBoxClause(wanted: .any(of: queries), excluded: nil) }
    let unmatched = MatchQuery.all(of: exclusions)
    return SearchBoxClause(wanted: nil, excluded: queries.isEmpty ? unmatched : .not(unmatched, .any(of: queries)))
  }
}
