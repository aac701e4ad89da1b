/// A document that an import did not save. The import continues with the next document.
public struct ImportRefusal: Hashable, Sendable {
  /// The reason why a document was not saved.
  public enum Reason: Hashable, Sendable {
    /// The same import or another file contains a document with the same id.
    ///
    /// `source` is the path of the file of that document; nil if it was not imported from a file.
    case duplicateID(source: String?)
    /// The collection contains a different document with the same id that was not imported from a file, for example one
    /// that a program has saved.
    case storedDocument
    /// The document refers to a blob that is not stored. The message contains its digest.
    case missingBlob(String)
  }

  /// The id of the document.
  public let id: String
  /// The location that was passed when the document was added; nil if there is none.
  public let location: String?
  /// The path of the file of the document; nil if it is not from a file.
  public let source: String?
  /// The reason why the document was not saved.
  public let reason: Reason
}

/// A stored and an added document that differ but have the same id, at least one of which is from a file.
///
/// It is passed to the closure `replacing` of ``DocumentImporter/init(into:replacing:progress:)``, which decides which
/// of the documents is stored.
public struct ImportDuplicate: Hashable, Sendable {
  /// The id of both documents.
  public let id: String
  /// The path of the file of the added document; nil if it is not from a file.
  public let path: String?
  /// The path of the file of the stored document; nil if it is not from a file.
  public let storedPath: String?
}
