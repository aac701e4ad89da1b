import DocumentStore
import GRDB

extension Collection {
  /// Searches the text of documents for lines that match regular expressions.
  ///
  /// ```swift
  /// try pages.searchLines(PatternSearchRequest(#"memory\s+barrier"#)) { document -> [String] in
  ///   var lines: [String] = []
  ///   try document.forEachLine { line in
  ///     lines.append("\(document.id): \(String(decoding: document.text[line.range], as: UTF8.self))")
  ///     return true
  ///   }
  ///   return lines
  /// } deliver: { lines in
  ///   for line in lines { print(line, terminator: "") }
  ///   return true
  /// }
  /// ```
  ///
  /// All comes from one state of the database.
  ///
  /// - Parameters:
  ///   - isIncluded: whether a document with this id is to be searched; nil for all that the request names.
  ///   - transform: called with each document that may have a matching line, and with all where the request asks for it. It
  ///     looks for lines and makes of them what is wanted, or nil for nothing. It may run on any thread, several at a time;
  ///     views of the text end with it.
  ///   - deliver: called on the caller's thread with what `transform` made, in the order of the documents. It returns whether
  ///     to go on.
  /// - Returns: what was done.
  /// - Throws: ``CBLError``: ``CBLError/invalidQuery`` for a pattern that cannot be read, ``CBLError/invalidParameter`` for a
  ///   field that is no property path; what the closures throw. A match that takes too much work throws inside `transform`:
  ///   catch it there to go on with the next document.
  /// - Complexity: O(n) in the text of the documents that are searched.
  @discardableResult
  public func searchLines<Output: Sendable>(
    _ request: PatternSearchRequest, including isIncluded: (@Sendable (String) -> Bool)? = nil,
    transform: @Sendable (SearchedDocument) throws -> Output?, deliver: (Output) throws -> Bool
  ) throws -> PatternSearchSummary {
    try withPublicErrors {
      let pattern = try LinePattern(request)
      return try engine.store.read { db in
        _ = try engine.schema(of: record, db)
        let reader = DocumentReader(record, db)
        var summary = PatternSearchSummary()
        let selection = try DocumentSelection(
          request, isIncluded: isIncluded, reader, missing: &summary.missingPrefixes)
        let worker = try DocumentSearcher(request, pattern)
        try engine.store.scanning(db) {
          try DocumentSearch.forEachDocument(of: selection, reader) { id, body in
            guard let output = try worker.search(id: id, body: body, transform) else { return true }
            return try deliver(output)
          }
        }
        summary.documentCount = worker.documentCount
        summary.byteCount = worker.byteCount
        return summary
      }
    }
  }
}

/// Where the documents of a search are read: the one loop over them.
enum DocumentSearch {
  /// Calls `body` with the id and the JSON text of each document of a selection until it returns false.
  static func forEachDocument(
    of selection: DocumentSelection, _ reader: DocumentReader,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    switch selection {
    case .all: try reader.forEachText(body)
    case .rows(let rows): try reader.forEachText(inRows: rows, body)
    }
  }
}

/// What one thread needs for searching documents, and what it has searched.
final class DocumentSearcher {
  private(set) var documentCount = 0
  private(set) var byteCount = 0
  private let text: DocumentText
  private let searcher: LineSearcher

  init(_ request: PatternSearchRequest, _ pattern: LinePattern) throws {
    text = try DocumentText(field: request.field)
    searcher = try LineSearcher(request, pattern)
  }

  /// Searches a document.
  func search<Output>(
    id: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, _ transform: (SearchedDocument) throws -> Output?
  ) throws -> Output? {
    try text.withText(of: body) { text, parts in
      documentCount += 1
      byteCount += text.count
      return try transform(
        SearchedDocument(id: String(decoding: id, as: UTF8.self), text: text, parts: parts, searcher: searcher))
    }
  }
}
