import GRDB
public import SQLiteAccess

/// An error that a store reports.
public typealias StoreError = ModuleError<StoreErrorKind>

/// The kinds of errors that a store reports.
public enum StoreErrorKind: ErrorKind {
  /// There is no file at the path.
  case notFound
  /// The file cannot be opened: permissions, or a path that is a directory.
  case cannotOpen
  /// The file is not an SQLite database.
  case notADatabase
  /// The file is an SQLite database, but was not created by this library.
  case foreignDatabase
  /// The file was created by this library, but contains tables, indexes, triggers or views that it does not create.
  case foreignObject
  /// The file was written by a newer version of this library.
  case newerVersion
  /// The file is damaged.
  case corrupt
  /// The file is open in this or another process.
  case inUse
  /// The file already exists.
  case alreadyExists
  /// Another process was writing for longer than the timeout.
  case busy
  /// The disk is full, or a quota is reached.
  case diskFull
  /// The store was opened for reading only, or its file is not writable.
  case readOnly
  /// Reading from or writing to the disk failed.
  case io
  /// The PostgreSQL server cannot be reached, or refuses the user or the database.
  case serverUnreachable
  /// The connection to the PostgreSQL server was lost.
  case connectionLost
  /// The database is no longer the one that was opened: the file was deleted or replaced, or the tables on PostgreSQL
  /// were deleted or created again.
  case replaced
  /// The store is closed.
  case closed
  /// A document id is empty, too long, or begins with an underscore.
  case badDocumentID
  /// A document is not a JSON object in UTF-8.
  case notJSON
  /// A document exceeds the size limit.
  case tooLarge
  /// Another writer has changed the document since it was read.
  case conflict
  /// The name of a collection or scope is not allowed.
  case badName
  /// The collection does not exist.
  case noSuchCollection
  /// No blob has this digest.
  case noSuchBlob
  /// A file changed while its content was being saved.
  case contentChanged
  /// The time limit of a request was reached; see ``Deadline``.
  case timeout
  /// The operation is not available for databases on PostgreSQL.
  case unavailable
  /// A call is not allowed in its context: closing inside a batch, for example.
  case misuse
  /// Any other SQLite error.
  case database
}

extension StoreError {
  /// The error for a change to a file that is no longer at its path.
  static func fileReplaced(_ path: String) -> StoreError {
    StoreError(
      .replaced, "\(path): the file was deleted or replaced while it was open; nothing in this batch was saved")
  }

  /// Translates an SQLite error to a ``StoreError``; returns any other error unchanged.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - path: the path of the file, for the message.
  ///   - busyTimeout: the number of seconds that SQLite waited, for the message.
  public static func translating(_ error: any Error, path: String, busyTimeout: Double) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    let detail = error.message ?? "\(error.resultCode)"
    if case .missingTable(let table) = error.cause {
      let what = table.hasPrefix("concordance_") ? "the index" : "the collection"
      return StoreError(.noSuchCollection, "\(path): \(what) \(table) was deleted")
    }
    switch error.resultCode {
    case .SQLITE_LOCKED:
      return StoreError(.busy, "\(path): the table is being read by this process; finish reading first")
    case .SQLITE_BUSY:
      return StoreError(
        .busy,
        "\(path): another process has been writing for more than \(busyTimeout) s; try again when it is done")
    case .SQLITE_FULL:
      return StoreError(
        .diskFull, "\(path): the disk is full; nothing in this batch was written", recovery: .freeSpace)
    case .SQLITE_NOTADB: return StoreError(.notADatabase, "\(path): not a database")
    case .SQLITE_CORRUPT:
      return StoreError(
        .corrupt, "\(path): the file is damaged (\(detail))", recovery: .verify)
    case .SQLITE_READONLY, .SQLITE_PERM:
      return StoreError(.readOnly, "\(path): cannot be written (\(detail))")
    case .SQLITE_CANTOPEN: return StoreError(.cannotOpen, "\(path): cannot be opened (\(detail))")
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_WRITE:
      return StoreError(
        .io,
        "\(path): writing failed (\(detail)): the disk reported an error, or the file size limit (`ulimit -f`) was "
          + "reached; nothing in this batch was saved")
    // The file of the shared memory cannot be enlarged. SQLite does not report the reason.
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
      return StoreError(
        .diskFull,
        "\(path): the disk is full, or the file size limit (`ulimit -f`) was reached; nothing in this batch was written",
        recovery: .freeSpace)
    // SQLite fails if its shared memory is deleted together with the file.
    case .SQLITE_IOERR where FileIdentity(ofFile: path) == nil: return fileReplaced(path)
    case .SQLITE_IOERR: return StoreError(.io, "\(path): reading or writing failed (\(detail))")
    // An error of PostgreSQL begins with the name of the server.
    default: return StoreError(.database, detail.hasPrefix("\(path): ") ? detail : "\(path): \(detail)")
    }
  }
}
