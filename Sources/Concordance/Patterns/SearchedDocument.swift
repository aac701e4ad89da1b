/// A document while it is searched. Its text is there only inside the closure that it is handed to.
public struct SearchedDocument {
  /// The document's id.
  public let id: String
  /// Its text as UTF-8: the string that is searched, or all strings, each ended by a line break.
  public let text: UnsafeRawBufferPointer
  private let prepared: LineText
  private let searcher: LineSearcher

  init(id: String, text: UnsafeRawBufferPointer, parts: [Range<Int>], searcher: LineSearcher) {
    self.id = id
    self.text = text
    prepared = searcher.prepare(document: text, parts: parts)
    self.searcher = searcher
  }

  /// Whether a match may reach across line breaks: ``PatternSearchRequest/isMultiline`` was set, and the patterns may match one.
  public var matchesReachAcrossLines: Bool { searcher.reachesAcrossLines }

  /// Calls `body` with each line to show until it returns false; see ``LineSearcher/forEachLine(of:_:)``.
  public func forEachLine(_ body: (SearchedLine) throws -> Bool) throws {
    try withPublicErrors { try searcher.forEachLine(of: prepared, body) }
  }

  /// The matches in a line, in bytes of ``text``.
  public func matches(in line: SearchedLine) throws -> [Range<Int>] {
    try withPublicErrors { try searcher.matches(in: line, of: prepared) }
  }

  /// A line with its matches replaced.
  public func replacing(in line: SearchedLine, with template: LineReplacement) throws -> ReplacedLine {
    try withPublicErrors { try searcher.replacing(in: line, of: prepared, with: template) }
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
