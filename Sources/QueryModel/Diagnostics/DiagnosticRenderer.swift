/// Renders a diagnostic as text: location and error, the line with carets under the error, the expected input, and a
/// hint if there is one.
///
/// ```
/// line 1, column 3: 'AND' has nothing on its right
///   a AND NOT b
///     ^^^
/// expected a word, a "phrase" or '('
/// hint: NOT already means AND NOT: write a NOT b
/// ```
///
/// The output is safe to print: control and text direction characters of the query are replaced by visible ones, and a
/// long line is truncated around the error.
public struct DiagnosticRenderer: Hashable, Sendable {
  /// The maximum number of terminal columns of the quoted line.
  public var width: Int

  public init(width: Int = 76) {
    self.width = width
  }

  /// Returns the complete message, without a line end after its last line.
  ///
  /// - Parameters:
  ///   - diagnostic: the error.
  ///   - source: the text of the query that the diagnostic's span refers to.
  public func render(_ diagnostic: Diagnostic, in source: String) -> String {
    let location = SourceLocation(offset: diagnostic.span.start, in: source)
    var lines = ["line \(location.line), column \(location.column): \(headline(diagnostic, in: source))"]
    if !source.isEmpty {
      let excerpt = SourceExcerpt(diagnostic.span, in: QueryText(source), width: width)
      lines += ["  " + excerpt.line, "  " + excerpt.carets]
    }
    if let expectation = expectation(diagnostic) { lines.append("expected " + expectation) }
    if let hint = hint(diagnostic) { lines.append("hint: " + hint) }
    return lines.joined(separator: "\n")
  }

  /// Returns the error in one line, without its location.
  public func headline(_ diagnostic: Diagnostic, in source: String) -> String {
    let text = diagnostic.span.text(in: source)
    let found = "'\(SourceExcerpt.visible(text, limit: 40))'"
    return switch diagnostic.kind.code {
    case .emptyQuery: "the query is empty"
    case .unexpected: text.isEmpty ? "unexpected end of the query" : "unexpected \(found)"
    case .missingLeftOperand: "\(found) has nothing on its left"
    case .missingRightOperand: "\(found) has nothing on its right"
    case .unclosedBracket: "\(found) is never closed"
    case .unopenedBracket: "\(found) closes nothing"
    case .unterminatedQuote: "this quotation mark is never closed"
    case .invalidNumber: text.isEmpty ? "a number is missing" : "\(found) is not a whole number"
    case .tooDeep(let limit): "the query is nested more than \(limit) levels deep"
    case .stackTooSmall(let levels):
      "the query is nested more than \(levels) levels deep, and the stack of this thread has no room for more"
    case .malformedNumber: "\(found) is not a number"
    case .unknownFunction: "there is no function \(found)"
    case .unknownSource: "no source of the query is called \(found)"
    case .unknownField: "META() has no field \(found)"
    case .duplicateSource: "two sources of the query are called \(found)"
    case .notAggregate: "\(found) is only allowed in an aggregate such as COUNT"
    case .argumentCount(let function, let given): argumentCount(function, given: given)
    case .operandCount(let count, let given): "\(found) takes \(count) operands, \(given) given"
    case .unsupported: "\(found) is not supported here"
    case .tooLarge(let limit): "the query has more than \(limit) expressions after repeated operands are expanded"
    }
  }

  private func argumentCount(_ function: QueryFunction, given: Int) -> String {
    let (minimum, maximum) = function.argumentCount
    let wanted =
      switch maximum {
      case nil: "at least \(minimum)"
      case minimum: minimum == 0 ? "no" : "\(minimum)"
      case let maximum?: maximum == minimum + 1 ? "\(minimum) or \(maximum)" : "\(minimum) to \(maximum)"
      }
    let noun = (maximum ?? minimum) == 1 ? "argument" : "arguments"
    return "\(function.rawValue) takes \(wanted) \(noun), \(given) given"
  }

  /// Returns the expected input as a list, such as `a, b or c`; nil if the diagnostic names none.
  public func expectation(_ diagnostic: Diagnostic) -> String? {
    let names = diagnostic.expected.map { expectation in
      switch expectation {
      case .symbol(let text): "'\(text)'"
      case .element(let name): name
      }
    }
    guard let last = names.last else { return nil }
    return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Returns advice if the error looks like a common mistake, otherwise nil.
  public func hint(_ diagnostic: Diagnostic) -> String? {
    switch diagnostic.hint {
    case .none: nil
    case .quoteToSearch(let text):
      "to search for '\(SourceExcerpt.visible(text, limit: 40))' itself, put it between double quotes"
    case .excludeWithNOT:
      "to exclude a word, write a NOT b; - excludes only fields, as in -title: word"
    case .andNotIsNOT: "NOT already means AND NOT: write a NOT b"
    case .notIsBinary: "NOT needs a term on each side: a NOT b finds a without b"
    case .starFollowsWord: "* finds words by prefix and follows the prefix, as in pre*"
    case .caretOutsideNear: "^ (first in its field) cannot be combined with NEAR"
    case .nearJoinsPhrases:
      "NEAR joins words and phrases only; to search for the word itself write \"NEAR\""
    case .doubleQuoteInside: "a double quote inside a phrase is written twice: \"\""
    case .didYouMean(let name): "did you mean \(SourceExcerpt.visible(name, limit: 40))?"
    case .reservedWord(let word): "\(word) is a reserved word; to use it as a name, write `\(word)`"
    case .nameTheSource: "give one of them another name with AS"
    case .collationNeedsParentheses: "put several words in parentheses: COLLATE (UNICODE NOCASE)"
    case .oneSelect: "a query is one SELECT: subqueries, UNION, INTERSECT, EXCEPT and WITH are not supported"
    case .onlyQueries: "a query is a SELECT: WITH, INSERT, UPDATE and DELETE are not supported"
    case .nameTheColumn: "a row is an object: name its columns, without RAW or ELEMENT"
    case .joinNotSupported: "only INNER, LEFT and CROSS joins are supported"
    case .joinNeedsCondition: "a join needs a condition; for all pairs of rows, write CROSS JOIN"
    case .crossJoinHasNoCondition: "CROSS JOIN returns all pairs of rows; for a condition, write JOIN"
    case .bitwiseOperator: "there are no bitwise operators; AND and OR combine conditions, || concatenates strings"
    case .reservedKey(let word): "\(word) is a reserved word; write a # before it to use it as a key: #\(word)"
    case .parameterForArgument: "format arguments are not supported; write a parameter, as in $name, and set its value"
    case .listInBraces: "write a list in braces: {1, 2}"
    case .countSubquery: "a subquery supports only SUBQUERY(…).@count > 0 and == 0"
    case .collectsElements:
      "only the elements themselves can be collected; for values inside them, use SQL++ with UNNEST"
    }
  }
}
