/// The result of `collection["id"]`: a document that may or may not exist.
///
/// ```swift
/// hotels["hotel_1"].exists
/// hotels["hotel_1"]["address"]["city"].string
/// ```
///
/// If the document does not exist, every property of it is missing.
public final class DocumentFragment: DictionaryFragment {
  /// The document; nil if it does not exist or cannot be read. ``Collection/document(id:)`` throws the error.
  public let document: Document?

  init(_ document: Document?) { self.document = document }

  /// Whether the document exists.
  public var exists: Bool { document != nil }

  /// The property with the given key.
  ///
  /// - Parameter key: the key of the property.
  public subscript(key: String) -> Fragment { document.map { Fragment($0, key: key) } ?? Fragment(.missing) }
}

extension Collection {
  /// A fragment for the document with the given id, which may not exist.
  ///
  /// - Parameter key: the id of the document.
  public subscript(key: String) -> DocumentFragment {
    // A subscript cannot throw.
    DocumentFragment(try? document(id: key))
  }
}
