/// What a full-text search asks for: the tree that every front end makes and that an index evaluates.
///
/// ``MatchParser`` makes it from FTS5's language, ``SearchBoxParser`` from what people type. Both give pure
/// values that know of no index and no database:
///
/// ```swift
/// try MatchParser().parse("red shoe NOT title: (large OR wide)")
/// // .not(.words([.word("red"), .word("shoe")]),
/// //      .fields(.include(["title"]), .or([.phrase(.word("large")), .phrase(.word("wide"))])))
/// ```
///
/// `and` and `or` hold any number of operands, so that a query of ten thousand words is a wide tree and not a
/// deep one. Two queries are equal when they ask for the same in the same shape; spans are not compared.
///
/// ``description`` writes a query in FTS5's language.
public indirect enum MatchQuery: Hashable, Sendable {
  /// Matches no document: `""`.
  case nothing

  /// Documents that hold the phrase.
  case phrase(MatchPhrase)

  /// Two or more phrases written side by side, in the order of the text: `red shoe "for men"`.
  ///
  /// Documents must hold all of them, anywhere, as with ``and(_:)``. It is a case of its own because two
  /// things depend on what stood next to what: synonyms of several words, and, in FTS5, that a phrase in which
  /// the analyzer finds no token is passed over here, while under an explicit `AND` it matches nothing.
  case words([MatchPhrase])

  /// Documents that hold all the phrases with at most `distance` tokens between the end of the first and the
  /// start of the last: `NEAR(red shoe, 5)`.
  case near([MatchPhrase], distance: Int)

  /// Documents that match every operand.
  case and([MatchQuery])

  /// Documents that match at least one operand.
  case or([MatchQuery])

  /// Documents that match the first operand and not the second.
  case not(MatchQuery, MatchQuery)

  /// Documents that match in the given fields. Filters nest: the inner query sees only the fields that all
  /// of them leave.
  case fields(FieldFilter, MatchQuery)

  /// The distance of `NEAR` when none is written.
  public static let defaultDistance = 10

  /// The conjunction of any number of queries: ``nothing`` for none, the query itself for one.
  public static func all(of queries: [MatchQuery]) -> MatchQuery {
    queries.count > 1 ? .and(queries) : queries.first ?? .nothing
  }

  /// The disjunction of any number of queries: ``nothing`` for none, the query itself for one.
  public static func any(of queries: [MatchQuery]) -> MatchQuery {
    queries.count > 1 ? .or(queries) : queries.first ?? .nothing
  }
}
