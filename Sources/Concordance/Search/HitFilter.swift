import DocumentStore
import QueryCompiler
import TextIndex

/// The filters of a search: its condition, and its facet selections.
struct HitFilter {
  private let condition: SearchCondition?
  private let selections: FacetCollector?

  /// Creates a filter with only the condition of a search; returns nil if there is none.
  init?(_ condition: SearchCondition?) {
    guard let condition else { return nil }
    self.condition = condition
    selections = nil
  }

  /// Creates a filter with the condition and the selections of a search; returns nil if it has neither.
  ///
  /// - Throws: ``CBLError`` if a path of the selections is invalid.
  init?(_ request: SearchRequest, _ condition: SearchCondition?, _ schema: CollectionSchema) throws {
    var selecting = request
    selecting.facets = []
    let plan = try FacetPlan(selecting)
    guard condition != nil || plan != nil else { return nil }
    self.condition = condition
    selections = plan.map { FacetCollector($0.properties, of: schema) }
  }

  /// Whether indexes find only candidates, which must be tested.
  var testsCandidates: Bool { condition?.testsCandidates ?? false }

  /// The matching rows in order, read from indexes; nil if no index applies or too many rows match.
  ///
  /// - Parameter limit: the maximum number of rows to read. The candidates of pattern indexes have their own limit.
  func indexedRows(limit: Int, _ matches: MatchSet, _ reading: SearchTransaction) throws -> [Int64]? {
    guard let rows = try condition?.indexedRows(limit: limit, matches, reading) else { return nil }
    return try selected(rows, reading)
  }

  /// Returns the sorted `rows` that match.
  func rows(among rows: [Int64], _ reading: SearchTransaction) throws -> [Int64] {
    try selected(condition?.rows(among: rows, reading) ?? rows, reading)
  }

  private func selected(_ rows: [Int64], _ reading: SearchTransaction) throws -> [Int64] {
    guard let selections else { return rows }
    return try selections.run(over: rows, reading.db, reading.readerPool(forDocuments: rows.count)).rows
  }
}
