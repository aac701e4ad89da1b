import DocumentStore
import LineSearch

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
  ///   - sizeOf: returns the approximate size of a result in bytes; nil if results are small. Of large results, fewer
  ///     wait for `deliver`.
  ///   - transform: called with each document that may have a matching line, or with all documents if
  ///     ``PatternSearchRequest/visitsAllDocuments`` is set. It finds the lines and returns a result, or nil for none.
  ///     Calls may run on any thread and concurrently, and must not use the database. The text is valid only during the
  ///     call.
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
    sizeOf: (@Sendable (Output) -> Int)? = nil, transform: @Sendable (SearchedDocument) throws -> Output?,
    deliver: (Output) throws -> Bool
  ) throws -> PatternSearchSummary {
    try withPublicErrors {
      let search = DocumentSearch(
        collection: record, request: request, pattern: try LinePattern(request.lines), isIncluded: isIncluded)
      return try Deadline.run(request.timeout, of: "search") {
        try search.run(in: engine, sizeOf: sizeOf, transform, deliver)
      }
    }
  }
}
