import DocumentStore
import GRDB
import JSONText
import MapReduce

/// One run of a query of a view.
struct ViewQueryRun {
  let query: ViewQuery

  init(_ query: ViewQuery) { self.query = query }

  func run() throws -> ViewRows {
    switch query.source {
    case .view(let view):
      try view.updateIfNeeded(onlyFirst: query.indexUpdateMode != .before)
      let rows = try view.engine.store.read { try self.rows(of: view, $0) }
      if query.indexUpdateMode == .after, rows.isStale {
        // An error of this update is reported by the next query that waits for one.
        view.engine.workers.submit { try? view.update() }
      }
      return rows
    case .allDocuments(let collection):
      return try collection.engine.store.read { try AllDocumentsRun(query, collection, $0).run() }
    }
  }

  private func rows(of view: View, _ db: GRDB.Database) throws -> ViewRows {
    let stored = try view.requireStored(db)
    let reducer = query.mapOnly ? nil : try view.reducer(of: stored)
    if stored.configuration.isFunction { _ = try view.functions(of: stored) }
    let reader = ViewReader(stored.tables, of: view.collection.record, db)
    let ranges = try ranges()
    var page = ViewPage(query, collection: view.collection, db)
    if let reducer {
      try addGroups(reducer, in: ranges, reader, to: &page)
    } else if level != .none {
      try addKeys(in: ranges, reader, to: &page)
    } else {
      try addRows(in: ranges, reader, to: &page)
    }
    return ViewRows(
      try page.rows(), sequenceNumber: try ViewState(stored.tables, db).lastSequence,
      lastSequence: try ViewUpdate.lastSequence(of: view.collection.record, db))
  }

  private var level: GroupLevel {
    query.isGroupedByKey ? .key : query.groupLevel > 0 ? .elements(query.groupLevel) : .none
  }

  /// The ranges of keys, in the order of the result.
  private func ranges() throws -> [ViewRange] {
    let encoder = try SortKeyEncoder()
    guard let keys = query.keys else { return [try ViewKeyRange(query, encoder).range] }
    return try keys.map { key in
      let sort = encoder.key(of: try ViewJSON.value(key) ?? .null)
      return ViewRange(from: ViewRange.End(sort), through: ViewRange.End(sort))
    }
  }

  private func addRows(in ranges: [ViewRange], _ reader: ViewReader, to page: inout ViewPage) throws {
    for range in ranges where !page.isFull {
      try reader.forEachEntry(in: range, isDescending: query.isDescending) { entry in
        if page.skipsUnread() { return true }
        let value: JSONValue? =
          switch entry.value {
          case .none: nil
          case .json(let text): try JSONValue(jsonText: text)
          case .document: try reader.documentText(id: entry.id).map { try JSONValue(jsonText: $0) }
          }
        try page.add(
          ViewRow(key: try JSONValue(jsonText: entry.key), value: value, id: entry.id, query.collection))
        return !page.isFull
      }
    }
  }

  /// Adds a row without a value for each group of a view without a reduce.
  private func addKeys(in ranges: [ViewRange], _ reader: ViewReader, to page: inout ViewPage) throws {
    try addGroups(CountOfKeys(), in: ranges, reader, to: &page)
  }

  private func addGroups(
    _ reducer: any ViewReducer, in ranges: [ViewRange], _ reader: ViewReader, to page: inout ViewPage
  ) throws {
    var found: [ViewRow] = []
    // Groups are found in ascending order, so the first ones of a descending query are known only at the end.
    let limit = query.isDescending || !page.isStreamed ? Int.max : page.requiredCount
    if limit == 0 { return }
    try reader.forEachGroup(in: ranges, reducer, level) { group in
      let value = reducer is CountOfKeys ? nil : try reducer.value(of: group.partial)
      found.append(
        ViewRow(
          key: try group.key.map { try JSONValue(jsonText: $0) } ?? .null, value: value, id: nil, query.collection))
      return found.count < limit
    }
    if query.isDescending, query.keys == nil { found.reverse() }
    for row in found { try page.add(row) }
  }
}

/// Finds groups without a value.
private struct CountOfKeys: ViewReducer {
  var readsValues: Bool { false }
  /// The stored partial results are those of another reduce.
  var storesPartials: Bool { false }
  func partial(of rows: [ReducedRow]) -> [UInt8] { [] }
  func combine(_ partials: [[UInt8]]) -> [UInt8] { [] }
}
