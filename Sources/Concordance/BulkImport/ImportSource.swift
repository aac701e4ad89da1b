/// A file that documents are imported from, with its size and modification time.
///
/// A file needs to be imported again if its `ImportSource` differs from that of the last import; see
/// ``Collection/importedSource(ofPath:)``.
public struct ImportSource: Hashable, Sendable {
  /// The path of the file. Use an absolute path, which does not depend on the working directory.
  public var path: String
  /// The size of the file in bytes.
  public var size: Int64
  /// The time of the last modification, in nanoseconds since 1970.
  public var modified: Int64
  /// A string that represents the options of the import, in any format. A file that was imported with different options
  /// must be imported again.
  public var settings: String

  /// Creates a description of a file.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - size: the size of the file in bytes.
  ///   - modified: the time of the last modification, in nanoseconds since 1970.
  ///   - settings: a string that represents the options of the import.
  public init(path: String, size: Int64, modified: Int64, settings: String = "") {
    self.path = path
    self.size = size
    self.modified = modified
    self.settings = settings
  }
}

/// The result of an import; see ``DocumentImporter/finish()``.
public struct ImportSummary: Hashable, Sendable {
  /// The number of documents that were new or changed.
  public var savedCount = 0
  /// The number of documents whose text has not changed since the last import.
  public var unchangedCount = 0
  /// The number of documents that were removed because their file no longer contains them.
  public var removedCount = 0
  /// The total length of the JSON texts of saved and unchanged documents, in bytes.
  public var byteCount = 0
  /// The ids of documents that replaced a document of another origin because `replacing` returned true. At most 100.
  public var replacedIDs: [String] = []
  /// The number of documents that replaced a document of another origin.
  public var replacedCount = 0
  /// The documents that were not saved. At most 100.
  public var refusals: [ImportRefusal] = []
  /// The number of documents that were not saved.
  public var refusedCount = 0
  /// The number of unchanged files that must be imported again, because a document that had replaced one of their
  /// documents was removed. ``Collection/importedSources()`` no longer returns them.
  public var reopenedSourceCount = 0

  /// Creates a summary in which all counts are 0.
  public init() {}
}
