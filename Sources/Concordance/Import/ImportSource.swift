/// A file that documents are read from, as it is now.
public struct ImportSource: Hashable, Sendable {
  /// The file's path. Use the absolute one, so that a file is known again from another folder.
  public var path: String
  /// Its size in bytes.
  public var size: Int64
  /// When it was changed last, in nanoseconds since 1970.
  public var modified: Int64
  /// How it is read, in the caller's words: a file that was read otherwise before is not up to date.
  public var settings: String

  /// Describes a file.
  public init(path: String, size: Int64, modified: Int64, settings: String = "") {
    self.path = path
    self.size = size
    self.modified = modified
    self.settings = settings
  }
}

/// What an import has done.
public struct ImportSummary: Hashable, Sendable {
  /// Documents that were new or had changed.
  public var savedCount = 0
  /// Documents whose text was the same as before.
  public var unchangedCount = 0
  /// Documents that were removed because they are gone from their source.
  public var removedCount = 0
  /// Bytes of JSON text in the saved and unchanged documents.
  public var byteCount = 0
  /// Documents that took the place of one with the same id that is of another file, or one of them of no file, since the importer
  /// was told to replace it. The first hundred.
  public var replacedIDs: [String] = []
  /// How many such documents there were.
  public var replacedCount = 0
  /// Documents that were not saved. The first hundred.
  public var refusals: [ImportRefusal] = []
  /// How many such documents there were.
  public var refusedCount = 0
  /// Files that must be read again although they have not changed: a document of theirs has the id of one of another file, which
  /// is gone now. They are no longer among ``Collection/importedSources()``.
  public var reopenedSourceCount = 0

  /// Nothing done yet.
  public init() {}
}
