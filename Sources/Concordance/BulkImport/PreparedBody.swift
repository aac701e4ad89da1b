import DocumentStore

/// The body of a document with what an import computes before the transaction that saves the document.
struct PreparedBody: Sendable {
  let body: DocumentBody
  /// `DocumentBody.mayReferenceBlobs`, computed while the text is in the cache of the processor.
  let mayReferenceBlobs: Bool
  /// The terms of the document for the text indexes of the collection.
  let terms: [IndexedTerms]
  /// The row that was predicted for prepared entries; nil if none were prepared.
  let predictedRow: Int64?
  private let rows: PredictedRows?

  /// - Parameter rows: receives the row of the saved document.
  init(_ body: DocumentBody, _ terms: [IndexedTerms] = [], predictedRow: Int64? = nil, _ rows: PredictedRows? = nil) {
    self.body = body
    mayReferenceBlobs = body.mayReferenceBlobs
    self.terms = terms
    self.predictedRow = predictedRow
    self.rows = rows
  }

  /// Records the row of the saved document. If it is not the predicted one, later batches are not prepared.
  func noteSaved(row: Int64) { rows?.note(row, predicted: predictedRow) }
}
