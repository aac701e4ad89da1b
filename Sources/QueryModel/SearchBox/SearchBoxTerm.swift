/// One term of a search box.
struct SearchBoxTerm {
  /// What documents must match; nil for a term that only excludes.
  let wanted: MatchQuery?
  /// What documents must not match.
  let excluded: MatchQuery?
  /// The phrase that is wanted, where no field stands before it.
  let phrase: MatchPhrase?

  init(_ phrase: MatchPhrase, in field: FieldName?, isExcluded: Bool) {
    let query = field.map { .fields(.include([$0]), .phrase(phrase)) } ?? MatchQuery.phrase(phrase)
    (wanted, excluded) = isExcluded ? (nil, query) : (query, nil)
    self.phrase = field == nil && !isExcluded ? phrase : nil
  }

  /// The terms between brackets behind a field; nil where there are none.
  init?(_ group: SearchBoxQuery, in field: FieldName, isExcluded: Bool) {
    func inField(_ query: MatchQuery) -> MatchQuery { .fields(.include([field]), query) }
    if isExcluded {
      (wanted, excluded) = (nil, (group.query ?? group.excluded).map(inField))
    } else {
      (wanted, excluded) = (group.wanted.map(inField), group.excluded.map(inField))
    }
    phrase = nil
    if wanted == nil, excluded == nil { return nil }
  }

  /// Whether the term may be the operator.
  var isOR: Bool {
    guard let phrase, phrase.isBareWord, !phrase.isPrefix, !phrase.isApproximate else { return false }
    return phrase.parts[0].text == "OR"
  }
}
