import Concordance
import Foundation
import Synchronization

/// Caches the collections that requests use, because looking up a collection reads the catalog in a separate
/// transaction.
final class CollectionCache: Sendable {
  private static let maximumCount = 1000

  private let collections = Mutex<[String: Concordance.Collection]>([:])

  /// Runs `body` with a collection. A deleted collection is looked up again because a new one may have the same name.
  ///
  /// - Parameter name: the name in the request path.
  func with<T>(
    _ name: String, in database: Database, _ body: (Concordance.Collection) throws -> T
  ) throws -> T {
    let key = "\(database.name)/\(name)"
    if let known = collections.withLock({ $0[key] }) {
      do {
        return try body(known)
      } catch let error as CBLError where error.code == CBLError.notOpen {
        collections.withLock { $0[key] = nil }
      }
    }
    let found = try RequestInput.collection(named: name, in: database)
    collections.withLock { collections in
      if collections.count >= CollectionCache.maximumCount { collections.removeAll() }
      collections[key] = found
    }
    return try body(found)
  }
}
