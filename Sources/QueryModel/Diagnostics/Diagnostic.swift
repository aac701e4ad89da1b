/// What is wrong with a query and where, as data.
///
/// A diagnostic holds no sentences: ``DiagnosticRenderer`` writes them, so that a command line, an HTTP API and
/// an editor can each show the same fault in their own way, and so that no two places word it differently.
/// It is not tied to one query language.
public struct Diagnostic: Hashable, Sendable {
  /// What is wrong.
  public let kind: Kind
  /// The text at fault; empty where something is missing, such as at the end of the query.
  public let span: SourceSpan
  /// What would have been right in place of the span, or after it.
  public let expected: [Expectation]
  /// The mistake that probably led here.
  let hint: DiagnosticHint?

  init(_ kind: Kind, at span: SourceSpan, expected: [Expectation] = [], hint: DiagnosticHint? = nil) {
    self.kind = kind
    self.span = span
    self.expected = expected
    self.hint = hint
  }

  /// One thing that the parser would have taken.
  public enum Expectation: Hashable, Sendable {
    /// These very characters, such as `)`.
    case symbol(String)
    /// A part of the language by its name, such as "a word".
    case element(String)
  }

  /// The kinds of fault, compared with `==` or in a `switch` with a `default`.
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

    /// There is nothing in the query.
    public static let emptyQuery = Kind(code: .emptyQuery)
    /// The text at the span cannot stand there.
    public static let unexpected = Kind(code: .unexpected)
    /// The operator at the span has nothing on its left.
    public static let missingLeftOperand = Kind(code: .missingLeftOperand)
    /// The operator at the span has nothing on its right.
    public static let missingRightOperand = Kind(code: .missingRightOperand)
    /// The bracket at the span is never closed.
    public static let unclosedBracket = Kind(code: .unclosedBracket)
    /// The closing bracket at the span was never opened.
    public static let unopenedBracket = Kind(code: .unopenedBracket)
    /// The quotation mark at the span is never closed.
    public static let unterminatedQuote = Kind(code: .unterminatedQuote)
    /// The text at the span should be a whole number.
    public static let invalidNumber = Kind(code: .invalidNumber)
    /// The query is nested more than `limit` levels deep.
    public static func tooDeep(limit: Int) -> Kind { Kind(code: .tooDeep(limit: limit)) }
    /// The query is nested more than `levels` levels deep, for which the stack of the thread has no room.
    public static func stackTooSmall(levels: Int) -> Kind { Kind(code: .stackTooSmall(levels: levels)) }
    /// The text at the span begins like a number and is none, or one too large.
    public static let malformedNumber = Kind(code: .malformedNumber)
    /// There is no function of the name at the span.
    public static let unknownFunction = Kind(code: .unknownFunction)
    /// The query has no source of the name at the span.
    public static let unknownSource = Kind(code: .unknownSource)
    /// `META()` has no field of the name at the span.
    public static let unknownField = Kind(code: .unknownField)
    /// Another source of the query has the name at the span.
    public static let duplicateSource = Kind(code: .duplicateSource)
    /// `DISTINCT` stands in a function that is no aggregate.
    public static let notAggregate = Kind(code: .notAggregate)
    /// The function at the span does not take as many arguments as it was given.
    public static func argumentCount(_ function: QueryFunction, given: Int) -> Kind {
      Kind(code: .argumentCount(function, given: given))
    }
    /// What is at the span takes another number of operands than it was given.
    public static func operandCount(_ count: Int, given: Int) -> Kind {
      Kind(code: .operandCount(count, given: given))
    }
    /// What is at the span has no meaning here, although it is part of the language.
    public static let unsupported = Kind(code: .unsupported)
    /// The query has more than `limit` expressions when it is written out.
    public static func tooLarge(limit: Int) -> Kind { Kind(code: .tooLarge(limit: limit)) }
  }
}

/// Mistakes that are common enough to be answered with advice.
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
  case reservedKey(String)
  case parameterForArgument
  case listInBraces
  case countSubquery
  case oneSelect
  case nameTheColumn
  case collectsElements
}
