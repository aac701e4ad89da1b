import Foundation
import QueryModel
import TestSupport
import Testing

@testable import Concordance

/// A query with a `#Predicate` finds the documents for whose decoded values Swift evaluates the predicate to true.
@Suite struct PredicateEvaluationTests {
  enum Kind: String, Codable { case hostel, hotel }

  struct Room: Codable {
    var number: Int
    var rate: Double?
    var guests: [String]
  }

  struct Address: Codable, Equatable {
    var city: String
    var zip: String?
    enum CodingKeys: String, CodingKey {
      case city = "town"
      case zip
    }
  }

  struct Hotel: DocumentCodable {
    @DocumentID var id: String?
    var name: String
    var nickname: String?
    var motto: String?
    var kind: Kind
    var stars: Int
    var rating: Double
    var open: Bool
    var pool: Bool?
    var opened: Date
    var address: Address
    var postal: Address?
    var tags: [String]
    var notes: [String?]
    var rooms: [Room]
    var prices: [String: Double]
  }

  static func hotels() -> [Hotel] {
    var random = SeededGenerator(seed: 1)
    func pick<T>(_ values: [T]) -> T { values[Int.random(in: values.indices, using: &random)] }
    let words = ["", "a", "b", "ab", "b%", "Ä_b", "x"]
    func address() -> Address { Address(city: pick(words), zip: pick([nil, "1", "a"])) }
    func list<T>(_ make: () -> T) -> [T] { (0..<pick([0, 0, 1, 2, 3])).map { _ in make() } }
    return (0..<120).map { number in
      Hotel(
        id: "h\(number)", name: pick(words), nickname: pick(words + [nil, nil]), motto: pick(["a", "b", nil]),
        kind: pick([.hostel, .hotel]), stars: pick([-3, 0, 1, 3, 5]), rating: pick([0, 1, 1.5, 3]),
        open: pick([true, false]), pool: pick([true, false, nil]),
        opened: Date(timeIntervalSince1970: pick([0, 1_700_000_000.25, 1_700_000_000.5])), address: address(),
        postal: pick([nil, address()]), tags: list { pick(words) }, notes: list { pick([nil, "a", "b"]) },
        rooms: list { Room(number: pick([1, 5, 9]), rate: pick([nil, 1, 2.5]), guests: list { pick(words) }) },
        prices: pick([[:], ["a": 1], ["a": 2, "b": 0]]))
    }
  }

  @Test func queriesAgreeWithSwift() throws {
    let test = try TemporaryDatabase()
    let hotels = Self.hotels()
    try test.database.inBatch { for hotel in hotels { try test.collection.save(from: hotel) } }
    var found = 0
    let unwrapping: [Foundation.Predicate<Hotel>] = [
      #Predicate { $0.nickname! > "a" }, #Predicate { $0.tags.max()! == "b" },
    ]
    for (number, predicate) in (Self.predicates + Self.morePredicates + unwrapping).enumerated() {
      let model = try PredicateQuery.query(
        over: .standard, where: predicate, returning: [\.id], orderBy: [SortDescriptor(\.id)])
      let ids = try Query(model, database: test.database).execute().map { $0.string(at: 0) ?? "" }
      // Swift throws if it unwraps nil or reads past the end of an array.
      let expected = hotels.filter { (try? predicate.evaluate($0)) ?? false }.compactMap(\.id).sorted()
      #expect(ids == expected, "\(number): \(model)")
      if !expected.isEmpty, expected.count < hotels.count { found += 1 }
    }
    #expect(found > 80, "the predicates find all or nothing")
  }

  static let captured = (
    date: Date(timeIntervalSince1970: 1_700_000_000.25), kind: Kind.hotel, none: nil as String?, some: "a" as String?,
    list: ["a", "ab"], optionals: ["a", nil] as [String?], address: Address(city: "a", zip: nil), range: 1...3
  )

  static var predicates: [Foundation.Predicate<Hotel>] {
    let (date, kind, none, some) = (captured.date, captured.kind, captured.none, captured.some)
    let (list, optionals, address, range) = (captured.list, captured.optionals, captured.address, captured.range)
    return [
      #Predicate { $0.name == "a" }, #Predicate { $0.name != "a" }, #Predicate { $0.name > "a" },
      #Predicate { !($0.name == "a") }, #Predicate { !($0.stars >= 1) },
      #Predicate { $0.stars > 0 && $0.stars < 5 || $0.open }, #Predicate { !($0.stars > 0 && $0.open) },
      #Predicate { !($0.stars > 0 || $0.open) }, #Predicate { $0.open }, #Predicate { !$0.open },
      #Predicate { $0.open == false }, #Predicate { $0.open != false }, #Predicate { ($0.stars > 0) == $0.open },
      #Predicate { $0.nickname == nil }, #Predicate { $0.nickname != nil }, #Predicate { $0.nickname == "a" },
      #Predicate { $0.nickname != "a" }, #Predicate { !($0.nickname == "a") }, #Predicate { !($0.nickname != "a") },
      #Predicate { $0.nickname == $0.motto }, #Predicate { $0.nickname != $0.motto },
      #Predicate { !($0.nickname == $0.motto) && $0.open }, #Predicate { $0.nickname == none },
      #Predicate { $0.nickname != none }, #Predicate { $0.nickname == some }, #Predicate { $0.nickname != some },
      #Predicate { ($0.nickname ?? "b") == "b" }, #Predicate { ($0.nickname ?? "b") != "b" },
      #Predicate { $0.pool == true }, #Predicate { $0.pool != true },
      #Predicate { $0.pool == false }, #Predicate { $0.pool != false }, #Predicate { $0.pool == nil },
      #Predicate { $0.pool ?? false }, #Predicate { $0.pool ?? true }, #Predicate { !($0.pool ?? false) },
      #Predicate { !($0.pool ?? true) }, #Predicate { $0.pool ?? $0.open }, #Predicate { !($0.pool ?? $0.open) },
      #Predicate { $0.postal?.city == "a" }, #Predicate { $0.postal?.city != "a" },
      #Predicate { $0.postal?.city == nil }, #Predicate { $0.postal?.zip == nil }, #Predicate { $0.postal?.zip != nil },
      #Predicate { $0.postal?.city.contains("a") == true }, #Predicate { $0.postal?.city.contains("a") != true },
      #Predicate { $0.postal?.city.contains("a") == false }, #Predicate { $0.postal?.city.contains("a") ?? false },
      #Predicate { $0.postal?.city.contains("a") ?? true }, #Predicate { !($0.postal?.city.contains("a") ?? true) },
      #Predicate { $0.nickname.flatMap { $0 != "a" } ?? true },
      #Predicate { $0.nickname.flatMap { !($0 == "a") } ?? false },
      #Predicate { hotel in hotel.nickname.flatMap { _ in hotel.open } ?? false },
      #Predicate { ($0.postal?.city.count ?? 7) > 1 }, #Predicate { $0.opened < date },
      #Predicate { $0.opened == date },
      #Predicate { $0.kind == kind }, #Predicate { $0.kind != kind }, #Predicate { $0.kind.rawValue == "hostel" },
      #Predicate { list.contains($0.name) }, #Predicate { !list.contains($0.name) },
      #Predicate { optionals.contains($0.nickname) }, #Predicate { !optionals.contains($0.nickname) },
      #Predicate { $0.address == address }, #Predicate { $0.address.city == address.city },
      #Predicate { range.contains($0.stars) }, #Predicate { !range.contains($0.stars) },
      #Predicate { (0..<3).contains($0.stars) }, #Predicate { $0.id == "h7" },
    ]
  }

  static var morePredicates: [Foundation.Predicate<Hotel>] {
    let (kinds, regex) = ([Kind.hotel], /^a|B/.ignoresCase())
    return [
      #Predicate { $0.stars + 1 > $0.stars * 2 - 3 }, #Predicate { -$0.stars < 0 }, #Predicate { $0.stars / 2 == 1 },
      #Predicate { $0.stars / 2 == -1 }, #Predicate { $0.stars % 2 == -1 }, #Predicate { $0.rating / 2 == 0.5 },
      #Predicate { $0.name.contains("a") }, #Predicate { !$0.name.contains("a") },
      #Predicate { $0.name.contains($0.address.city) }, #Predicate { $0.name.starts(with: "a") },
      #Predicate { $0.name.starts(with: "b%") }, #Predicate { !$0.name.starts(with: "b") },
      #Predicate { $0.name.starts(with: $0.address.city) }, #Predicate { $0.name.isEmpty },
      #Predicate { !$0.name.isEmpty }, #Predicate { $0.name.count > 1 }, #Predicate { $0.name.contains(regex) },
      #Predicate { kinds.contains($0.kind) }, #Predicate { $0.tags.contains("a") },
      #Predicate { !$0.tags.contains("a") }, #Predicate { $0.notes.contains($0.motto) },
      #Predicate { !$0.notes.contains($0.motto) }, #Predicate { $0.notes.contains(nil) },
      #Predicate { $0.tags.isEmpty }, #Predicate { !$0.tags.isEmpty }, #Predicate { $0.tags.count == 2 },
      #Predicate { $0.tags[0] == "a" }, #Predicate { $0.tags.first == "a" }, #Predicate { $0.tags.last != "a" },
      #Predicate { $0.tags.first == nil }, #Predicate { $0.tags.min() == "a" }, #Predicate { $0.tags.max() != "x" },
      #Predicate { $0.prices["a"] == 1 }, #Predicate { $0.prices["b"] != 0 },
      #Predicate { ($0.prices["b"] ?? 5) > 3 }, #Predicate { $0.prices["b", default: 5] > 3 },
      #Predicate { $0.tags.contains { $0 == "a" || $0 == "b" } }, #Predicate { !$0.rooms.contains { $0.number > 5 } },
      #Predicate { $0.rooms.contains { $0.rate == nil } }, #Predicate { $0.rooms.contains { $0.rate != 1 } },
      #Predicate { $0.rooms.allSatisfy { $0.rate != nil } }, #Predicate { !$0.rooms.allSatisfy { $0.rate != 1 } },
      #Predicate { hotel in hotel.rooms.contains { room in room.guests.contains { $0 == hotel.name } } },
      #Predicate { hotel in hotel.rooms.allSatisfy { room in !room.guests.contains(hotel.name) } },
      #Predicate { $0.rooms.filter { $0.number > 5 }.isEmpty },
      #Predicate { !$0.rooms.filter { $0.number > 5 }.isEmpty },
      #Predicate { $0.rooms.filter { $0.number > 5 }.count > 0 },
      #Predicate { 1 > $0.rooms.filter { $0.rate == nil }.count },
      #Predicate { $0.rooms.filter { $0.number > 1 }.contains { $0.rate == 1 } },
      #Predicate { $0.rooms.filter { $0.number > 1 }.allSatisfy { $0.rate == 1 } },
      #Predicate { $0.tags.filter { $0 > "a" }.contains("b") },
      #Predicate { $0.open ? $0.stars > 1 : $0.name == "a" }, #Predicate { !($0.open ? $0.stars > 1 : $0.name == "a") },
      #Predicate { ($0.open ? $0.nickname : $0.motto) == nil },
      #Predicate { if let name = $0.nickname { return name > "a" } else { return true } },
    ]
  }
}
