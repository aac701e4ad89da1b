import Concordance
import HTTPTypes
import Hummingbird
import JSONText

/// The identity of a saved document.
struct SavedDocumentResponse: Sendable {
  let id: String
  let revision: String
  let sequence: UInt64

  init(_ document: Document) {
    (id, revision, sequence) = (document.id, document.revisionID ?? "", document.sequence)
  }

  var tag: String { "\"\(revision)\"" }

  /// Returns the response to a request that saved the document. If it is new, its path is in `Location`.
  func response(_ status: HTTPResponse.Status, at input: RequestInput) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", id)
      writer.member("revision", revision)
      writer.member("sequence", Int(clamping: sequence))
    }
    var headers: HTTPFields = [.eTag: tag]
    if status == .created { headers[.location] = PathText.path(input.documentPath(id)) }
    return .json(writer, status: status, headers: headers)
  }
}
