/// A token of SQL++ with its span.
struct SQLToken: LexicalToken {
  enum Kind: Hashable {
    case keyword(SQLKeyword)
    /// A name, with or without backticks.
    case name(String, isQuoted: Bool)
    case string(String)
    case integer(Int64)
    case double(Double)
    /// The name of a parameter, without its `$`.
    case parameter(String)
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
    case semicolon = ";"
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case percent = "%"
    case concatenation = "||"
    case equal = "="
    case doubleEqual = "=="
    case notEqual = "!="
    case lessGreater = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  let kind: Kind
  let span: SourceSpan

  var isEnd: Bool { kind == .end }

  /// The name, if the token is one.
  var name: String? {
    if case .name(let name, _) = kind { name } else { nil }
  }

  /// Returns whether the token is a name without backticks equal to this word, which must be in upper case.
  func isWord(_ word: String) -> Bool {
    if case .name(let name, isQuoted: false) = kind { name.uppercased() == word } else { false }
  }
}
