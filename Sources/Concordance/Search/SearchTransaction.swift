import DocumentStore
import GRDB

/// The read transaction of a search: its connection, and reader threads for searches that read many documents.
struct SearchTransaction {
  let db: GRDB.Database
  private let readerPool: ReaderPool

  init(_ db: GRDB.Database, _ readerPool: ReaderPool) {
    self.db = db
    self.readerPool = readerPool
  }

  /// The minimum number of documents for which several threads are faster than one.
  private static let manyDocuments = 8192

  /// Returns the reader threads for a number of documents; nil if one thread is faster.
  func readerPool(forDocuments count: Int) -> ReaderPool? {
    count >= SearchTransaction.manyDocuments ? readerPool : nil
  }
}

extension Store {
  /// Calls `body` in a transaction that sees all changes to full-text indexes, with helper threads if the search may
  /// read many documents.
  func readForSearch<T>(_ request: SearchRequest, _ body: (SearchTransaction) throws -> T) throws -> T {
    try writeDeferred()
    return try readInParallel(hasHelpers: request.mayReadManyDocuments) { try body(SearchTransaction($0, $1)) }
  }
}

extension SearchRequest {
  /// Whether the search may read more documents than the hits of the page: it has a condition, facets or selections. A
  /// condition in the search box contains a colon: `type:hotel`.
  fileprivate var mayReadManyDocuments: Bool {
    `where` != nil || !facets.isEmpty || !selections.isEmpty || syntax == .box && query.utf8.contains(UInt8(ascii: ":"))
  }
}
