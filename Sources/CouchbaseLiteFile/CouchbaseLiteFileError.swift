public import SQLiteAccess

/// An error that prevents a Couchbase Lite database from being read.
public typealias CouchbaseLiteFileError = ModuleError<CouchbaseLiteFileErrorKind>

/// The kinds of errors that can occur when a Couchbase Lite database is read.
public enum CouchbaseLiteFileErrorKind: ErrorKind {
  /// Nothing exists at the path.
  case notFound
  /// The file or folder is not a Couchbase Lite database.
  case notCouchbaseLite
  /// The file is encrypted, or its first page is damaged.
  case encrypted
  /// The storage type or the format version is not supported.
  case unsupported
  /// The file was written by a newer version of Couchbase Lite.
  case newerVersion
  /// The file is damaged.
  case damaged
  /// Another program changed the file while it was being read.
  case changed
  /// The file cannot be opened or read.
  case unreadable
}
