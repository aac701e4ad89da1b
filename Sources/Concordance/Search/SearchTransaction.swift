import DocumentStore
import GRDB

/// What a search reads with: the connection of its transaction, and threads that help to read many documents.
struct SearchTransaction {
  let db: GRDB.Database
  private let readerPool: ReaderPool

  init(_ db: GRDB.Database, _ readerPool: ReaderPool) {
    self.db = db
    self.readerPool = readerPool
  }

  /// Documents from which on several threads are faster than one.
  private static let manyDocuments = 8192

  /// The threads for reading so many documents; nil if one is enough.
  func readerPool(forDocuments count: Int) -> ReaderPool? {
    count >= SearchTransaction.manyDocuments ? readerPool : nil
  }
}

extension Store {
  /// Calls `body` in a transaction that sees all changes of full-text indexes, with threads that join when there is work for them.
  func readForSearch<T>(_ request: SearchRequest, _ body: (SearchTransaction) throws -> T) throws -> T {
    try writeDeferred()
    return try readInParallel(hasHelpers: request.mayReadManyDocuments) { try body(SearchTransaction($0, $1)) }
  }
}

extension SearchRequest {
  /// Whether more documents than those of the page may be read: it has a condition, facets or selections. A condition in the
  /// search box has a colon: `type:hotel`.
  fileprivate var mayReadManyDocuments: Bool {
    `where` != nil || !facets.isEmpty || !selections.isEmpty || syntax == .box && query.utf8.contains(UInt8(ascii: ":"))
  }
}
