/// A file that documents are read from, in its current state. A file whose state differs from the imported one is not
/// up to date.
public struct ImportSource: Hashable, Sendable {
  /// The path of the file. Use the absolute path, so that it is the same in every working directory.
  public var path: String
  /// Its size in bytes.
  public var size: Int64
  /// The time of the last modification, in nanoseconds since 1970.
  public var modified: Int64
  /// The options with which it is read, in any form. A file that was read with other options is not up to date.
  public var settings: String

  /// Describes a file.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - size: its size in bytes.
  ///   - modified: the time of the last modification, in nanoseconds since 1970.
  ///   - settings: the options with which it is read.
  public init(path: String, size: Int64, modified: Int64, settings: String = "") {
    self.path = path
    self.size = size
    self.modified = modified
    self.settings = settings
  }
}

/// The numbers of an import.
public struct ImportSummary: Hashable, Sendable {
  /// The number of documents that were new or changed.
  public var savedCount = 0
  /// The number of documents whose text was the same as before.
  public var unchangedCount = 0
  /// The number of documents that were removed because their file does not contain them any more.
  public var removedCount = 0
  /// The bytes of JSON text of saved and unchanged documents.
  public var byteCount = 0
  /// The ids of documents that have replaced one of another file, or of no file, because `replacing` returned true. The
  /// first hundred.
  public var replacedIDs: [String] = []
  /// The number of all such documents.
  public var replacedCount = 0
  /// Documents that were not saved. The first hundred.
  public var refusals: [ImportRefusal] = []
  /// The number of all documents that were not saved.
  public var refusedCount = 0
  /// The number of files that must be read again although they have not changed: one of their documents has the id of a
  /// document of another file that was removed. They are no longer among ``Collection/importedSources()``.
  public var reopenedSourceCount = 0

  /// Makes a summary with zeros.
  public init() {}
}
