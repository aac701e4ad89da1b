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

  /// The number of documents from which several threads are faster than one.
  private static let manyDocuments = 8192

  /// The threads for reading a number of documents; nil if one thread is enough.
  func readerPool(forDocuments count: Int) -> ReaderPool? {
    count >= SearchTransaction.manyDocuments ? readerPool : nil
  }
}

extension Store {
  /// Calls `body` in a transaction that sees all changes of full-text indexes, with threads that join when there is
  /// work for them.
  func readForSearch<T>(_ request: SearchRequest, _ body: (SearchTransaction) throws -> T) throws -> T {
    try writeDeferred()
    return try readInParallel(hasHelpers: request.mayReadManyDocuments) { try body(SearchTransaction($0, $1)) }
  }
}

extension SearchRequest {
  /// Whether more documents than those of the page may be read: it has a condition, facets or selections. A condition
  /// in the search box has a colon: `type:hotel`.
  fileprivate var mayReadManyDocuments: Bool {
    `where` != nil || !facets.isEmpty || !selections.isEmpty || syntax == .box && query.utf8.contains(UInt8(ascii: ":"))
  }
}
