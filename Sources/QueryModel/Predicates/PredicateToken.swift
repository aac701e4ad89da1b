/// A token of a predicate string with its place in the text.
struct PredicateToken {
  enum Kind: Hashable {
    case keyword(PredicateKeyword)
    /// A name; it is escaped where it stands behind `#` or between backticks, and is no word of the language then.
    case name(String, isEscaped: Bool)
    case string(String)
    case integer(Int64)
    case double(Double)
    /// A variable or parameter, without its `$`.
    case variable(String)
    case symbol(Symbol)
    case end
  }

  enum Symbol: String, Hashable, CaseIterable {
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBracket = "["
    case rightBracket = "]"
    case leftBrace = "{"
    case rightBrace = "}"
    case comma = ","
    case dot = "."
    case colon = ":"
    case at = "@"
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case power = "**"
    case and = "&&"
    case or = "||"
    case not = "!"
    case equal = "="
    case doubleEqual = "=="
    case notEqual = "!="
    case lessGreater = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case equalLess = "=<"
    case greater = ">"
    case greaterOrEqual = ">="
    case equalGreater = "=>"
  }

  let kind: Kind
  let span: SourceSpan

  /// Whether the token is a name that reads as this word, which is in upper case.
  func isWord(_ word: String) -> Bool {
    if case .name(let name, isEscaped: false) = kind { name.uppercased() == word } else { false }
  }
}

/// The words of predicates that are no keys unless a `#` stands in front. Letter case does not count.
///
/// `FIRST`, `LAST`, `SIZE` and `SUBQUERY`, which Foundation reserves as well, are told by what stands around them.
enum PredicateKeyword: String, Hashable, CaseIterable {
  case all = "ALL"
  case and = "AND"
  case any = "ANY"
  case beginsWith = "BEGINSWITH"
  case between = "BETWEEN"
  case contains = "CONTAINS"
  case endsWith = "ENDSWITH"
  case `false` = "FALSE"
  case falsePredicate = "FALSEPREDICATE"
  case `in` = "IN"
  case like = "LIKE"
  case matches = "MATCHES"
  case `nil` = "NIL"
  case no = "NO"
  case none = "NONE"
  case not = "NOT"
  case null = "NULL"
  case or = "OR"
  case `self` = "SELF"
  case some = "SOME"
  case `true` = "TRUE"
  case truePredicate = "TRUEPREDICATE"
  case yes = "YES"

  /// The word of a text in any letter case, or nil.
  init?(named text: String) {
    // `FALSEPREDICATE` is the longest. Most names need no look-up.
    guard text.utf8.count <= 14, let keyword = PredicateKeyword(rawValue: text.uppercased()) else { return nil }
    self = keyword
  }
}
