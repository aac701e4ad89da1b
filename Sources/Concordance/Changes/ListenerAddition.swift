import DocumentStore

/// The result of adding a change listener.
enum ListenerAddition {
  /// The listener was added.
  case added(ChangeListener)
  /// No changes can occur: the database is closed or was replaced, or the collection does not exist.
  case ended
  /// The changes cannot be read, for example because too many files are open or a server is not available. A later
  /// attempt may succeed.
  case failed(any Error)

  /// - Parameter error: the error of the attempt.
  init(_ error: any Error) {
    let stored = error as? StoreError
    let hasEnded = stored?.kind == .closed || stored?.kind == .noSuchCollection || stored?.isLasting == true
    self = hasEnded ? .ended : .failed(error)
  }
}

extension StoreError {
  /// Whether the database that was opened no longer exists, so that trying again cannot succeed.
  var isLasting: Bool {
    switch kind {
    case .replaced, .notADatabase, .newerVersion: true
    default: false
    }
  }
}
