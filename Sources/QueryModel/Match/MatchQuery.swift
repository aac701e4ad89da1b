/// A full-text query as a tree. Every query language is parsed into such a tree, and an index evaluates it.
///
/// ``MatchParser`` parses FTS5 query syntax, ``SearchBoxParser`` the text of a search box. The result is a plain value
/// that depends on no index and no database:
///
/// ```swift
/// try MatchParser().parse("red shoe NOT title: (large OR wide)")
/// // .not(.words([.word("red"), .word("shoe")]),
/// //      .fields(.include(["title"]), .or([.phrase(.word("large")), .phrase(.word("wide"))])))
/// ```
///
/// `and` and `or` hold any number of operands, so a query of ten thousand words is a wide tree and not a deep one. Two
/// queries are equal if their trees are; spans are not compared.
///
/// ``description`` writes a query in FTS5 query syntax.
public indirect enum MatchQuery: Hashable, Sendable {
  /// Matches no document: `""`.
  case nothing

  /// Documents that contain the phrase.
  case phrase(MatchPhrase)

  /// Two or more adjacent phrases, in source order: `red shoe "for men"`.
  ///
  /// Documents must contain all of them, anywhere, as with ``and(_:)``. It is a separate case because adjacency matters
  /// twice: synonyms may consist of several words, and FTS5 ignores a phrase without tokens here, while under an
  /// explicit `AND` such a phrase matches nothing.
  case words([MatchPhrase])

  /// Documents that contain all the phrases with at most `distance` tokens between the end of the first and the start
  /// of the last: `NEAR(red shoe, 5)`.
  case near([MatchPhrase], distance: Int)

  /// Documents that match every operand.
  case and([MatchQuery])

  /// Documents that match at least one operand.
  case or([MatchQuery])

  /// Documents that match the first operand but not the second.
  case not(MatchQuery, MatchQuery)

  /// Documents that match in the given fields. Filters nest: the inner query is restricted to the fields that every
  /// enclosing filter allows.
  case fields(FieldFilter, MatchQuery)

  /// The distance of a `NEAR` without a number.
  public static let defaultDistance = 10

  /// Returns the conjunction of any number of queries: ``nothing`` for none, the query itself for one.
  public static func all(of queries: [MatchQuery]) -> MatchQuery {
    queries.count > 1 ? .and(queries) : queries.first ?? .nothing
  }

  /// Returns the disjunction of any number of queries: ``nothing`` for none, the query itself for one.
  public static func any(of queries: [MatchQuery]) -> MatchQuery {
    queries.count > 1 ? .or(queries) : queries.first ?? .nothing
  }
}
