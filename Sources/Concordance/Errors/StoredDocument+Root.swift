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
      } catch let error as JSONError {
        throw CBLError(
          CBLError.corruptData,
          "the document \"\(id)\" is damaged (\(error.description)), so its entries in indexes are unknown; delete the full-text and "
            + "pattern indexes of its collection, delete the document or save it again, and create the indexes again",
          recovery: .dropTextIndexes)
      }
      return try body(root)
    }
  }
}
