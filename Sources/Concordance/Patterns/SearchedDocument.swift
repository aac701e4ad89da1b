import DocumentStore
public import LineSearch

/// A document while it is searched. Its text is there only inside the closure that it is handed to.
public struct SearchedDocument {
  /// The document's id.
  public let id: String
  /// Its text as UTF-8: the string that is searched, or all strings, each ended by a line break.
  public let text: UnsafeRawBufferPointer
  private let prepared: LineText
  private let scanner: LineScanner

  init(id: String, text: UnsafeRawBufferPointer, parts: [Range<Int>], scanner: LineScanner) {
    self.id = id
    self.text = text
    // Documents are stored as UTF-8.
    prepared = scanner.prepare(text, parts: parts, isValidUTF8: true, remaining: Deadline.current?.remaining)
    self.scanner = scanner
  }

  /// Whether a match may reach across line breaks: ``LineQuery/isMultiline`` was set, and the patterns may match one.
  public var matchesReachAcrossLines: Bool { scanner.reachesAcrossLines }

  /// Calls `body` with each line to show until it returns false; see ``LineSearcher/forEachLine(of:_:)``.
  public func forEachLine(_ body: (SearchedLine) throws -> Bool) throws {
    try withPublicErrors { try scanner.forEachLine(of: prepared, body) }
  }

  /// The matches in a line, in bytes of ``text``.
  public func matches(in line: SearchedLine) throws -> [Range<Int>] {
    try withPublicErrors { try scanner.matches(in: line, of: prepared) }
  }

  /// A line with its matches replaced.
  public func replacing(in line: SearchedLine, with template: LineReplacement) throws -> ReplacedLine {
    try withPublicErrors { try scanner.replacing(in: line, of: prepared, with: template) }
  }
}

@available(*, unavailable)
extension SearchedDocument: Sendable {}

/// What a search for patterns has done.
public struct PatternSearchSummary: Hashable, Sendable {
  /// How many documents were searched.
  public internal(set) var documentCount = 0
  /// How many bytes of text they had.
  public internal(set) var byteCount = 0
  /// The ``PatternSearchRequest/idPrefixes`` that no document has.
  public internal(set) var missingPrefixes: [String] = []
  /// The ``PatternSearchRequest/sourcePaths`` from which no document was read.
  public internal(set) var missingSourcePaths: [String] = []
}
