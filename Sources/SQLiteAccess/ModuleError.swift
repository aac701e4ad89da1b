/// An error that a module reports: a kind for programs to test and a message for people to read.
public struct ModuleError<Kind: ErrorKind>: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public let kind: Kind
  /// A message that says what happened, to what, and, unless ``recovery`` does, what to do.
  public let message: String
  /// A way to repair the damage or to avoid the error; nil if there is none.
  public let recovery: Recovery?

  /// The message.
  public var description: String { message }

  /// Creates an error.
  public init(_ kind: Kind, _ message: String, recovery: Recovery? = nil) {
    self.kind = kind
    self.message = message
    self.recovery = recovery
  }
}

/// The kinds of errors that a module reports.
public protocol ErrorKind: Hashable, Sendable {
  /// Whether the error reports a damaged index. The statement then fails with the code ``CallbackFault/damage``, which
  /// no other statement error uses.
  var isDamage: Bool { get }
}

extension ErrorKind {
  public var isDamage: Bool { false }
}

extension ModuleError: CallbackError {
  public var callbackFault: CallbackFault { CallbackFault(isDamage: kind.isDamage, message) }
}

/// A way to repair a damaged file, or to avoid an error. Each program words the advice itself, because the library does
/// not know its commands.
public enum Recovery: Hashable, Sendable {
  /// Rebuild all indexes from the documents and recount the documents.
  case rebuildIndexes
  /// Verify the whole file to find the damage.
  case verify
  /// Drop the collection's full-text and pattern indexes, delete or resave the document, and create the indexes again.
  case dropTextIndexes
  /// Allow more time for the search of each text.
  case raiseTimeLimit
  /// Free space on the disk, or raise the quota or the limit on the size of files, and repeat the change.
  case freeSpace
  /// Import the Couchbase Lite database into another database.
  case importCouchbaseLite
}
