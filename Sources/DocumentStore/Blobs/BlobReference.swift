import JSONText

/// References from documents to blobs. A reference is an object, at any depth, of the form
/// `{"@type":"blob","digest":"sha1-…","length":9,"content_type":"text/plain"}`, as in Couchbase Lite. Developer builds
/// of Couchbase Lite wrote `_cbltype` instead of `@type`.
enum BlobReference {
  /// Calls `body` with the digest of each reference inside a value. If the key `digest` occurs more than once, all of
  /// its values count, because a reader may use any of them.
  static func forEach(in element: JSONElement, _ body: (String) throws -> Void) rethrows {
    try forEachWithMetadata(in: element) { digest, _, _ in try body(digest) }
  }

  /// Calls `body` with the digest, the content type and the length in bytes of each reference inside a value. The
  /// content type and the length are nil if the document does not state them.
  static func forEachWithMetadata(
    in element: JSONElement, _ body: (_ digest: String, _ contentType: String?, _ length: Int64?) throws -> Void
  ) rethrows {
    switch element.kind {
    case .array: try element.forEachElement { try forEachWithMetadata(in: $0, body) }
    case .object:
      var isBlob = false
      var digests: [String] = []
      var contentType: String?
      var length: Int64?
      try element.forEachMember { key, value in
        switch value.kind {
        case .array, .object: try forEachWithMetadata(in: value, body)
        case .int64: if key.elementsEqual("length".utf8) { length = value.int64 }
        case .string:
          guard let text = value.stringBytes else { return }
          if key.elementsEqual("digest".utf8) {
            digests.append(String(decoding: text, as: UTF8.self))
          } else if key.elementsEqual("content_type".utf8) {
            contentType = String(decoding: text, as: UTF8.self)
          } else if text.elementsEqual("blob".utf8),
            key.elementsEqual("@type".utf8) || key.elementsEqual("_cbltype".utf8)
          {
            isBlob = true
          }
        default: return
        }
      }
      if isBlob { for digest in digests { try body(digest, contentType, length) } }
    default: return
    }
  }
}
