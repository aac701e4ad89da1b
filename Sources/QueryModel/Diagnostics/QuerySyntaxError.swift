/// An error for a query that cannot be parsed: the diagnostic together with the text that its span refers to.
///
/// ```swift
/// do {
///   _ = try MatchParser().parse("title: (red OR")
/// } catch {
///   error.kind == .missingRightOperand   // true
///   error.found                          // "OR"
///   print(error)
///   // line 1, column 13: 'OR' has nothing on its right
///   //   title: (red OR
///   //               ^^
///   // expected a word, a "phrase" or '('
/// }
/// ```
public struct QuerySyntaxError: Error, Hashable, Sendable {
  /// The whole text of the query.
  public let source: String
  public let diagnostic: Diagnostic

  public init(_ diagnostic: Diagnostic, in source: String) {
    self.source = source
    self.diagnostic = diagnostic
  }

  public var kind: Diagnostic.Kind { diagnostic.kind }

  public var span: SourceSpan { diagnostic.span }

  public var expected: [Diagnostic.Expectation] { diagnostic.expected }

  /// The text that is wrong; empty at the end of the query.
  public var found: String { span.text(in: source) }

  /// Line and column of the first wrong character.
  ///
  /// - Complexity: O(*n*) in the offset.
  public var location: SourceLocation { SourceLocation(offset: span.start, in: source) }
}

extension QuerySyntaxError: CustomStringConvertible {
  public var description: String {
    DiagnosticRenderer().render(diagnostic, in: source)
  }
}
