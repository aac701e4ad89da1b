import JSONText
import QueryModel
import TextIndex

/// The query language of the search box for an index: its parser, and pseudo-fields such as `type:`.
///
/// In an index of files, `type:` is the type of a file or its name extension. It is a condition on properties, not a
/// field of the index: if types were indexed, a search for ordinary words such as `code` and `text` would match type
/// names.
struct SearchBox {
  /// The result of parsing a search-box query.
  struct Reading {
    /// The full-text part of the query.
    let query: SearchBoxQuery
    /// The additional condition on documents.
    let condition: QueryExpression?
    /// Whether `type:` was treated as a word because it is an operand of `OR`.
    let treatsTypeAsWord: Bool
  }

  private let parser: SearchBoxParser
  private let hasTypes: Bool

  static let typeField = "type"

  init(of index: StoredFullTextIndex) {
    let names = index.definition.fields.map(\.name)
    hasTypes = names.contains("path") && names.contains("name") && !names.contains(Self.typeField)
    parser = SearchBoxParser(fields: hasTypes ? names + [Self.typeField] : names)
  }

  func read(_ text: String) -> Reading {
    let query = parser.parse(text)
    guard hasTypes else { return Reading(query: query, condition: nil, treatsTypeAsWord: false) }
    let (conditions, rest, isMixed) = query.separating(field: Self.typeField)
    let expressions = conditions.map { condition -> QueryExpression in
      let isTrue = Self.condition(condition.query)
      return condition.isExcluded ? .not(isTrue) : isTrue
    }
    return Reading(
      query: isMixed ? rest.ignoring(field: Self.typeField) : rest,
      condition: expressions.count > 1 ? .and(expressions) : expressions.first, treatsTypeAsWord: isMixed)
  }

  /// The condition on properties for a `type:` query.
  private static func condition(_ query: MatchQuery) -> QueryExpression {
    switch query {
    case .nothing: .boolean(false)
    case .phrase(let phrase): isOfType(phrase)
    case .words(let phrases), .near(let phrases, _): all(phrases.map(isOfType))
    case .and(let operands): all(operands.map(condition))
    case .or(let operands): .or(operands.map(condition))
    case .not(let wanted, let excluded): .and([condition(wanted), .not(condition(excluded))])
    case .fields(_, let operand): condition(operand)
    }
  }

  private static func all(_ expressions: [QueryExpression]) -> QueryExpression {
    expressions.count > 1 ? .and(expressions) : expressions.first ?? .boolean(true)
  }

  private static func isOfType(_ phrase: MatchPhrase) -> QueryExpression {
    let text = phrase.parts.map(\.text).joined(separator: " ")
    let pattern =
      text.reduce(into: "") { $0 += "%_\\".contains($1) ? "\\\($1)" : "\($1)" } + (phrase.isPrefix ? "%" : "")
    // If the property is missing, `isValued` makes the condition false, not unknown, so that its negation is true.
    func matches(_ property: String, _ pattern: String) -> QueryExpression {
      let value = QueryExpression.property(PropertyPath([.key(property)]), source: nil)
      return .and([.isValued(value), .ilike(value, pattern: .string(pattern))])
    }
    return .or([matches(typeField, pattern), matches("name", "%." + pattern)])
  }
}
