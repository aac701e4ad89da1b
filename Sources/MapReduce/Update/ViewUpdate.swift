public import DocumentStore
public import GRDB
public import JSONText
import SQLiteAccess

/// Brings a view up to date with its collection, within a write transaction.
///
/// Changed documents are found by their sequence numbers, purged documents in the purge log. A changed document's rows
/// are replaced if they differ. A document that expires keeps its rows until it is purged, because neither an
/// expiration nor its removal changes the sequence number.
public struct ViewUpdate {
  /// A row that the map function emits.
  public struct Emission {
    let key: JSONValue
    let value: ViewValue

    /// Creates a row.
    public init(_ key: JSONValue, _ value: ViewValue) {
      self.key = key
      self.value = value
    }
  }

  /// A map function: it passes each row of a document to the closure `emit`.
  public typealias Map = (_ document: StoredDocument, _ emit: (Emission) -> Void) throws -> Void

  let reader: ViewReader
  let reducer: (any ViewReducer)?
  let map: Map
  let encoder: SortKeyEncoder

  private var tables: ViewTables { reader.tables }
  private var db: Database { reader.db }

  /// Creates an update.
  ///
  /// - Parameters:
  ///   - tables: the tables of the view.
  ///   - collection: the collection of the documents.
  ///   - reducer: the reduce function whose partial results are stored; nil if none are stored.
  ///   - db: the writing connection.
  ///   - map: the map function. If it throws an error, the document gets no rows and the error is stored.
  /// - Throws: `AnalyzerError` if ICU has no collation data.
  public init(
    _ tables: ViewTables, of collection: CollectionRecord, reducer: (any ViewReducer)?, _ db: Database,
    map: @escaping Map
  ) throws {
    reader = ViewReader(tables, of: collection, db)
    self.reducer = reducer?.storesPartials == true ? reducer : nil
    self.map = map
    encoder = try SortKeyEncoder()
  }

  /// Updates the view.
  ///
  /// - Returns: the counters of the view after the update.
  /// - Complexity: O(c log n) for c changes since the last update; O(n log n) for the first update.
  public func run() throws -> ViewState {
    var state = try ViewState(tables, db)
    let sequence = try ViewUpdate.lastSequence(of: reader.collection, db)
    guard sequence != state.lastSequence else { return state }
    if state.lastSequence == 0 || state.lastSequence > sequence {
      try fill(&state)
    } else {
      try addChanges(&state, sequence)
    }
    state.lastSequence = sequence
    try state.write(tables, db)
    return state
  }

  /// Returns the sequence number of a collection's last change in a connection's snapshot.
  public static func lastSequence(of collection: CollectionRecord, _ db: Database) throws -> Int64 {
    let statement = try SQLStatement(
      cached: """
        SELECT max(coalesce((SELECT max(sequence) FROM \(collection.table)), 0),
          coalesce((SELECT max(sequence) FROM concordance_purge WHERE collection = ?1), 0))
        """, in: db)
    defer { statement.reset() }
    statement.bind(1, collection.id)
    return try statement.step() ? statement.row.int64(0) : 0
  }

  /// Maps all documents into empty tables.
  private func fill(_ state: inout ViewState) throws {
    let hasIndex = try tables.empty(db)
    let writer = try ViewRowWriter(tables, db)
    var entries: [ViewEntry] = []
    var size = 0
    var count = 0
    state.rowCount = 0
    func write() throws {
      // Sorted, so that rows are inserted in the order of the b-tree.
      for entry in entries.sorted(by: { $0.position < $1.position }) { try writer.insert(entry) }
      state.rowCount += Int64(entries.count)
      (entries, size) = ([], 0)
    }
    try DocumentReader(reader.collection, db).forEach(includingExpired: true) { document in
      let found = try self.entries(of: document, writer)
      entries += found
      size += found.reduce(0) { $0 + $1.size }
      count += 1
      if count % 1000 == 0 { try Interruption.check() }
      if size >= 64 << 20 { try write() }
      return true
    }
    try write()
    if !hasIndex { try db.execute(sql: tables.documentIndex) }
    if let reducer { try StoredReductions(reader: reader, reducer: reducer).rebuild() }
  }

  private func addChanges(_ state: inout ViewState, _ sequence: Int64) throws {
    let writer = try ViewRowWriter(tables, db)
    var changes: [ViewPosition]? = reducer == nil ? nil : []
    var isEverythingChanged = false
    func note(_ entries: [ViewEntry]) {
      guard changes != nil, !isEverythingChanged else { return }
      changes? += entries.map(\.position)
      isEverythingChanged = (changes?.count ?? 0) > StoredReductions.maximumChangeCount
    }
    var ids = try DocumentReader(reader.collection, db).changes(since: state.lastSequence).map(\.id)
    if sequence - state.lastSequence >= PurgeLog.retainedCount {
      // The purge log may no longer contain all purges since the last update.
      ids += try writer.idsWithoutDocument(in: reader.collection)
    }
    for (number, id) in ids.enumerated() {
      if number % 1000 == 999 { try Interruption.check() }
      let old = try writer.entries(of: id)
      try writer.removeError(of: id)
      let new = try reader.document(id: id).map { try entries(of: $0, writer) } ?? []
      // Even equal rows must be reduced again if their value is the document, which has changed.
      if old == new, reducer == nil || !new.contains(where: { $0.value == .document }) { continue }
      for entry in old { try writer.remove(entry) }
      for entry in new { try writer.insert(entry) }
      state.rowCount += Int64(new.count - old.count)
      note(old)
      note(new)
    }
    guard let reducer else { return }
    let summaries = StoredReductions(reader: reader, reducer: reducer)
    if isEverythingChanged { try summaries.rebuild() } else { try summaries.update(changes ?? []) }
  }

  /// Maps a document and returns its rows. If the map function throws an error, stores the error.
  private func entries(of document: StoredDocument, _ writer: ViewRowWriter) throws -> [ViewEntry] {
    try ViewEntry.entries(of: document, map, encoder) { error in
      try writer.addError("\(error)", of: document.id)
    }
  }
}
