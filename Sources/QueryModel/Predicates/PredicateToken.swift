/// A token of a predicate string with its span.
struct PredicateToken: LexicalToken {
  enum Kind: Hashable {
    case keyword(PredicateKeyword)
    /// A name. It is escaped after `#` or between backticks; an escaped name is not a reserved word.
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

  var isEnd: Bool { kind == .end }

  /// Returns whether the token is an unescaped name equal to this word, which must be in upper case.
  func isWord(_ word: String) -> Bool {
    if case .name(let name, isEscaped: false) = kind { name.uppercased() == word } else { false }
  }
}

/// The reserved words of predicates, which are keys only after `#` or a dot. They are case-insensitive.
///
/// `FIRST`, `LAST`, `SIZE` and `SUBQUERY`, which Foundation reserves as well, are recognized by their context.
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

  /// Creates the keyword with this text, ignoring case; nil if there is none.
  init?(named text: String) {
    // `FALSEPREDICATE` is the longest keyword. The length check avoids a lookup for most names.
    guard text.utf8.count <= 14, let keyword = PredicateKeyword(rawValue: text.uppercased()) else { return nil }
    self = keyword
  }
}
