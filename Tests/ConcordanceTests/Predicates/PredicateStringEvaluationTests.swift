import Foundation
import QueryModel
import Testing

@testable import Concordance

/// Predicate strings, compared with equivalent conditions in Swift.
@Suite struct PredicateStringEvaluationTests {
  typealias Hotel = PredicateEvaluationTests.Hotel

  /// A predicate, the values of its parameters, and the equivalent condition in Swift.
  struct Case: CustomStringConvertible, Sendable {
    let description: String
    let parameters: [String: any Sendable]
    let isMatch: @Sendable (Hotel) -> Bool

    init(
      _ predicate: String, _ parameters: [String: any Sendable] = [:], _ isMatch: @escaping @Sendable (Hotel) -> Bool
    ) {
      description = predicate
      self.parameters = parameters
      self.isMatch = isMatch
    }
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  static let cases = [
    Case("name == 'a' AND stars >= 1") { $0.name == "a" && $0.stars >= 1 },
    Case("NOT (name == 'a' OR open == YES)") { !($0.name == "a" || $0.open) },
    Case("nickname == nil") { $0.nickname == nil },
    Case("nickname != NULL && motto = nil") { $0.nickname != nil && $0.motto == nil },
    Case("stars BETWEEN {0, 3}") { (0...3).contains($0.stars) },
    Case("stars BETWEEN $r", ["r": [1, 5]]) { (1...5).contains($0.stars) },
    Case("name BEGINSWITH 'b%'") { $0.name.hasPrefix("b%") },
    Case("name BEGINSWITH $p", ["p": "b"]) { $0.name.hasPrefix("b") },
    Case("name ENDSWITH 'b'") { $0.name.hasSuffix("b") },
    Case("name ENDSWITH $p", ["p": "_b"]) { $0.name.hasSuffix("_b") },
    Case("name BEGINSWITH[cd] 'A'") { folded($0.name).hasPrefix("a") },
    Case("name BEGINSWITH[cd] $p", ["p": "A_"]) { folded($0.name).hasPrefix("a_") },
    Case("name ENDSWITH[c] $p", ["p": "B%"]) { $0.name.lowercased().hasSuffix("b%") },
    Case("name LIKE '?b'") { $0.name.unicodeScalars.count == 2 && $0.name.hasSuffix("b") },
    Case("name LIKE $p", ["p": "*%"]) { $0.name.hasSuffix("%") },
    Case("name LIKE $p", ["p": "?"]) { $0.name.count == 1 },
    Case("name LIKE[cd] $p", ["p": "A?B"]) { folded($0.name) == "a_b" },
    Case("name MATCHES 'a?b.?'") { ["b", "ab", "b%"].contains($0.name) },
    Case("name MATCHES[c] $p", ["p": "A|X"]) { ["a", "x"].contains($0.name) },
    Case("name CONTAINS[cd] 'A'") { folded($0.name).contains("a") },
    Case("tags CONTAINS 'a'") { $0.tags.contains("a") },
    Case("tags CONTAINS[c] $t", ["t": "A"]) { $0.tags.contains("a") }, Case("'b' IN tags") { $0.tags.contains("b") },
    Case("'b' IN name") { $0.name.contains("b") }, Case("name IN 'ab'") { ["", "a", "b", "ab"].contains($0.name) },
    Case("NOT tags CONTAINS 'a'") { !$0.tags.contains("a") },
    Case("name IN {'a', 'x'}") { ["a", "x"].contains($0.name) },
    Case("name IN $l", ["l": ["a", "x"]]) { ["a", "x"].contains($0.name) },
    Case("name ==[cd] 'a_b'") { folded($0.name) == "a_b" },
    Case("ANY tags == 'a'") { $0.tags.contains("a") },
    Case("NONE tags BEGINSWITH 'a'") { !$0.tags.contains { $0.hasPrefix("a") } },
    Case("ALL tags IN {'a', 'b'}") { $0.tags.allSatisfy { ["a", "b"].contains($0) } },
    Case("ANY rooms.number > 5") { $0.rooms.contains { $0.number > 5 } },
    Case("ALL rooms.rate >= 1") { $0.rooms.allSatisfy { ($0.rate ?? 0) >= 1 } },
    Case("ANY rooms.rate == nil") { $0.rooms.contains { $0.rate == nil } },
    Case("ANY address.town == 'a'") { _ in false },
    Case("SUBQUERY(rooms, $r, $r.number > 1 AND $r.rate == $rate).@count > 0", ["rate": 1]) {
      $0.rooms.contains { $0.number > 1 && $0.rate == 1 }
    },
    Case("SUBQUERY(rooms, $r, ANY $r.guests == 'a')[SIZE] == 0") { !$0.rooms.contains { $0.guests.contains("a") } },
    Case("rooms.@count > 1 && rooms[LAST].number == 9") { $0.rooms.count > 1 && $0.rooms.last?.number == 9 },
    Case("count(tags) == 2") { $0.tags.count == 2 }, Case("tags[FIRST] == 'a'") { $0.tags.first == "a" },
    Case("address.town == postal['town']") { $0.address.city == $0.postal?.city },
    Case("stars * 2 + 1 > 5 - stars") { $0.stars * 2 + 1 > 5 - $0.stars },
    Case("stars ** 2 == 9") { abs($0.stars) == 3 },
    Case("modulus:by:(stars, 2) == 1") { $0.stars % 2 == 1 },
    Case("TERNARY(open == YES, stars, 0) > 1") { $0.open && $0.stars > 1 },
    Case("lowercase(uppercase(name)) == 'ab'") { $0.name == "ab" },
    Case("_id == 'h3' || _id IN {'h5'}") { ["h3", "h5"].contains($0.id) },
    Case("TRUEPREDICATE") { _ in true }, Case("FALSEPREDICATE") { _ in false },
  ]

  @Test func predicateStringsAgreeWithSwift() throws {
    let test = try TemporaryDatabase()
    let hotels = PredicateEvaluationTests.hotels()
    try test.database.inBatch { for hotel in hotels { try test.collection.save(from: hotel) } }
    for item in Self.cases {
      let model = try PredicateQuery.query(over: .standard, where: item.description, orderBy: ["_id"])
      let query = Query(model, database: test.database)
      let parameters = Parameters()
      for (name, value) in item.parameters { parameters.setValue(value, forName: name) }
      query.parameters = parameters
      let ids = try query.execute().map { $0.string(at: 0) ?? "" }
      #expect(ids == hotels.filter(item.isMatch).compactMap(\.id).sorted(), "\(item): \(model)")
    }
  }

  @Test func rowsAreCombinedAndGrouped() throws {
    let test = try TemporaryDatabase()
    let hotels = PredicateEvaluationTests.hotels()
    try test.database.inBatch { for hotel in hotels { try test.collection.save(from: hotel) } }
    let total = try PredicateQuery.query(
      over: .standard, returning: ["count(*)", "max(stars)", "@sum.rooms[0].number"])
    let row = try #require(try Query(total, database: test.database).execute().next())
    #expect(row.int(at: 0) == hotels.count && row.int(at: 1) == 5)
    #expect(row.int(at: 2) == hotels.compactMap(\.rooms.first?.number).reduce(0, +))
    let grouped = try PredicateQuery.query(
      over: .standard, where: "stars > 0", groupBy: ["kind"], having: "count(*) > 1", returning: ["kind", "count(*)"],
      orderBy: ["-kind"])
    let rows = try Query(grouped, database: test.database).execute().map {
      "\($0.string(at: 0) ?? "") \($0.int(at: 1))"
    }
    let counts = Dictionary(grouping: hotels.filter { $0.stars > 0 }, by: \.kind.rawValue).mapValues(\.count)
    #expect(rows == counts.sorted { $0.key > $1.key }.map { "\($0.key) \($0.value)" })
  }
}
