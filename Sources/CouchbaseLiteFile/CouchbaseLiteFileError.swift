public import SQLiteAccess

/// An error that prevents a database of Couchbase Lite from being read.
public typealias CouchbaseLiteFileError = ModuleError<CouchbaseLiteFileErrorKind>

/// The kinds of error of a database of Couchbase Lite.
public enum CouchbaseLiteFileErrorKind: ErrorKind {
  /// There is nothing at the path.
  case notFound
  /// The file or folder is not a database of Couchbase Lite.
  case notCouchbaseLite
  /// The file is encrypted, or its first page is damaged.
  case encrypted
  /// The storage, or the version of the format, is not supported.
  case unsupported
  /// A newer version of Couchbase Lite has written the file.
  case newerVersion
  /// The file is damaged.
  case damaged
  /// Another program changed the file while it was being read.
  case changed
  /// The file cannot be opened or read.
  case unreadable
}
