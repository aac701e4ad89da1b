import DocumentStore
import JSONText
import SQLiteAccess

extension StoredDocument {
  /// Calls `body` with the root element of the JSON text.
  ///
  /// - Throws: ``CBLError/corruptData`` if the document is not valid JSON; the errors of `body`.
  func withRoot<T>(_ parser: JSONParser, _ body: (JSONElement) throws -> T) throws -> T {
    try self.body.withUnsafeBytes { bytes in
      let root: JSONElement
      do {
        root = try parser.parse(bytes)
      } catch let error as JSONError where error.kind != .memory {
        throw StoredDocument.damaged(id: id, error)
      }
      return try body(root)
    }
  }

  /// Returns the error for a stored document whose text is not JSON.
  static func damaged(id: String, _ error: JSONError) -> CBLError {
    CBLError(
      CBLError.corruptData,
      "the document \"\(id)\" is damaged (\(error.description)), so its entries in indexes are unknown; delete the full-text and "
        + "pattern indexes of its collection, delete the document or save it again, and create the indexes again",
      recovery: .dropTextIndexes)
  }
}
