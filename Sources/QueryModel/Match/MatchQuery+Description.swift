/// Writes the query in FTS5 query syntax, as ``MatchParser`` parses it, with no more parentheses than needed.
///
/// Every query that a parser of this module created is parsed back into an equal query. A query that the language
/// cannot express is approximated: a bare word that would not be parsed as one, such as a word with a space, is quoted;
/// `and` and `or` of fewer than two operands are written without the operator; `^` inside `NEAR`, and the `~` and the
/// missing quotation mark of a search box, are omitted.
extension MatchQuery: CustomStringConvertible {
  public var description: String {
    var text = ""
    write(to: &text, within: .disjunction)
    return text
  }

  /// The precedence of a node; a node that binds more loosely than its context needs parentheses.
  private enum Binding: Int {
    case disjunction, conjunction, difference, sequence, term
  }

  private var binding: Binding {
    switch self {
    case .or(let operands) where operands.count > 1: .disjunction
    case .and(let operands) where operands.count > 1: .conjunction
    case .or(let operands), .and(let operands): operands.first?.binding ?? .term
    case .not: .difference
    case .words(let phrases) where phrases.count > 1: .sequence
    case .words, .nothing, .phrase, .near, .fields: .term
    }
  }

  private func write(to text: inout String, within context: Binding) {
    guard binding.rawValue >= context.rawValue else {
      text += "("
      write(to: &text, within: .disjunction)
      text += ")"
      return
    }
    switch self {
    case .nothing:
      text += "\"\""
    case .phrase(let phrase):
      phrase.write(to: &text)
    case .words(let phrases):
      Self.write(phrases, to: &text)
    case .near(let phrases, let distance):
      Self.write(near: phrases, distance: distance, to: &text)
    case .and(let operands):
      Self.write(operands, joinedBy: " AND ", within: .difference, to: &text)
    case .or(let operands):
      Self.write(operands, joinedBy: " OR ", within: .conjunction, to: &text)
    case .not(let wanted, let unwanted):
      wanted.write(to: &text, within: .difference)
      text += " NOT "
      unwanted.write(to: &text, within: .sequence)
    case .fields(let filter, let operand):
      text += filter.description
      operand.writeFiltered(to: &text)
    }
  }

  private static func write(
    _ operands: [MatchQuery], joinedBy separator: String, within context: Binding, to text: inout String
  ) {
    if operands.isEmpty { text += "\"\"" }
    for (index, operand) in operands.enumerated() {
      if index > 0 { text += separator }
      operand.write(to: &text, within: operands.count > 1 ? context : .disjunction)
    }
  }

  private static func write(_ phrases: [MatchPhrase], to text: inout String) {
    if phrases.isEmpty { text += "\"\"" }
    for (index, phrase) in phrases.enumerated() {
      if index > 0 { text += " " }
      // Between two phrases, NEAR would be parsed as the operator.
      phrase.write(to: &text, quotingNEAR: index > 0 && index < phrases.count - 1)
    }
  }

  private static func write(near phrases: [MatchPhrase], distance: Int, to text: inout String) {
    guard !phrases.isEmpty else { return text += "\"\"" }
    text += "NEAR("
    for (index, phrase) in phrases.enumerated() {
      if index > 0 { text += " " }
      MatchPhrase(phrase.parts).write(to: &text)
    }
    text += distance == defaultDistance ? ")" : ", \(distance))"
  }

  /// Only a phrase, a group or a parenthesis may follow the colon of a filter, not another filter.
  private func writeFiltered(to text: inout String) {
    switch self {
    case .nothing, .phrase, .near: write(to: &text, within: .term)
    default:
      text += "("
      write(to: &text, within: .disjunction)
      text += ")"
    }
  }
}

extension MatchPhrase: CustomStringConvertible {
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  fileprivate func write(to text: inout String, quotingNEAR: Bool = false) {
    if parts.isEmpty { text += "\"\"" }
    if isInitial, !parts.isEmpty { text += "^" }
    for (index, part) in parts.enumerated() {
      if index > 0 { text += " + " }
      let isOperator = quotingNEAR && parts.count == 1 && part.text == "NEAR" && !part.isPrefix && !isInitial
      text += part.isQuoted || isOperator ? inQuotes(part.text) : bareOrInQuotes(part.text)
      // FTS5 users write a space between a quoted text and its star: "one two" *.
      if part.isPrefix { text += part.isQuoted ? " *" : "*" }
    }
  }
}

extension FieldFilter: CustomStringConvertible {
  /// The filter with its colon: `title:`, `-{title body}:`.
  public var description: String {
    let list = names.map { bareOrInQuotes($0.name) }.joined(separator: " ")
    return (isExcluding ? "-" : "") + (names.count == 1 ? list : "{\(list)}") + ":"
  }
}

private func bareOrInQuotes(_ text: String) -> String {
  MatchLexer.isBareword(text) ? text : inQuotes(text)
}

private func inQuotes(_ text: String) -> String {
  // Doubles quotes by scalar: a quote followed by a combining mark is another `Character`, but the parsers see the
  // quote.
  var result = String.UnicodeScalarView("\"".unicodeScalars)
  for scalar in text.unicodeScalars {
    if scalar == "\"" { result.append(scalar) }
    result.append(scalar)
  }
  result.append("\"")
  return String(result)
}
