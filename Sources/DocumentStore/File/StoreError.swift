import GRDB

/// What went wrong in a store: a kind for programs, and a message that says what, where and what to do.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Kind: Hashable, Sendable {
    /// There is no file at the path.
    case notFound
    /// The file cannot be opened: permissions, or a path that is a directory.
    case cannotOpen
    /// The file is no SQLite database.
    case notADatabase
    /// The file is a SQLite database, but not of this library.
    case foreignDatabase
    /// The file is one of this library, and holds tables, indexes, triggers or views that it does not make.
    case foreignObject
    /// The file was written by a newer version of this library.
    case newerVersion
    /// The file is damaged.
    case corrupt
    /// Somebody has the file open.
    case inUse
    /// There is a file already.
    case alreadyExists
    /// Another process was writing for longer than the timeout.
    case busy
    /// The disk is full, or a quota is reached.
    case diskFull
    /// The store was opened for reading only, or its file may not be written.
    case readOnly
    /// Reading or writing the disk failed.
    case io
    /// The store is closed.
    case closed
    /// A document id that is empty, too long, or begins with an underscore.
    case badDocumentID
    /// A document that is not a JSON object in UTF-8.
    case notJSON
    /// A document above the size limit.
    case tooLarge
    /// The document was changed by somebody else since it was read.
    case conflict
    /// A name of a collection or scope that is not allowed.
    case badName
    /// There is no such collection.
    case noSuchCollection
    /// There is no blob with this digest.
    case noSuchBlob
    /// A file changed while its content was being saved.
    case contentChanged
    /// The time limit of a request was reached, see ``Deadline``.
    case timeout
    /// A call in a place where it cannot be done: closing inside a batch, for instance.
    case misuse
    /// Anything else that SQLite reports.
    case database
  }

  /// What kind of fault it is.
  public let kind: Kind
  /// What, where, and what to do.
  public let message: String

  /// The message.
  public var description: String { message }

  /// Makes an error.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

extension StoreError {
  /// Puts an error of SQLite into the words of this library; any other error stays as it is.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - path: the file that it concerns.
  ///   - busyTimeout: how long was waited, for the message.
  public static func translating(_ error: any Error, path: String, busyTimeout: Double) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    let detail = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_ERROR where detail.hasPrefix("no such table: "):
      let table = detail.dropFirst("no such table: ".count)
      let what = table.hasPrefix("concordance_") ? "the index" : "the collection"
      return StoreError(.noSuchCollection, "\(path): \(what) \(table) was deleted")
    case .SQLITE_LOCKED:
      return StoreError(.busy, "\(path): the table is being read by this process; finish reading first")
    case .SQLITE_BUSY:
      return StoreError(
        .busy,
        "\(path): another process has been writing for more than \(busyTimeout) s; try again when it is done")
    case .SQLITE_FULL:
      return StoreError(.diskFull, "\(path): the disk is full; nothing of this batch was written")
    case .SQLITE_NOTADB: return StoreError(.notADatabase, "\(path): not a database")
    case .SQLITE_CORRUPT:
      return StoreError(
        .corrupt, "\(path): the file is damaged (\(detail)); run `concord verify` to see where")
    case .SQLITE_READONLY, .SQLITE_PERM:
      return StoreError(.readOnly, "\(path): cannot be written (\(detail))")
    case .SQLITE_CANTOPEN: return StoreError(.cannotOpen, "\(path): cannot be opened (\(detail))")
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_WRITE:
      return StoreError(
        .io,
        "\(path): writing failed (\(detail)): the disk reports an error, or a limit on the size of files (`ulimit -f`) was "
          + "reached; nothing of this batch was saved")
    case .SQLITE_IOERR: return StoreError(.io, "\(path): reading or writing failed (\(detail))")
    default: return StoreError(.database, "\(path): \(detail)")
    }
  }
}
