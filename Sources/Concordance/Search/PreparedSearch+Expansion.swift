import DocumentStore
import JSONText
import TextIndex

extension PreparedSearch {
  /// Returns the query for the documents that are similar to a document, and the row of this document, which is not a
  /// match. The query is empty if no distinctive word of the document occurs in another document.
  ///
  /// - Parameters:
  ///   - id: the id of the document.
  ///   - collection: the name of the collection.
  /// - Throws: ``CBLError/notFound`` if the document does not exist.
  func similarDocuments(
    to id: String, _ request: SearchRequest, of reader: DocumentReader, _ collection: String
  ) throws -> (query: FullTextQuery, excludedRow: Int64) {
    guard let document = try reader.document(id: id) else {
      throw CBLError(CBLError.notFound, "there is no document \"\(id)\" in the collection \(collection)")
    }
    let terms = try TermCounter(index, fields: request.fields).count(document)
    return (try FullTextQuery(like: terms, fields: request.fields, in: indexReader), document.rowID)
  }

  /// Returns the query expanded with terms that are typical of its best hits (pseudo-relevance feedback). Only
  /// documents that pass the filters are hits.
  func expanded(
    by feedback: RelevanceFeedback, _ request: SearchRequest, of reader: DocumentReader
  ) throws -> FullTextQuery {
    let settings = try feedback.settings()
    let counter = try TermCounter(index, fields: request.fields)
    var model = RelevanceModel(query, settings)
    let (matches, filtered) = try matches()
    let best =
      try filtered?.best(settings.documentCount, counting: false).rows ?? matches.best(settings.documentCount)
    for row in best {
      guard let stored = try reader.document(rowID: row.rowID) else { continue }
      model.add(try counter.count(stored), score: row.score)
    }
    return try model.expandedQuery(indexReader)
  }
}

extension TermCounter {
  fileprivate func count(_ document: StoredDocument) throws -> TermCounts {
    try JSONParser.withShared { parser in
      try document.body.withUnsafeBytes { try count(parser.parse($0)) }
    }
  }
}
