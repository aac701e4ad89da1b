/// A document that an import did not save. The import goes on with the next.
public struct ImportRefusal: Hashable, Sendable {
  /// Why a document was not saved.
  public enum Reason: Hashable, Sendable {
    /// Another document with the same id was read by the same import, or from another file: the one with this path, or nil for a
    /// document that was not read from a file.
    case duplicateID(source: String?)
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

/// Two documents with the same id from two files, for the decision which of them is stored.
public struct ImportDuplicate: Hashable, Sendable {
  /// The id of both.
  public let id: String
  /// The path of the file that is being read.
  public let path: String
  /// The path of the file whose document is stored.
  public let storedPath: String
}
