/// The reserved words of SQL++. They are case-insensitive, and must be quoted with backticks to be used as names.
///
/// The list is that of Couchbase Lite, plus `ILIKE`. `NATURAL`, `RIGHT` and `USING` have no meaning yet.
public enum SQLKeyword: String, Hashable, Sendable, CaseIterable {
  case and = "AND"
  case any = "ANY"
  case `as` = "AS"
  case ascending = "ASC"
  case between = "BETWEEN"
  case by = "BY"
  case `case` = "CASE"
  case collate = "COLLATE"
  case cross = "CROSS"
  case descending = "DESC"
  case distinct = "DISTINCT"
  case `else` = "ELSE"
  case end = "END"
  case every = "EVERY"
  case `false` = "FALSE"
  case from = "FROM"
  case group = "GROUP"
  case having = "HAVING"
  case ilike = "ILIKE"
  case `in` = "IN"
  case inner = "INNER"
  case `is` = "IS"
  case join = "JOIN"
  case left = "LEFT"
  case like = "LIKE"
  case limit = "LIMIT"
  case missing = "MISSING"
  case natural = "NATURAL"
  case not = "NOT"
  case null = "NULL"
  case offset = "OFFSET"
  case on = "ON"
  case or = "OR"
  case order = "ORDER"
  case outer = "OUTER"
  case right = "RIGHT"
  case satisfies = "SATISFIES"
  case select = "SELECT"
  case then = "THEN"
  case `true` = "TRUE"
  case unnest = "UNNEST"
  case using = "USING"
  case valued = "VALUED"
  case when = "WHEN"
  case `where` = "WHERE"

  /// Creates the reserved word with this text, ignoring case; nil if there is none.
  public init?(named text: String) {
    // `SATISFIES` is the longest word. The length check avoids a lookup for most names.
    guard text.utf8.count <= 9, let keyword = SQLKeyword.byName[text.uppercased()] else { return nil }
    self = keyword
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}
