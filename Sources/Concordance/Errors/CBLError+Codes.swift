// The error codes of Couchbase Lite. Codes of features that this library lacks are included so that programs for
// Couchbase Lite compile.
extension CBLError {
  /// An internal error of the library.
  public static let assertionFailed = 1
  /// The feature is not implemented.
  public static let unimplemented = 2
  /// The database or configuration uses encryption, which this library does not support.
  public static let unsupportedEncryption = 3
  /// The revision id is invalid.
  public static let badRevisionID = 4
  /// A stored document is damaged. Call ``Database/verify(progress:)``.
  public static let corruptRevisionData = 5
  /// The database is closed, or the collection was deleted.
  public static let notOpen = 6
  /// The document, database or collection does not exist.
  public static let notFound = 7
  /// The stored document has changed since the document was read.
  public static let conflict = 8
  /// An argument has an invalid value.
  public static let invalidParameter = 9
  /// A batch was rolled back because its block threw an error. See ``Database/inBatch(using:)`` and
  /// ``CBLError/underlyingError``. It is also the code of internal errors.
  public static let unexpectedError = 10
  /// The file cannot be opened.
  public static let cantOpenFile = 11
  /// Reading from or writing to the disk failed, or the disk is full.
  public static let ioError = 12
  /// The process cannot allocate memory.
  public static let memoryError = 13
  /// The database was opened for reading only, or its file is write-protected.
  public static let notWriteable = 14
  /// The file is damaged. Call ``Database/verify(progress:)``.
  public static let corruptData = 15
  /// The file is in use: another process held the write lock for longer than ``DatabaseConfiguration/busyTimeout``, or
  /// the file to delete is open.
  public static let busy = 16
  /// The call must be made inside a batch.
  public static let notInTransaction = 17
  /// The call cannot be made inside a batch or while documents are being read.
  public static let transactionNotClosed = 18
  /// This version does not support the operation.
  public static let unsupported = 19
  /// The file is not a Concordance database.
  public static let unreadableDatabase = 20
  /// The file has an unexpected format.
  public static let wrongFormat = 21
  /// Encryption failed.
  public static let crypto = 22
  /// The query cannot be parsed or compiled. The message contains the position of a syntax error.
  public static let invalidQuery = 23
  /// The index does not exist.
  public static let missingIndex = 24
  /// A parameter of the query has no value, or a value of the wrong type.
  public static let invalidQueryParam = 25
  /// A remote server reported an error.
  public static let remoteError = 26
  /// The file was written by a version that is too old.
  public static let databaseTooOld = 27
  /// The file was written by a newer version of the library, or more migrations were applied to it than the program
  /// defines.
  public static let databaseTooNew = 28
  /// The document id is invalid: it is empty, longer than 240 bytes, or begins with `_`.
  public static let badDocID = 29
  /// The file cannot be upgraded to the current format.
  public static let cantUpgradeDatabase = 30
  /// The text is not valid JSON, or is not an object or an array where one is required.
  public static let invalidJSON = 17001
  /// A document or row cannot be decoded as the requested type. The message contains the path of the property.
  public static let decodingError = 18001
  /// A value cannot be encoded as a document.
  public static let encodingError = 18002
}
