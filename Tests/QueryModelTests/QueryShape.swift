import QueryModel

/// The complete tree of a query as text, for comparison in tables. Unlike `description` it hides nothing:
///
///     [red 'large shoe' pre*]    adjacent words
///     and(a, or(b, c))           operators by name
///     in(title: a)               fields; out(…) if they are excluded
///     near3(a b)                 a distance
///     shoo~                      a word that may be misspelled
///     ^a+'b c'*                  a phrase: initial, two parts, the second quoted and a prefix
func shape(_ query: MatchQuery?) -> String {
  guard let query else { return "nil" }
  return switch query {
  case .nothing: "nothing"
  case .phrase(let phrase): shape(phrase)
  case .words(let phrases): "[\(phrases.map(shape).joined(separator: " "))]"
  case .near(let phrases, let distance): "near\(distance)(\(phrases.map(shape).joined(separator: " ")))"
  case .and(let operands): "and(\(operands.map(shape).joined(separator: ", ")))"
  case .or(let operands): "or(\(operands.map(shape).joined(separator: ", ")))"
  case .not(let wanted, let unwanted): "not(\(shape(wanted)), \(shape(unwanted)))"
  case .fields(let filter, let operand):
    "\(filter.isExcluding ? "out" : "in")(\(filter.names.map(\.name).joined(separator: " ")): \(shape(operand)))"
  }
}

private func shape(_ phrase: MatchPhrase) -> String {
  let parts = phrase.parts.map { part in
    (part.isQuoted ? "'\(part.text)'" : part.text) + (part.isPrefix ? "*" : "") + (part.isFuzzy ? "~" : "")
  }
  return (phrase.isInitial ? "^" : "") + parts.joined(separator: "+")
}
