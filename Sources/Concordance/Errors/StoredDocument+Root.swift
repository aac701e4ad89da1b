import DocumentStore
import JSONText

extension StoredDocument {
  /// Calls `body` with the root of the document.
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
          "the document \"\(id)\" is damaged (\(error.description)), so what indexes have of it cannot be told; drop the "
            + "full-text and pattern indexes of its collection (`concord drop-index`), delete the document or save it again, and "
            + "make the indexes anew")
      }
      return try body(root)
    }
  }
}
