/// The result of `collection["id"]`: a document that may or may not exist.
///
/// ```swift
/// hotels["hotel_1"].exists
/// hotels["hotel_1"]["address"]["city"].string
/// ```
public final class DocumentFragment: DictionaryFragment {
  /// The document; nil if it does not exist or cannot be read. ``Collection/document(id:)`` throws the reason.
  public let document: Document?

  init(_ document: Document?) { self.document = document }

  /// Whether the document exists.
  public var exists: Bool { document != nil }

  /// The property with a key.
  ///
  /// - Parameter key: the key of the property.
  public subscript(key: String) -> Fragment { document.map { Fragment($0, key: key) } ?? Fragment(.nowhere) }
}

extension Collection {
  /// The document with an id, whether or not it exists.
  ///
  /// - Parameter key: the id of the document.
  public subscript(key: String) -> DocumentFragment {
    // A subscript cannot throw.
    DocumentFragment(try? document(id: key))
  }
}
