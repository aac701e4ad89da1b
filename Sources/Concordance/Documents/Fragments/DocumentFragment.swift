/// A document that may be there or not: what `collection["id"]` gives.
///
/// ```swift
/// hotels["hotel_1"].exists
/// hotels["hotel_1"]["address"]["city"].string
/// ```
public final class DocumentFragment: DictionaryFragment {
  /// The document, or nil. A document that cannot be read is nil, too; ``Collection/document(id:)`` tells why.
  public let document: Document?

  init(_ document: Document?) { self.document = document }

  /// Whether there is a document.
  public var exists: Bool { document != nil }

  /// The property with this key.
  public subscript(key: String) -> Fragment { document.map { Fragment($0, key: key) } ?? Fragment(.nowhere) }
}

extension Collection {
  /// The document with this id, there or not.
  public subscript(key: String) -> DocumentFragment {
    // A subscript cannot throw.
    DocumentFragment(try? document(id: key))
  }
}
