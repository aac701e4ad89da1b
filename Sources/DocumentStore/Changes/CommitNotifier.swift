import Foundation
import Synchronization

/// Tells the stores in this process that have the same file open about each other's commits, immediately and without
/// reading the file.
final class CommitNotifier: Sendable {
  private struct Observers {
    var lastID = 0
    var changes: [Int: @Sendable (CommitEvent) -> Void] = [:]
    /// The observers of each document.
    var documents: [DocumentKey: Set<Int>] = [:]
    var expirations: [Int: @Sendable (Int64) -> Void] = [:]
  }

  private struct WeakNotifier {
    weak var notifier: CommitNotifier?
  }

  private static let notifiers = Locked<[FileIdentity: WeakNotifier]>([:])

  private let observers = Locked(Observers())
  private let openStores = Atomic(0)
  /// Atomic because every commit reads it.
  private let changeObserverCount = Atomic(0)
  /// Atomic because every save reads it.
  private let documentObserverCount = Atomic(0)

  /// Returns the notifier of a file, which is shared as long as any store uses it. If the file does not exist, returns
  /// a notifier that is not shared.
  static func notifier(ofFile path: String) -> CommitNotifier {
    guard let file = FileIdentity(ofFile: path) else { return CommitNotifier() }
    return notifiers.withLock { notifiers in
      if let known = notifiers[file]?.notifier { return known }
      notifiers = notifiers.filter { $0.value.notifier != nil }
      let notifier = CommitNotifier()
      notifiers[file] = WeakNotifier(notifier: notifier)
      return notifier
    }
  }

  /// The number of stores in this process that have the file open.
  var openStoreCount: Int { openStores.load(ordering: .acquiring) }

  func didOpenStore() { openStores.add(1, ordering: .acquiringAndReleasing) }

  func didCloseStore() { openStores.subtract(1, ordering: .acquiringAndReleasing) }

  /// Returns whether a document is observed, so that each of its changes must be announced.
  func isObserved(_ document: @autoclosure () -> DocumentKey) -> Bool {
    guard documentObserverCount.load(ordering: .acquiring) > 0 else { return false }
    let document = document()
    return observers.withLock { $0.documents[document] != nil }
  }

  /// Announces the changes to observed documents before their commit.
  func willCommit(_ revisions: [DocumentRevision]) {
    if !revisions.isEmpty { notify(.willCommit(revisions)) }
  }

  /// Withdraws the announcement of changes whose commit failed.
  func didFail(_ revisions: [DocumentRevision]) {
    if !revisions.isEmpty { notify(.didFail(revisions)) }
  }

  private func notify(_ event: CommitEvent) {
    for observer in observers.withLock({ Array($0.changes.values) }) { observer(event) }
  }

  /// Announces a commit, on the thread that made it.
  func didCommit(hasChanges: Bool, earliestExpiration: Int64?) {
    // Sequentially consistent, like the updates of the count: code that adds an observer and then reads the file misses
    // no commit.
    if hasChanges, changeObserverCount.load(ordering: .sequentiallyConsistent) > 0 { notify(.didCommit) }
    if let earliestExpiration {
      for observer in observers.withLock({ Array($0.expirations.values) }) { observer(earliestExpiration) }
    }
  }

  func observeChanges(_ body: @escaping @Sendable (CommitEvent) -> Void) -> CommitObservation {
    let id = observers.withLock { observers in
      observers.lastID += 1
      observers.changes[observers.lastID] = body
      return observers.lastID
    }
    changeObserverCount.add(1, ordering: .sequentiallyConsistent)
    return CommitObservation { [weak self] in
      guard let self, let removed = observers.withLock({ $0.changes.removeValue(forKey: id) }) else { return }
      changeObserverCount.subtract(1, ordering: .sequentiallyConsistent)
      withExtendedLifetime(removed) {}
    }
  }

  func observe(_ document: DocumentKey) -> CommitObservation {
    let id = observers.withLock { observers in
      observers.lastID += 1
      observers.documents[document, default: []].insert(observers.lastID)
      return observers.lastID
    }
    documentObserverCount.add(1, ordering: .acquiringAndReleasing)
    return CommitObservation { [weak self] in
      let isRemoved = self?.observers.withLock { observers in
        defer { if observers.documents[document]?.isEmpty == true { observers.documents[document] = nil } }
        return observers.documents[document]?.remove(id) != nil
      }
      if isRemoved == true { self?.documentObserverCount.subtract(1, ordering: .acquiringAndReleasing) }
    }
  }

  func observeExpirations(_ body: @escaping @Sendable (Int64) -> Void) -> CommitObservation {
    let id = observers.withLock { observers in
      observers.lastID += 1
      observers.expirations[observers.lastID] = body
      return observers.lastID
    }
    return CommitObservation { [weak self] in
      let removed = self?.observers.withLock { $0.expirations.removeValue(forKey: id) }
      withExtendedLifetime(removed) {}
    }
  }
}

/// An observation of commits, which lasts until it is cancelled or deallocated.
public final class CommitObservation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation. A callback in progress may still be running afterwards. Cancelling again has no effect.
  public func cancel() { end() }
}

extension Store {
  /// Calls `body` for every commit that changes documents, by this store or another store in this process that has the
  /// same file open. For commits by other processes, see ``ChangeReader/dataVersion()``.
  ///
  /// - Parameter body: runs on the writing thread, which waits for it: it must return quickly, and must not use a
  ///   database.
  public func observeChanges(_ body: @escaping @Sendable (CommitEvent) -> Void) -> CommitObservation {
    commits.observeChanges(body)
  }

  /// Announces each change to a document with ``CommitEvent/willCommit(_:)`` as long as the observation lasts.
  public func observe(_ document: DocumentKey) -> CommitObservation { commits.observe(document) }

  /// Calls `body` after every commit that sets the expiration of documents, like ``observeChanges(_:)``.
  ///
  /// - Parameter body: receives the earliest expiration, in milliseconds since 1970.
  public func observeExpirations(_ body: @escaping @Sendable (Int64) -> Void) -> CommitObservation {
    commits.observeExpirations(body)
  }
}
