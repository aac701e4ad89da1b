import Concordance
import HTTPTypes

/// The `If-Match` and `If-None-Match` headers of a request that changes a document.
struct WriteCondition: Sendable {
  /// The headers for the description of an endpoint.
  static let parameters = [
    Endpoint.Parameter(
      name: "If-Match", schema: .string, summary: "Changes the document only if it has this ETag.", isHeader: true),
    Endpoint.Parameter(
      name: "If-None-Match", schema: .string,
      summary: "Changes the document only if it does not have this ETag; * only if it does not exist.",
      isHeader: true),
  ]

  private let match: EntityTags?
  private let noneMatch: EntityTags?

  init(_ headers: HTTPFields) {
    match = headers[.ifMatch].map { EntityTags($0) }
    noneMatch = headers[.ifNoneMatch].map { EntityTags($0) }
  }

  func check(_ stored: Document?, _ id: String) throws {
    let tag = stored.map { SavedDocument($0).tag }
    if let match, tag.map({ !match.contains($0) }) ?? true {
      throw Problem(
        .preconditionFailed, "conflict",
        tag.map { "the document \"\(id)\" has the ETag \($0)" } ?? "there is no document \"\(id)\"")
    }
    if let noneMatch, let tag, noneMatch.contains(tag) {
      throw Problem(.preconditionFailed, "conflict", "there is a document \"\(id)\" with the ETag \(tag)")
    }
  }
}
