// The codes of Couchbase Lite. Those of parts that are not here are kept for programs that compare with them.
extension CBLError {
  /// A fault inside the library.
  public static let assertionFailed = 1
  /// Something that is not built.
  public static let unimplemented = 2
  /// Encryption, which this version does not have.
  public static let unsupportedEncryption = 3
  /// The revision is not one.
  public static let badRevisionID = 4
  /// A stored document is damaged.
  public static let corruptRevisionData = 5
  /// The database or collection is not open, or was deleted.
  public static let notOpen = 6
  /// There is no such document, database or collection.
  public static let notFound = 7
  /// The document was changed since it was read.
  public static let conflict = 8
  /// A parameter has a value that is not allowed.
  public static let invalidParameter = 9
  /// A batch was rolled back because its block threw, see ``Database/inBatch(using:)``; or something that should not happen.
  public static let unexpectedError = 10
  /// The file cannot be opened.
  public static let cantOpenFile = 11
  /// Reading or writing the disk failed, or it is full.
  public static let ioError = 12
  /// Memory is short.
  public static let memoryError = 13
  /// The database is open for reading only, or its file may not be written.
  public static let notWriteable = 14
  /// The file is damaged.
  public static let corruptData = 15
  /// The file is in use: another process was writing for longer than the timeout, or has it open.
  public static let busy = 16
  /// A call that needs a batch.
  public static let notInTransaction = 17
  /// A call that cannot be made inside a batch or while documents are being read.
  public static let transactionNotClosed = 18
  /// Something that this version does not do.
  public static let unsupported = 19
  /// The file is no database of this library.
  public static let unreadableDatabase = 20
  /// The file has another format.
  public static let wrongFormat = 21
  /// A fault in encryption.
  public static let crypto = 22
  /// The query cannot be understood.
  public static let invalidQuery = 23
  /// There is no such index.
  public static let missingIndex = 24
  /// A parameter of the query has no value, or one of a wrong type.
  public static let invalidQueryParam = 25
  /// A fault of another server.
  public static let remoteError = 26
  /// The file was written by a version that is too old.
  public static let databaseTooOld = 27
  /// The file was written by a newer version.
  public static let databaseTooNew = 28
  /// The document id is not allowed.
  public static let badDocID = 29
  /// The file cannot be brought to today's format.
  public static let cantUpgradeDatabase = 30
  /// The text is not JSON, or not an object.
  public static let invalidJSON = 17001
  /// A document cannot be read as the type that was asked for.
  public static let decodingError = 18001
  /// A value cannot be saved as a document.
  public static let encodingError = 18002
}
