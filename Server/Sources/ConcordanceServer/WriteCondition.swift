import Concordance
import HTTPTypes

/// The `If-Match` and `If-None-Match` headers of a request that changes a document or a blob.
struct WriteCondition: Sendable {
  /// The headers for the description of an endpoint that changes a document.
  static let parameters = [
    Endpoint.Parameter(
      name: "If-Match", schema: .string, summary: "Changes the document only if it has this ETag.", isHeader: true),
    Endpoint.Parameter(
      name: "If-None-Match", schema: .string,
      summary: "Changes the document only if it does not have this ETag; * only if it does not exist.",
      isHeader: true),
  ]
  /// The headers for the description of an endpoint that stores a blob in a document.
  static let blobParameters = [
    Endpoint.Parameter(
      name: "If-Match", schema: .string,
      summary: "Stores the blob only if the property contains a blob with this ETag, or the document has it.",
      isHeader: true),
    Endpoint.Parameter(
      name: "If-None-Match", schema: .string,
      summary: "Stores the blob only if the property contains no blob with this ETag; * only if it contains none.",
      isHeader: true),
  ]

  private let match: EntityTags?
  private let noneMatch: EntityTags?

  init(_ headers: HTTPFields) {
    match = headers[.ifMatch].map { EntityTags($0) }
    noneMatch = headers[.ifNoneMatch].map { EntityTags($0) }
  }

  /// Checks the condition for a document; nil if it does not exist.
  ///
  /// - Throws: ``Problem`` with status 412.
  func check(_ stored: Document?, _ id: String) throws {
    try check(stored.map { SavedDocumentResponse($0).tag }, name: "document \"\(id)\"")
  }

  /// Checks the condition for a document or a blob.
  ///
  /// - Parameters:
  ///   - tag: its ETag; nil if it does not exist.
  ///   - document: the ETag of the document that contains the blob, which `If-Match` also accepts; nil for none.
  ///   - name: describes it in errors.
  /// - Throws: ``Problem`` with status 412.
  func check(_ tag: String?, document: String? = nil, name: String) throws {
    if let match {
      let isMatched = tag.map { match.contains($0) } ?? false
      guard isMatched || document.map({ match.lists($0) }) ?? false else {
        throw Problem(
          .preconditionFailed, "conflict", tag.map { "the \(name) has the ETag \($0)" } ?? "there is no \(name)")
      }
    }
    if let noneMatch, let tag, noneMatch.contains(tag) {
      throw Problem(.preconditionFailed, "conflict", "there is a \(name) with the ETag \(tag)")
    }
  }
}
