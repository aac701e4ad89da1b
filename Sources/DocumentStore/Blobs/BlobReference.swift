import JSONText

/// References of documents to blobs: an object, at any depth, of the form
/// `{"@type":"blob","digest":"sha1-…","length":9,"content_type":"text/plain"}`, the format of Couchbase Lite. Its
/// developer builds wrote `_cbltype` instead of `@type`.
enum BlobReference {
  /// Calls `body` with the digest of each reference inside a value. If a key occurs twice, every value counts, because
  /// a blob that a reader may find must not be deleted.
  static func forEach(in element: JSONElement, _ body: (String) throws -> Void) rethrows {
    switch element.kind {
    case .array: try element.forEachElement { try forEach(in: $0, body) }
    case .object:
      var isBlob = false
      var digests: [String] = []
      try element.forEachMember { key, value in
        switch value.kind {
        case .array, .object: try forEach(in: value, body)
        case .string:
          guard let text = value.stringBytes else { return }
          if key.elementsEqual("digest".utf8) {
            digests.append(String(decoding: text, as: UTF8.self))
          } else if text.elementsEqual("blob".utf8),
            key.elementsEqual("@type".utf8) || key.elementsEqual("_cbltype".utf8)
          {
            isBlob = true
          }
        default: return
        }
      }
      if isBlob { try digests.forEach(body) }
    default: return
    }
  }
}
