/// An error in a query and its location, as data.
///
/// A diagnostic holds no sentences: ``DiagnosticRenderer`` writes them. A command line, an HTTP API and an editor can
/// each show the same error in their own way, and the wording of each error is in one place only. It is not tied to one
/// query language.
public struct Diagnostic: Hashable, Sendable {
  /// The kind of error.
  public let kind: Kind
  /// The text that is wrong; empty if something is missing, such as at the end of the query.
  public let span: SourceSpan
  /// The input that is accepted instead of the span, or after it.
  public let expected: [Expectation]
  /// The mistake that probably caused the error.
  let hint: DiagnosticHint?

  init(_ kind: Kind, at span: SourceSpan, expected: [Expectation] = [], hint: DiagnosticHint? = nil) {
    self.kind = kind
    self.span = span
    self.expected = expected
    self.hint = hint
  }

  /// One kind of input that the parser accepts at the location of the error.
  public enum Expectation: Hashable, Sendable {
    /// Literal characters, such as `)`.
    case symbol(String)
    /// An element of the language, described by its name, such as "a word".
    case element(String)
  }

  /// The kinds of errors, compared with `==` or in a `switch` with a `default`.
  ///
  /// Not an enum, so that a later release can add a kind without breaking programs.
  public struct Kind: Hashable, Sendable {
    enum Code: Hashable, Sendable {
      case emptyQuery, unexpected, missingLeftOperand, missingRightOperand
      case unclosedBracket, unopenedBracket, unterminatedQuote, invalidNumber
      case tooDeep(limit: Int)
      case stackTooSmall(levels: Int)
      case malformedNumber, unknownFunction, unknownSource, unknownField, duplicateSource, notAggregate
      case argumentCount(QueryFunction, given: Int)
      case operandCount(Int, given: Int)
      case unsupported
      case tooLarge(limit: Int)
    }

    let code: Code

    /// The query is empty.
    public static let emptyQuery = Kind(code: .emptyQuery)
    /// The text at the span is not allowed at this position.
    public static let unexpected = Kind(code: .unexpected)
    /// The operator at the span has no left operand.
    public static let missingLeftOperand = Kind(code: .missingLeftOperand)
    /// The operator at the span has no right operand.
    public static let missingRightOperand = Kind(code: .missingRightOperand)
    /// The bracket at the span is not closed.
    public static let unclosedBracket = Kind(code: .unclosedBracket)
    /// The closing bracket at the span has no opening bracket.
    public static let unopenedBracket = Kind(code: .unopenedBracket)
    /// The quotation mark at the span is not closed.
    public static let unterminatedQuote = Kind(code: .unterminatedQuote)
    /// The text at the span is not a whole number.
    public static let invalidNumber = Kind(code: .invalidNumber)
    /// The query is nested more than `limit` levels deep.
    public static func tooDeep(limit: Int) -> Kind { Kind(code: .tooDeep(limit: limit)) }
    /// The query is nested more than `levels` levels deep, and the thread's stack has no room for more.
    public static func stackTooSmall(levels: Int) -> Kind { Kind(code: .stackTooSmall(levels: levels)) }
    /// The text at the span begins like a number but is malformed or out of range.
    public static let malformedNumber = Kind(code: .malformedNumber)
    /// No function has the name at the span.
    public static let unknownFunction = Kind(code: .unknownFunction)
    /// No source of the query has the name at the span.
    public static let unknownSource = Kind(code: .unknownSource)
    /// `META()` has no field with the name at the span.
    public static let unknownField = Kind(code: .unknownField)
    /// Another source of the query has the same name as the one at the span.
    public static let duplicateSource = Kind(code: .duplicateSource)
    /// `DISTINCT` is used in a function that is not an aggregate.
    public static let notAggregate = Kind(code: .notAggregate)
    /// The function at the span does not accept the given number of arguments.
    public static func argumentCount(_ function: QueryFunction, given: Int) -> Kind {
      Kind(code: .argumentCount(function, given: given))
    }
    /// The operation at the span requires a different number of operands.
    public static func operandCount(_ count: Int, given: Int) -> Kind {
      Kind(code: .operandCount(count, given: given))
    }
    /// The construct at the span belongs to the language but is not supported here.
    public static let unsupported = Kind(code: .unsupported)
    /// The query has more than `limit` expressions once repeated operands are expanded.
    public static func tooLarge(limit: Int) -> Kind { Kind(code: .tooLarge(limit: limit)) }
  }
}

/// Common mistakes for which the renderer gives advice.
enum DiagnosticHint: Hashable, Sendable {
  case quoteToSearch(String)
  case excludeWithNOT
  case andNotIsNOT
  case notIsBinary
  case starFollowsWord
  case caretOutsideNear
  case nearJoinsPhrases
  case doubleQuoteInside
  case didYouMean(String)
  case reservedWord(String)
  case nameTheSource
  case collationNeedsParentheses
  case joinNotSupported
  case joinNeedsCondition
  case crossJoinHasNoCondition
  case bitwiseOperator
  case reservedKey(String)
  case parameterForArgument
  case listInBraces
  case countSubquery
  case oneSelect
  case onlyQueries
  case nameTheColumn
  case collectsElements
}
