import SQLiteAccess

/// The file of a store. It checks that connections that are opened later are connections to the same file, because
/// another program may have replaced the file at the path.
final class OpenedFile: Sendable {
  private let path: String
  private let absolutePath: String
  private let identity = Locked<FileIdentity?>(nil)

  /// - Parameter path: the path for messages.
  init(_ path: String, absolutePath: String) {
    self.path = path
    self.absolutePath = absolutePath
  }

  /// Records which file the first connection has opened.
  func didOpen(_ identity: FileIdentity?) { self.identity.withLock { $0 = identity } }

  /// Throws if the path no longer refers to the file. Call it after a connection was opened: if the file is replaced
  /// afterwards, the connection keeps the file that it has opened.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/replaced``.
  func requireSame() throws {
    guard let opened = identity.withLock({ $0 }), FileIdentity(ofFile: absolutePath) != opened else { return }
    throw StoreError(
      .replaced,
      "\(path): the file was deleted or replaced while it was open, and reading it needs another connection; close the "
        + "database and open it again")
  }
}
