/// A part of a search box's query: the documents that match ``wanted``, or all documents where it is nil, without those that
/// match ``excluded``.
///
/// Clauses are closed under AND, OR and NOT, although ``MatchQuery`` has no node for all documents: of clauses that exclude only,
/// the operators combine what is excluded.
struct SearchBoxClause {
  /// What documents must match; nil for all documents.
  let wanted: MatchQuery?
  /// What documents must not match.
  let excluded: MatchQuery?
  /// The phrase that the clause consists of, if it has no field, operator or brackets. Neighbouring phrases are searched for as
  /// words side by side, because synonyms may have several words.
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

  /// The documents that do not match the clause.
  var negated: SearchBoxClause {
    guard let query else { return SearchBoxClause(wanted: excluded, excluded: nil) }
    return SearchBoxClause(wanted: nil, excluded: query)
  }

  /// The clause in a field.
  func inField(_ field: FieldName) -> SearchBoxClause {
    func inField(_ query: MatchQuery) -> MatchQuery { .fields(.include([field]), query) }
    return SearchBoxClause(wanted: wanted.map(inField), excluded: excluded.map(inField))
  }

  /// Documents that match all clauses, which stand side by side; nil for none.
  static func sideBySide(_ clauses: [SearchBoxClause]) -> SearchBoxClause? {
    guard clauses.count > 1 else { return clauses.first }
    var runs = NeighbourRuns()
    for clause in clauses {
      if let phrase = clause.phrase {
        runs.append(phrase)
      } else if let wanted = clause.wanted {
        runs.append(wanted)
      }
    }
    return conjunction(wanted: runs.finish(), clauses)
  }

  /// Documents that match all clauses, which `AND` joins. There is at least one.
  static func conjunction(of clauses: [SearchBoxClause]) -> SearchBoxClause {
    clauses.count > 1 ? conjunction(wanted: clauses.compactMap(\.wanted), clauses) : clauses[0]
  }

  private static func conjunction(wanted: [MatchQuery], _ clauses: [SearchBoxClause]) -> SearchBoxClause {
    let excluded = clauses.compactMap(\.excluded)
    return SearchBoxClause(
      wanted: wanted.isEmpty ? nil : .all(of: wanted), excluded: excluded.isEmpty ? nil : .any(of: excluded))
  }

  /// Documents that match any of the clauses. There is at least one.
  ///
  /// Of `a OR NOT b` only the documents can be written down that do not match: those with b and without a.
  static func disjunction(of clauses: [SearchBoxClause]) -> SearchBoxClause {
    guard clauses.count > 1 else { return clauses[0] }
    let queries = clauses.compactMap(\.query)
    let exclusions = clauses.filter { $0.wanted == nil }.compactMap(\.excluded)
    guard !exclusions.isEmpty else { return SearchBoxClause(wanted: .any(of: queries), excluded: nil) }
    let unmatched = MatchQuery.all(of: exclusions)
    return SearchBoxClause(wanted: nil, excluded: queries.isEmpty ? unmatched : .not(unmatched, .any(of: queries)))
  }
}
