import DocumentStore
import QueryCompiler
import TextIndex

/// Which of the documents that match a search are wanted: those for which its condition is true, and that have what is selected of
/// its properties.
struct SearchNarrowing {
  private let condition: SearchCondition?
  private let selections: FacetCollector?

  /// The condition of a search alone; nil where it has none.
  init?(_ condition: SearchCondition?) {
    guard let condition else { return nil }
    self.condition = condition
    selections = nil
  }

  /// All that a search asks for besides its words; nil where that is nothing.
  ///
  /// - Throws: what is wrong with the paths of the selections.
  init?(_ request: SearchRequest, _ condition: SearchCondition?, _ schema: CollectionSchema) throws {
    var selecting = request
    selecting.facets = []
    let plan = try FacetPlan(selecting)
    guard condition != nil || plan != nil else { return nil }
    self.condition = condition
    selections = plan.map { FacetCollector($0.properties, of: schema) }
  }

  /// Whether indexes find only candidates, which are tested.
  var testsCandidates: Bool { condition?.testsCandidates ?? false }

  /// The rows that are wanted, in order, as indexes give them; nil where no index is asked or they are more than `limit`.
  func indexedRows(limit: Int, _ matches: MatchSet, _ reading: SearchTransaction) throws -> [Int64]? {
    guard let rows = try condition?.indexedRows(limit: limit, matches, reading) else { return nil }
    return try selected(rows, reading)
  }

  /// Those of some rows, which are in order, that are wanted.
  func rows(among rows: [Int64], _ reading: SearchTransaction) throws -> [Int64] {
    try selected(condition?.rows(among: rows, reading) ?? rows, reading)
  }

  private func selected(_ rows: [Int64], _ reading: SearchTransaction) throws -> [Int64] {
    guard let selections else { return rows }
    return try selections.run(over: rows, reading.db, reading.readerPool(forDocuments: rows.count)).rows
  }
}
