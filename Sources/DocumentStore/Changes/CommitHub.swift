import Foundation
import Synchronization

/// Tells the stores that have one file open in this process of each other's commits, at once and without asking the file.
final class CommitHub: Sendable {
  private struct Observers {
    var lastID = 0
    var changes: [Int: @Sendable (CommitEvent) -> Void] = [:]
    /// The observers of each document.
    var documents: [DocumentKey: Set<Int>] = [:]
    var expirations: [Int: @Sendable (Int64) -> Void] = [:]
  }

  private struct WeakHub {
    weak var hub: CommitHub?
  }

  private static let hubs = Locked<[FileIdentity: WeakHub]>([:])

  private let observers = Locked(Observers())
  private let openStores = Atomic(0)
  /// Asked at every commit, so without a lock.
  private let changeObserverCount = Atomic(0)
  /// Asked at every save, so without a lock.
  private let documentObserverCount = Atomic(0)

  /// The hub of a file: the same one as long as any store holds it. A file that nobody can find has one of its own.
  static func hub(ofFile path: String) -> CommitHub {
    guard let file = FileIdentity(ofFile: path) else { return CommitHub() }
    return hubs.withLock { hubs in
      if let known = hubs[file]?.hub { return known }
      hubs = hubs.filter { $0.value.hub != nil }
      let hub = CommitHub()
      hubs[file] = WeakHub(hub: hub)
      return hub
    }
  }

  /// How many stores of this process have the file open.
  var openStoreCount: Int { openStores.load(ordering: .acquiring) }

  func didOpenStore() { openStores.add(1, ordering: .acquiringAndReleasing) }

  func didCloseStore() { openStores.subtract(1, ordering: .acquiringAndReleasing) }

  /// Whether the changes of a document are to be announced, each of them.
  func isObserved(_ document: @autoclosure () -> DocumentKey) -> Bool {
    guard documentObserverCount.load(ordering: .acquiring) > 0 else { return false }
    let document = document()
    return observers.withLock { $0.documents[document] != nil }
  }

  /// Announces the changes of observed documents before their commit.
  func willCommit(_ revisions: [DocumentRevision]) {
    if !revisions.isEmpty { tell(.willCommit(revisions)) }
  }

  /// Withdraws what was announced.
  func didFail(_ revisions: [DocumentRevision]) {
    if !revisions.isEmpty { tell(.didFail(revisions)) }
  }

  private func tell(_ event: CommitEvent) {
    for observer in observers.withLock({ Array($0.changes.values) }) { observer(event) }
  }

  /// Tells of a commit, on the thread that has made it.
  func didCommit(hasChanges: Bool, earliestExpiration: Int64?) {
    // Sequentially consistent, as is the counting: who adds an observer and then reads the file misses no commit.
    if hasChanges, changeObserverCount.load(ordering: .sequentiallyConsistent) > 0 { tell(.didCommit) }
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

/// Somebody who is told of commits, until this is cancelled or let go.
public final class CommitObservation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends the observation. A call that has begun may still be running. Cancelling again does nothing.
  public func cancel() { end() }
}

extension Store {
  /// Calls `body` for every commit that changes documents, by this store or by another one in this process that has the same
  /// file open. Not for those of other processes: ``ChangeReader/dataVersion()`` tells of them.
  ///
  /// - Parameter body: runs on the thread that writes, which waits for it: it must be short, and use no database.
  public func observeChanges(_ body: @escaping @Sendable (CommitEvent) -> Void) -> CommitObservation {
    commits.observeChanges(body)
  }

  /// Has each change of a document announced by ``CommitEvent/willCommit(_:)`` as long as the observation lasts.
  public func observe(_ document: DocumentKey) -> CommitObservation { commits.observe(document) }

  /// Calls `body` after every commit that has set the expiration of documents, as ``observeChanges(_:)`` does.
  ///
  /// - Parameter body: gets the earliest one, in milliseconds since 1970.
  public func observeExpirations(_ body: @escaping @Sendable (Int64) -> Void) -> CommitObservation {
    commits.observeExpirations(body)
  }
}
