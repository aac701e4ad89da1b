import DocumentStore
import LineSearch

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
  ///
  /// - Throws: ``CBLError/corruptData`` if the text of the document is damaged; the errors of `transform`.
  func search<Output>(
    id: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, _ transform: (SearchedDocument) throws -> Output?
  ) throws -> Output? {
    do {
      return try text.withText(of: body) { text, parts, isValidUTF8 in
        documentCount += 1
        byteCount += text.count
        return try transform(
          SearchedDocument(
            id: String(decoding: id, as: UTF8.self), text: text, parts: parts, isValidUTF8: isValidUTF8,
            scanner: scanner))
      }
    } catch let damage as DamagedText {
      throw StoredDocument.damaged(id: String(decoding: id, as: UTF8.self), damage.error)
    }
  }
}
