import DocumentStore
import GRDB
import JSONText
import MapReduce

/// One run of a view query.
struct ViewQueryRun {
  let query: ViewSelection

  init(_ query: ViewSelection) { self.query = query }

  func run() throws -> ViewRows {
    switch query.source {
    case .view(let view):
      // The view is usually up to date, so it can be checked and read in a single snapshot.
      if query.indexUpdateMode == .before,
        let rows = try view.engine.store.read({ db in
          let stored = try view.requireStored(db)
          return try view.isCurrent(stored, db) ? self.rows(of: stored, view, db) : nil
        })
      {
        return rows
      }
      try view.updateIfNeeded(onlyFirst: query.indexUpdateMode != .before)
      let rows = try view.engine.store.read { try self.rows(of: view.requireStored($0), view, $0) }
      if query.indexUpdateMode == .after, rows.isStale {
        // If this update fails, the next query that waits for an update reports the error. Live queries have delivered
        // rows from before the update, which runs them again.
        view.engine.workers.submit { _ = try? view.update() }
      }
      return rows
    case .allDocuments(let collection):
      return try collection.engine.store.read { try AllDocumentsRun(query, collection, $0).run() }
    }
  }

  private func rows(of stored: StoredView, _ view: View, _ db: GRDB.Database) throws -> ViewRows {
    let reducer = query.mapOnly ? nil : try view.reducer(of: stored)
    if stored.configuration.isFunction { _ = try view.functions(of: stored) }
    let reader = ViewReader(stored.tables, of: view.collection.record, db)
    let ranges = try ranges()
    var page = ViewPage(query, collection: view.collection, db)
    if let reducer {
      try addGroups(reducer, in: ranges, reader, to: &page)
    } else if !query.mapOnly, level != .none {
      // A view without a reduce function has a row without a value for each group.
      try addGroups(CountOfKeys(), in: ranges, reader, to: &page)
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

  /// Returns the ranges of keys, in the order of the result.
  private func ranges() throws -> [ViewRange] {
    let encoder = try SortKeyEncoder()
    guard let keys = query.keys else { return [ViewKeyRange(query, encoder).range] }
    return keys.map { key in
      let sort = encoder.key(of: key)
      return ViewRange(from: ViewRange.End(sort), through: ViewRange.End(sort))
    }
  }

  private func addRows(in ranges: [ViewRange], _ reader: ViewReader, to page: inout ViewPage) throws {
    try JSONParser.withShared { try addRows(in: ranges, reader, $0, to: &page) }
  }

  private func addRows(
    in ranges: [ViewRange], _ reader: ViewReader, _ parser: JSONParser, to page: inout ViewPage
  ) throws {
    for range in ranges where !page.isFull {
      try reader.forEachRow(in: range, isDescending: query.isDescending) { id, key, stored in
        if page.skipsNextRow() { return true }
        let value: [UInt8]? =
          switch stored {
          case .none: nil
          case .json(let text): text
          case .document: try reader.documentText(id: id).map { try ViewJSON.oneLine($0) }
          }
        try parser.check(key)
        if let value { try parser.check(value) }
        try page.add(ViewRow(keyText: key, valueText: value, id: id, query.collection))
        return !page.isFull
      }
    }
  }

  private func addGroups(
    _ reducer: any ViewReducer, in ranges: [ViewRange], _ reader: ViewReader, to page: inout ViewPage
  ) throws {
    var found: [ViewRow] = []
    // Groups are found in ascending order, so the first groups of a descending query are known only at the end.
    let limit = query.isDescending || !page.isStreamed ? Int.max : page.requiredCount
    if limit == 0 { return }
    try reader.forEachGroup(in: ranges, reducer, level) { group in
      let value = reducer is CountOfKeys ? nil : Array(try reducer.value(of: group.partial).text.utf8)
      found.append(
        ViewRow(keyText: group.key ?? Array("null".utf8), valueText: value, id: nil, query.collection))
      return found.count < limit
    }
    if query.isDescending, query.keys == nil { found.reverse() }
    for row in found { try page.add(row) }
  }
}

extension JSONParser {
  /// Throws if stored text is not JSON.
  fileprivate func check(_ text: [UInt8]) throws {
    // Integers, the most common values, need no parser.
    if !text.isEmpty, text.count < 19, text.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
      text.first != UInt8(ascii: "0")
    {
      return
    }
    _ = try text.withUnsafeBytes { try parse($0) }
  }
}

/// A reducer without a value, for finding groups.
private struct CountOfKeys: ViewReducer {
  var readsValues: Bool { false }
  /// Stored partial results belong to another reduce function.
  var storesPartials: Bool { false }
  func partial(of rows: [ReducedRow]) -> [UInt8] { [] }
  func rereduce(_ partials: [[UInt8]]) -> [UInt8] { [] }
}
