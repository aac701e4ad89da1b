import Concordance
import Synchronization

/// Finds properties in queries that no document has and that are probably misspelt.
///
/// Looking for a property reads documents until one has it, which may take longer than the query. A search is therefore
/// limited to a fraction of a second, and a query for which there is nothing to report is not checked again.
final class QueryWarnings: Sendable {
  private struct Key: Hashable {
    let database: String
    let query: String
  }

  private let checked = Mutex<Set<Key>>([])

  /// The maximum number of cached queries, and the maximum length of their text in bytes.
  private static let maximumCount = 1000
  private static let maximumLength = 10_000
  private static let timeLimit = Duration.milliseconds(200)

  /// Returns a message for each property of a query that no document has.
  func messages(for text: String, in database: Database) -> [String] {
    let key = Key(database: database.name, query: text)
    if checked.withLock({ $0.contains(key) }) { return [] }
    // The rows are complete without the warnings: an error, such as the time limit, means that there are none.
    let query = try? database.createQuery(text)
    query?.timeout = QueryWarnings.timeLimit
    let unknown = (try? query?.unknownProperties()) ?? []
    if unknown.isEmpty, text.utf8.count <= QueryWarnings.maximumLength {
      checked.withLock { checked in
        if checked.count >= QueryWarnings.maximumCount { checked.removeAll() }
        checked.insert(key)
      }
    }
    return unknown.map(\.message)
  }
}
