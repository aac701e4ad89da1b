import Concordance
import Foundation
import TestSupport
import Testing

/// Random queries with lists of keys, documents at the ends, filters, orders and update modes, compared with a simple
/// evaluator.
@Suite(.filesOnly("views are not available on PostgreSQL"))
struct ViewSelectionDifferentialTests {
  private struct Row: Equatable {
    var key: Int
    var id: String
    var number: Int
    var value: Int

    var text: String { "\(key) \(id) \(value)" }
  }

  /// A database whose documents emit the rows of their property `rows`.
  private struct Model {
    let temporary: TemporaryDatabase
    let view: View
    var documents: [String: [Row]] = [:]
    /// The rows at the last update of the view.
    var updated: [Row] = []

    init(_ reduce: ViewReduce?) throws {
      temporary = try TemporaryDatabase()
      view = temporary.collection.view(named: "random")
      try view.setMap(version: "1", reduce: reduce) { document, emit in
        for row in document.array(forKey: "rows")?.toArray() ?? [] {
          if let row = row as? [Int] { emit(row[0], row[1]) }
        }
      }
    }

    mutating func change(_ random: inout SeededGenerator) throws {
      let id = "d\(Int.random(in: 0..<60, using: &random))"
      if documents[id] != nil, Int.random(in: 0..<5, using: &random) == 0 {
        documents[id] = nil
        try temporary.collection.purge(id: id)
      } else {
        let rows = (0..<Int.random(in: 0...3, using: &random)).map { number in
          Row(
            key: Int.random(in: 0...9, using: &random), id: id, number: number,
            value: Int.random(in: -5...5, using: &random))
        }
        documents[id] = rows
        try temporary.save(id, #"{"rows":\#(rows.map { [$0.key, $0.value] })}"#)
      }
    }

    /// All rows in the order of the view.
    var rows: [Row] {
      documents.values.joined().sorted {
        ($0.key, $0.id, $0.number) < ($1.key, $1.id, $1.number)
      }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func selectionsAreThoseOfTheEvaluator(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = try Model(.sum)
    for _ in 0..<80 { try model.change(&random) }
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 0...5, using: &random) { try model.change(&random) }
      let query = model.view.createQuery()
      query.mapOnly = true
      query.isDescending = Bool.random(using: &random)
      let rows = updatedRows(query, &model, &random)
      var expected = try selected(query, rows, &random)
      filter(query, &expected, &random)
      order(query, &expected, &random)
      query.skip = Bool.random(using: &random) ? Int.random(in: 0...9, using: &random) : 0
      query.limit = Bool.random(using: &random) ? Int.random(in: 0...9, using: &random) : nil
      expected = Array(expected.dropFirst(query.skip).prefix(query.limit ?? .max))
      let found = try query.run().map {
        "\($0.keyJSON) \($0.sourceDocumentID ?? "") \($0.valueJSON ?? "")"
      }
      #expect(found == expected.map(\.text), "\(describe(query))")
    }
  }

  @Test(arguments: 11...14 as ClosedRange<UInt64>) func listsOfKeysAreReduced(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = try Model(.sum)
    for _ in 0..<200 { try model.change(&random) }
    for isGrouped in [true, false, true, false] {
      let keys = (0..<6).map { _ in Int.random(in: 0...12, using: &random) }
      let query = model.view.createQuery()
      query.keys = keys
      query.isGroupedByKey = isGrouped
      let groups = keys.map { key in model.rows.filter { $0.key == key } }.filter { !$0.isEmpty }
      let sums = groups.map { "\($0[0].key) \($0.reduce(0) { $0 + $1.value })" }
      let total = groups.joined().reduce(0) { $0 + $1.value }
      #expect(
        try query.run().map { "\($0.keyJSON) \($0.valueJSON ?? "")" } == (isGrouped ? sums : ["null \(total)"]),
        "\(keys)")
    }
  }

  /// The rows that the query sees in a random update mode.
  private func updatedRows(_ query: ViewQuery, _ model: inout Model, _ random: inout SeededGenerator) -> [Row] {
    if Int.random(in: 0..<3, using: &random) > 0 || model.updated.isEmpty {
      model.updated = model.rows
    } else {
      query.indexUpdateMode = .never
    }
    return model.updated
  }

  /// Selects a list of keys, or a range with documents at its ends.
  private func selected(_ query: ViewQuery, _ rows: [Row], _ random: inout SeededGenerator) throws -> [Row] {
    let ordered = query.isDescending ? rows.reversed() : rows
    if Int.random(in: 0..<3, using: &random) == 0 {
      let keys = (0..<Int.random(in: 0...5, using: &random)).map { _ in Int.random(in: 0...11, using: &random) }
      query.keys = keys
      return keys.flatMap { key in ordered.filter { $0.key == key } }
    }
    query.startKey = Int.random(in: 0...9, using: &random)
    query.endKey = Int.random(in: 0...9, using: &random)
    query.inclusiveStart = Bool.random(using: &random)
    query.inclusiveEnd = Bool.random(using: &random)
    if Bool.random(using: &random) { query.startKeyDocID = "d\(Int.random(in: 0..<60, using: &random))" }
    if Bool.random(using: &random) { query.endKeyDocID = "d\(Int.random(in: 0..<60, using: &random))" }
    let start = try #require(query.startKey as? Int)
    let end = try #require(query.endKey as? Int)
    func isInOrder<T: Comparable>(_ one: T, _ other: T) -> Bool { query.isDescending ? one >= other : one <= other }
    return ordered.filter { row in
      let begins =
        row.key == start
        ? query.inclusiveStart && (query.startKeyDocID.map { isInOrder($0, row.id) } ?? true)
        : isInOrder(start, row.key)
      let ends =
        row.key == end
        ? query.inclusiveEnd && (query.endKeyDocID.map { isInOrder(row.id, $0) } ?? true) : isInOrder(row.key, end)
      return begins && ends
    }
  }

  private func filter(_ query: ViewQuery, _ rows: inout [Row], _ random: inout SeededGenerator) {
    guard Bool.random(using: &random) else { return }
    query.postFilter = { row in (row.value as? Int ?? 0) > 0 }
    rows.removeAll { $0.value <= 0 }
  }

  private func order(_ query: ViewQuery, _ rows: inout [Row], _ random: inout SeededGenerator) {
    let descriptors: [(String, (Row, Row) -> Bool)] = [
      ("value", { $0.value < $1.value }), ("-value", { $0.value > $1.value }), ("-key", { $0.key > $1.key }),
      ("documentID", { $0.id < $1.id }),
    ]
    guard let chosen = descriptors.randomElement(using: &random), Bool.random(using: &random) else { return }
    query.sortDescriptors = [ViewSortDescriptor(chosen.0)]
    let numbered = rows.enumerated().sorted { one, other in
      if chosen.1(one.element, other.element) { return true }
      return chosen.1(other.element, one.element) ? false : one.offset < other.offset
    }
    rows = numbered.map(\.element)
  }

  private func describe(_ query: ViewQuery) -> String {
    "keys \(query.keys ?? []) from \(query.startKey ?? "") \(query.startKeyDocID ?? "") \(query.inclusiveStart) "
      + "to \(query.endKey ?? "") \(query.endKeyDocID ?? "") \(query.inclusiveEnd) descending \(query.isDescending) "
      + "sort \(query.sortDescriptors) skip \(query.skip) limit \(query.limit ?? -1) \(query.indexUpdateMode)"
  }
}
