/// A document that an import did not save. The import goes on with the next.
public struct ImportRefusal: Hashable, Sendable {
  /// Why a document was not saved.
  public enum Reason: Hashable, Sendable {
    /// Another document with the same id was read by the same import, or from another file: the one with this path, or nil for a
    /// document of the same import that was not read from a file.
    case duplicateID(source: String?)
    /// A different document with the same id was stored before, and not read from a file: by a save, for instance.
    case storedDocument
    /// The document refers to a blob that is not stored. The message says which.
    case missingBlob(String)
  }

  /// The id of the document.
  public let id: String
  /// The location that the document was added with, or nil.
  public let location: String?
  /// The path of the file that the document was read from, or nil.
  public let source: String?
  /// Why it was not saved.
  public let reason: Reason
}

/// Two different documents with the same id, of which one at least was read from a file, for the decision which of them is stored.
public struct ImportDuplicate: Hashable, Sendable {
  /// The id of both.
  public let id: String
  /// The path of the file that is being read, or nil if the document that is being added is not of a file.
  public let path: String?
  /// The path of the file that the stored document was read from, or nil if it was not read from a file.
  public let storedPath: String?
}
