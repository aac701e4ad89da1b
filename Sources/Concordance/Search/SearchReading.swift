import DocumentStore
import GRDB

/// What a search reads with: the connection of its transaction, and other threads where they are of use.
struct SearchReading {
  /// Thrown where a search should begin again with threads that help.
  struct NeedsThreads: Error {}

  let db: GRDB.Database
  /// The threads; nil before they are started.
  let crew: ReadCrew?
  /// Whether threads could help.
  let mayHaveThreads: Bool

  /// Documents from which on several threads are faster than one.
  private static let manyDocuments = 8192

  /// The threads for reading so many documents; nil where one is enough.
  ///
  /// - Throws: ``NeedsThreads``.
  func crew(forDocuments count: Int) throws -> ReadCrew? {
    guard count >= SearchReading.manyDocuments else { return nil }
    if crew == nil, mayHaveThreads { throw NeedsThreads() }
    return crew
  }
}

extension Store {
  /// Calls `body` in a transaction that sees all changes of full-text indexes, first alone, and once more with threads where it
  /// asks for them.
  func readForSearch<T>(_ body: (SearchReading) throws -> T) throws -> T {
    do {
      return try readIndexes { try body(SearchReading(db: $0, crew: nil, mayHaveThreads: !isWriting)) }
    } catch is SearchReading.NeedsThreads {
      return try readInParallel { try body(SearchReading(db: $0, crew: $1, mayHaveThreads: true)) }
    }
  }
}
