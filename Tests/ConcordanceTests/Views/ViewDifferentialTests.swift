import Concordance
import Foundation
import TestSupport
import Testing

/// Random documents, changes and view queries, compared with a simple evaluator.
@Suite(.filesOnly("views are not available on PostgreSQL"))
struct ViewDifferentialTests {
  /// A row of the evaluator. Keys are arrays of numbers and of indexes of ``texts``, which are in the order of the
  /// view.
  private struct Expected {
    var key: [Int]
    var id: String
    var number: Int
    var value: Int
  }

  /// In the order of Unicode's root collation.
  private static let texts = ["", "_", "1", "a", "A", "aa", "b", "B", "ba", "é", "z"]

  private static func json(_ key: [Int]) -> [Any] {
    key.map { $0 < 100 ? $0 : texts[($0 - 100) % texts.count] as Any }
  }

  @Test(arguments: [ViewReduce.sum, .count, .stats, nil], [1] as [UInt64])
  func queriesHaveTheRowsOfTheEvaluator(_ reduce: ViewReduce?, _ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let temporary = try TemporaryDatabase()
    let view = temporary.collection.view(named: "random")
    try view.setMap(version: "1", reduce: reduce) { document, emit in
      for row in document.array(forKey: "rows")?.toArray() ?? [] {
        guard let row = row as? [Any], let key = row.first else { continue }
        emit(key, row.last)
      }
    }
    var documents: [String: [(key: [Int], value: Int)]] = [:]
    let names = (0..<1200).map { "d\($0)" }
    for step in 0..<6 {
      let changes = step == 0 ? 1500 : Int.random(in: 1...300, using: &generator)
      try temporary.database.inBatch {
        for _ in 0..<changes {
          let id = names.randomElement(using: &generator) ?? "d0"
          switch Int.random(in: 0..<10, using: &generator) {
          case 0:
            documents[id] = nil
            if let document = try temporary.collection.document(id: id) {
              try temporary.collection.delete(document: document)
            }
          case 1 where documents[id] != nil:
            documents[id] = nil
            try temporary.collection.purge(id: id)
          default:
            let rows = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
              (key: randomKey(&generator), value: Int.random(in: -9...9, using: &generator))
            }
            documents[id] = rows
            try temporary.collection.save(
              document: MutableDocument(
                id: id, data: ["rows": rows.map { [ViewDifferentialTests.json($0.key), $0.value] as [Any] }]))
          }
        }
      }
      let expected = documents.flatMap { id, rows in
        rows.enumerated().map { Expected(key: $1.key, id: id, number: $0, value: $1.value) }
      }.sorted(by: isBefore)
      for _ in 0..<25 { try compare(view, reduce, expected, &generator) }
      #expect(try temporary.database.verify().isEmpty)
    }
  }

  private func randomKey(_ generator: inout some RandomNumberGenerator) -> [Int] {
    (0..<Int.random(in: 0...3, using: &generator)).map { level in
      level == 0
        ? Int.random(in: 0...3, using: &generator)
        : Bool.random(using: &generator)
          ? Int.random(in: 0...20, using: &generator)
          : 100 + Int.random(in: 0..<ViewDifferentialTests.texts.count, using: &generator)
    }
  }

  private func isBefore(_ one: Expected, _ other: Expected) -> Bool {
    if one.key != other.key { return one.key.lexicographicallyPrecedes(other.key) }
    if one.id != other.id { return one.id.utf8.lexicographicallyPrecedes(other.id.utf8) }
    return one.number < other.number
  }

  private func compare(
    _ view: View, _ reduce: ViewReduce?, _ all: [Expected], _ generator: inout some RandomNumberGenerator
  ) throws {
    let query = view.createQuery()
    var rows = all
    let lower = Bool.random(using: &generator) ? randomKey(&generator) : nil
    let upper = Bool.random(using: &generator) ? randomKey(&generator) : nil
    let includesLower = Bool.random(using: &generator)
    let includesUpper = Bool.random(using: &generator)
    query.isDescending = Bool.random(using: &generator)
    if let lower {
      rows.removeAll { $0.key.lexicographicallyPrecedes(lower) || (!includesLower && $0.key == lower) }
    }
    if let upper {
      rows.removeAll { upper.lexicographicallyPrecedes($0.key) || (!includesUpper && $0.key == upper) }
    }
    let low = (lower.map { ViewDifferentialTests.json($0) }, includesLower)
    let high = (upper.map { ViewDifferentialTests.json($0) }, includesUpper)
    (query.startKey, query.inclusiveStart) = query.isDescending ? high : low
    (query.endKey, query.inclusiveEnd) = query.isDescending ? low : high
    query.limit = Bool.random(using: &generator) ? Int.random(in: 0...20, using: &generator) : nil
    query.skip = Bool.random(using: &generator) ? Int.random(in: 0...20, using: &generator) : 0
    query.mapOnly = reduce == nil || Int.random(in: 0...3, using: &generator) == 0
    query.groupLevel = query.mapOnly ? 0 : Int.random(in: 0...5, using: &generator)
    if query.groupLevel == 5 { query.isGroupedByKey = true }
    let level = query.isGroupedByKey ? Int.max : query.groupLevel

    var expected: [String]
    if query.mapOnly {
      expected = rows.map { "\(text($0.key)) \($0.id) \($0.value)" }
    } else {
      var groups: [(key: [Int], values: [Int])] = []
      for row in rows {
        let key = level == 0 ? [] : Array(row.key.prefix(level))
        if groups.last?.key == key {
          groups[groups.count - 1].values.append(row.value)
        } else {
          groups.append((key, [row.value]))
        }
      }
      expected = groups.map { "\(level == 0 ? "null" : text($0.key))  \(reduced($0.values, reduce))" }
    }
    if query.isDescending { expected.reverse() }
    expected = Array(expected.dropFirst(query.skip).prefix(query.limit ?? .max))
    let found = try query.run().map { "\($0.keyJSON) \($0.sourceDocumentID ?? "") \($0.valueJSON ?? "")" }
    #expect(
      found == expected,
      "\(lower ?? []) \(upper ?? []) level \(level) limit \(query.limit ?? -1) skip \(query.skip) \(query.isDescending)"
    )
  }

  private func text(_ key: [Int]) -> String {
    "[" + key.map { $0 < 100 ? "\($0)" : "\"\(ViewDifferentialTests.texts[$0 - 100])\"" }.joined(separator: ",") + "]"
  }

  private func reduced(_ values: [Int], _ reduce: ViewReduce?) -> String {
    let sum = values.reduce(0, +)
    switch reduce.map({ "\($0)" }) {
    case "\(ViewReduce.sum)": return "\(sum)"
    case "\(ViewReduce.count)": return "\(values.count)"
    default:
      let squares = values.reduce(0) { $0 + $1 * $1 }
      return
        #"{"sum":\#(sum),"count":\#(values.count),"min":\#(values.min() ?? 0),"max":\#(values.max() ?? 0),"sumsqr":\#(squares)}"#
    }
  }
}
