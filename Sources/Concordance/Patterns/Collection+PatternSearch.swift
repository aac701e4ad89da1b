import DocumentStore
import GRDB
import LineSearch
import TrigramIndex

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
  /// All documents are read from one snapshot of the database.
  ///
  /// - Parameters:
  ///   - request: the patterns and the documents to search.
  ///   - isIncluded: returns whether to search the document with the given id; nil for all documents of the request.
  ///   - transform: called with each document that may have a matching line, or with all documents if
  ///     ``PatternSearchRequest/visitsAllDocuments`` is set. It finds the lines and returns a result, or nil for none.
  ///     Calls may run on any thread and concurrently. The text is valid only during the call.
  ///   - deliver: called on the caller's thread with the results of `transform`, in the order of the documents. It
  ///     returns whether to continue.
  /// - Returns: the numbers of searched documents and bytes.
  /// - Throws: the errors of the closures, and ``CBLError``:
  ///   - ``CBLError/invalidQuery`` for a pattern that cannot be parsed.
  ///   - ``CBLError/invalidParameter`` for a field that is not a property path.
  ///   - ``CBLError/timeout`` after ``PatternSearchRequest/timeout``.
  ///   - A match that exceeds the work limits throws inside `transform`; catch the error there to continue with the
  ///     next document.
  /// - Complexity: O(n) in the text of the documents that are searched.
  @discardableResult
  public func searchLines<Output: Sendable>(
    _ request: PatternSearchRequest, including isIncluded: (@Sendable (String) -> Bool)? = nil,
    transform: @Sendable (SearchedDocument) throws -> Output?, deliver: (Output) throws -> Bool
  ) throws -> PatternSearchSummary {
    try withPublicErrors {
      let search = DocumentSearch(
        collection: record, request: request, pattern: try LinePattern(request.lines), isIncluded: isIncluded)
      return try Deadline.run(request.timeout, of: "search") {
        try search.run(in: engine, transform, deliver)
      }
    }
  }
}

/// A running pattern search: its request, its compiled pattern, and the collection to search.
private struct DocumentSearch: Sendable {
  let collection: CollectionRecord
  let request: PatternSearchRequest
  let pattern: LinePattern
  let isIncluded: (@Sendable (String) -> Bool)?

  /// The maximum number of documents that one thread searches without helpers.
  static let fewDocuments = 64

  /// Searches the documents, with helper threads if there are many.
  func run<Output: Sendable>(
    in engine: DatabaseEngine, _ transform: @Sendable (SearchedDocument) throws -> Output?,
    _ deliver: (Output) throws -> Bool
  ) throws -> PatternSearchSummary {
    try withoutActuallyEscaping(transform) { transform in
      // For few documents, starting threads takes longer than searching on a single thread. On PostgreSQL there are no helpers,
      // and a second transaction would read the candidates again.
      let summary = try engine.store.readIndexes { db -> PatternSearchSummary? in
        // Left out before the first statement for them, which would throw an error.
        let servers = try request.allowsPartialResults ? engine.store.missingServers(db) : []
        let (selection, missing) = try selection(engine.patternIndexes(of: collection, db), db)
        let isSmall = selection.count.map { $0 <= DocumentSearch.fewDocuments } ?? false
        guard isSmall || !engine.store.isFile else { return nil }
        var summary = try run(in: selection, missing: missing, db, nil, transform, deliver)
        summary.missingServers = servers
        return summary
      }
      if let summary { return summary }
      return try engine.store.readInParallel { db, readerPool in
        let (selection, missing) = try selection(engine.patternIndexes(of: collection, db), db)
        return try engine.store.scanning(db) {
          try run(in: selection, missing: missing, db, readerPool, transform, deliver)
        }
      }
    }
  }

  /// Returns the candidate documents, and the parts of the request that match no document.
  func selection(
    _ indexes: [TrigramIndex.StoredPatternIndex], _ db: GRDB.Database
  ) throws -> (selection: DocumentSelection, missing: DocumentSelection.Missing) {
    var missing = DocumentSelection.Missing()
    let selection = try DocumentSelection(
      request, isIncluded: isIncluded, DocumentReader(collection, db), missing: &missing)
    guard let candidates = try LineCandidates.rows(request, of: collection, indexes, db) else {
      return (selection, missing)
    }
    return (selection.among(candidates), missing)
  }

  /// The results of a part of the documents.
  private struct PartResult<Output: Sendable>: Sendable {
    var outputs: [Output] = []
    var documentCount = 0
    var byteCount = 0
    /// The error that stopped the search of the part: a timeout.
    var timeout: StoreError?
  }

  /// Searches the documents on the reader pool, or only on the calling thread if `readerPool` is nil.
  func run<Output: Sendable>(
    in selection: DocumentSelection, missing: DocumentSelection.Missing, _ db: GRDB.Database, _ readerPool: ReaderPool?,
    _ transform: @escaping @Sendable (SearchedDocument) throws -> Output?, _ deliver: (Output) throws -> Bool
  ) throws -> PatternSearchSummary {
    var summary = PatternSearchSummary()
    summary.missingPrefixes = missing.idPrefixes
    summary.missingSourcePaths = missing.sourcePaths
    let parts = try DocumentParts(selection, of: collection, db)
    func take(_ result: PartResult<Output>) throws -> Bool {
      summary.documentCount += result.documentCount
      summary.byteCount += result.byteCount
      for output in result.outputs {
        guard try deliver(output) else { return false }
      }
      if let timeout = result.timeout { throw timeout }
      return true
    }
    if let readerPool {
      try readerPool.map(count: parts.count, on: db) {
        try search(parts, $0, $1, transform)
      } deliver: {
        try take($0)
      }
    } else {
      for part in 0..<parts.count {
        guard try take(search(parts, part, db, transform)) else { break }
      }
    }
    return summary
  }

  private func search<Output: Sendable>(
    _ parts: DocumentParts, _ part: Int, _ db: GRDB.Database,
    _ transform: @Sendable (SearchedDocument) throws -> Output?
  ) throws -> PartResult<Output> {
    let worker = try DocumentSearcher(request, pattern)
    var result = PartResult<Output>()
    let deadline = Deadline.current
    try parts.forEachDocument(of: part, DocumentReader(collection, db)) { id, body in
      let output = try worker.search(id: id, body: body, transform)
      // An error that matching reports after the deadline is a timeout, not an error of the document.
      result.timeout = deadline?.expiration
      if result.timeout != nil { return false }
      if let output { result.outputs.append(output) }
      return true
    }
    result.documentCount = worker.documentCount
    result.byteCount = worker.byteCount
    return result
  }
}

/// The state of one search thread, and the numbers of documents and bytes that it has searched.
final class DocumentSearcher {
  private(set) var documentCount = 0
  private(set) var byteCount = 0
  private let text: DocumentText
  private let scanner: LineScanner

  init(_ request: PatternSearchRequest, _ pattern: LinePattern) throws {
    text = try DocumentText(field: request.field)
    scanner = try LineScanner(request.lines, pattern)
  }

  /// Searches a document.
  func search<Output>(
    id: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, _ transform: (SearchedDocument) throws -> Output?
  ) throws -> Output? {
    try text.withText(of: body) { text, parts in
      documentCount += 1
      byteCount += text.count
      return try transform(
        SearchedDocument(id: String(decoding: id, as: UTF8.self), text: text, parts: parts, scanner: scanner))
    }
  }
}
