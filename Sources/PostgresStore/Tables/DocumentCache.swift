import PostgresAccess

/// Documents of the open transaction, so that documents that are read together or one after the other need one round
/// trip.
final class DocumentCache {
  /// A stored row, with the columns of ``TableShape/documents(table:collection:isOnCitus:)`` after the number of the
  /// row, and an empty text instead of a large body.
  enum Row {
    case fetched(PostgresResult, Int)
    case written([RemoteValue])
  }

  /// What is known about a row or id: a value, or that there is none.
  struct Known<Value> {
    let value: Value?
  }

  private struct Collection {
    var rows: [Int64: Known<Row>] = [:]
    /// The rows of ids.
    var ids: [String: Known<Int64>] = [:]
    /// The rows that will be read next.
    var announced: ArraySlice<Int64> = []
  }

  private var collections: [Int64: Collection] = [:]
  /// The rows of an unknown collection that will be read next.
  private var announced: ArraySlice<Int64> = []
  private var size = 0

  /// The maximum size in bytes, after which all documents are discarded.
  private static let maximumSize = 64 << 20

  /// Returns a row; nil if it is not cached.
  func row(_ row: Int64, of collection: Int64) -> Known<Row>? { collections[collection]?.rows[row] }

  /// Returns the row of an id; nil if it is not cached.
  func row(ofID id: String, of collection: Int64) -> Known<Int64>? { collections[collection]?.ids[id] }

  func add(_ row: Row?, number: Int64, id: String?, size: Int, of collection: Int64) {
    self.size += size + 100
    if self.size > DocumentCache.maximumSize {
      discardDocuments()
      self.size = size
    }
    collections[collection, default: Collection()].rows[number] = Known(value: row)
    if let id { collections[collection]?.ids[id] = Known(value: row == nil ? nil : number) }
  }

  /// Discards the documents if the cache is half full.
  func makeRoom() { if size > DocumentCache.maximumSize / 2 { discardDocuments() } }

  private func discardDocuments() {
    collections = collections.mapValues { Collection(announced: $0.announced) }
    size = 0
  }

  /// Notes that there is no document with an id.
  func addMissing(id: String, of collection: Int64) {
    collections[collection, default: Collection()].ids[id] = Known(value: nil)
  }

  /// Sets the rows that will be read next.
  ///
  /// - Parameters:
  ///   - collection: the collection; nil if it is not known.
  ///   - keepingOthers: whether rows that were announced before may be read between these, because they are from other
  ///     nodes.
  func announce(_ rows: [Int64], of collection: Int64?, keepingOthers: Bool = false) {
    guard let collection else {
      let others =
        keepingOthers
        ? announced.suffix(DocumentCache.searchedCount - min(rows.count, DocumentCache.searchedCount)) : []
      announced = (others + rows)[...]
      return
    }
    collections[collection, default: Collection()].announced = rows[...]
  }

  /// Returns the rows to read together with a row that is not cached.
  func nextRows(_ row: Int64, of collection: Int64, limit: Int) -> [Int64] {
    if let next = DocumentCache.take(row, limit, &collections[collection, default: Collection()].announced) {
      return next
    }
    return DocumentCache.take(row, limit, &announced) ?? [row]
  }

  /// The announced row that is read after those that were taken.
  func nextAnnounced(of collection: Int64) -> Int64? { collections[collection]?.announced.first }

  /// The number of announced rows among which a row is searched for.
  private static let searchedCount = 10_000

  private static func take(_ row: Int64, _ limit: Int, _ announced: inout ArraySlice<Int64>) -> [Int64]? {
    guard let start = announced.prefix(searchedCount).firstIndex(of: row) else { return nil }
    let next = announced[start...].prefix(limit)
    // Earlier rows remain: if the rows are from several nodes, they may be read later.
    let earlier = announced[..<start]
    announced = earlier.isEmpty ? announced[next.endIndex...] : (earlier + announced[next.endIndex...])
    return Array(next)
  }

  func removeAll() {
    collections = [:]
    announced = []
    size = 0
  }
}
