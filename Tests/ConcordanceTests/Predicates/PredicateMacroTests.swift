import Concordance
import Foundation
import QueryModel
import Testing

@testable import Concordance

/// `#Predicate` translated to SQL++, with the same meaning as in Swift.
@Suite struct PredicateMacroTests {
  enum Kind: String, Codable { case hostel, hotel }
  enum Grade: Int, Codable { case low, high }

  struct Address: Codable, Equatable {
    var city: String
    var zip: String?
    var geo: [Double] = []
  }

  struct Room: Codable {
    var number: Int
    var guests: [String]
    var rate: Double?
  }

  struct Hotel: DocumentCodable {
    @DocumentID var id: String?
    var name: String
    var nickname: String?
    var motto: String?
    var kind: Kind
    var grade: Grade?
    var stars: Int
    var rating: Double
    var open: Bool
    var pool: Bool?
    var opened: Date
    var key: UUID
    var site: URL?
    var address: Address
    var postal: Address?
    var tags: [String]
    var notes: [String?]
    var rooms: [Room]
    var prices: [String: Double]
  }

  func check(_ predicate: Foundation.Predicate<Hotel>, _ sql: String) throws {
    let expression = try PredicateTranslator.expression(predicate)
    #expect(expression.description == sql)
    #expect(try SQLParser().parseExpression(sql) == expression)
  }

  func fault(_ predicate: Foundation.Predicate<Hotel>) -> String {
    let error = #expect(throws: CBLError.self) { try PredicateTranslator.expression(predicate) }
    #expect(error?.code == CBLError.invalidQuery)
    return error?.message ?? ""
  }

  @Test func comparisons() throws {
    try check(#Predicate { $0.name == "Ghia" }, "name = 'Ghia'")
    try check(#Predicate { $0.name != "Ghia" }, "name != 'Ghia'")
    try check(#Predicate { $0.stars > 3 && $0.stars <= 5 }, "stars > 3 AND stars <= 5")
    try check(#Predicate { $0.stars < 3 || $0.stars >= 5 }, "stars < 3 OR stars >= 5")
    try check(#Predicate { $0.stars == 1 && $0.stars == 2 && $0.stars == 3 }, "stars = 1 AND stars = 2 AND stars = 3")
    try check(#Predicate { !($0.stars > 3) }, "NOT stars > 3")
    try check(#Predicate { !($0.name == "a" || $0.stars > 3) }, "name != 'a' AND NOT stars > 3")
    try check(#Predicate { !($0.name == "a" && !$0.open) }, "name != 'a' OR open")
    try check(#Predicate { $0.open }, "open")
    try check(#Predicate { !$0.open }, "NOT open")
    try check(#Predicate { $0.open == true }, "open")
    try check(#Predicate { $0.open != true }, "NOT open")
    try check(#Predicate { ($0.stars > 3) == $0.open }, "IFMISSINGORNULL(stars > 3, FALSE) = open")
    try check(#Predicate { _ in true }, "TRUE")
    try check(#Predicate { $0.address.city == "Riga" }, "address.city = 'Riga'")
    try check(
      #Predicate { $0.open ? $0.stars > 3 : $0.name == "x" }, "CASE WHEN open THEN stars > 3 ELSE name = 'x' END")
  }

  @Test func optionals() throws {
    try check(#Predicate { $0.nickname == nil }, "nickname IS NOT VALUED")
    try check(#Predicate { $0.nickname != nil }, "nickname IS VALUED")
    try check(#Predicate { $0.nickname == "x" }, "nickname = 'x'")
    try check(#Predicate { $0.nickname != "x" }, "nickname != 'x' OR nickname IS NOT VALUED")
    try check(#Predicate { !($0.nickname == "x") }, "nickname != 'x' OR nickname IS NOT VALUED")
    try check(#Predicate { !($0.nickname != "x") }, "nickname = 'x'")
    try check(
      #Predicate { $0.nickname == $0.motto },
      "nickname = motto OR nickname IS NOT VALUED AND motto IS NOT VALUED")
    try check(
      #Predicate { $0.nickname != $0.motto },
      "nickname != motto OR nickname IS NOT VALUED AND motto IS VALUED OR nickname IS VALUED AND motto IS NOT VALUED")
    try check(#Predicate { ($0.nickname ?? "none") == "none" }, "IFMISSINGORNULL(nickname, 'none') = 'none'")
    try check(#Predicate { $0.nickname! > "x" }, "nickname > 'x'")
    try check(#Predicate { $0.pool == true }, "pool")
    try check(#Predicate { $0.pool != true }, "NOT pool OR pool IS NOT VALUED")
    try check(#Predicate { $0.pool ?? false }, "pool")
    try check(#Predicate { $0.pool ?? true }, "pool OR pool IS NOT VALUED")
    try check(#Predicate { !($0.pool ?? false) }, "NOT pool OR pool IS NOT VALUED")
    try check(#Predicate { !($0.pool ?? true) }, "NOT pool")
    try check(#Predicate { $0.pool ?? $0.open }, "pool OR pool IS NOT VALUED AND open")
    let none: String? = nil
    let some: String? = "x"
    try check(#Predicate { $0.nickname == none }, "nickname IS NOT VALUED")
    try check(#Predicate { $0.nickname != none }, "nickname IS VALUED")
    try check(#Predicate { $0.nickname != some }, "nickname != 'x' OR nickname IS NOT VALUED")
  }

  @Test func chains() throws {
    try check(#Predicate { $0.postal?.city == "Riga" }, "postal.city = 'Riga'")
    try check(#Predicate { $0.postal?.city != "Riga" }, "postal.city != 'Riga' OR postal.city IS NOT VALUED")
    try check(#Predicate { $0.postal?.city == nil }, "postal.city IS NOT VALUED")
    try check(#Predicate { $0.postal?.zip != nil }, "postal.zip IS VALUED")
    try check(#Predicate { $0.postal?.city.contains("a") == true }, "CONTAINS(postal.city, 'a')")
    try check(#Predicate { $0.postal?.city.contains("a") ?? false }, "CONTAINS(postal.city, 'a')")
    try check(
      #Predicate { $0.postal?.city.contains("a") ?? true }, "CONTAINS(postal.city, 'a') OR postal IS NOT VALUED")
    try check(#Predicate { $0.nickname.flatMap { $0 == "x" } ?? false }, "nickname = 'x'")
    try check(#Predicate { $0.nickname.flatMap { $0 != "x" } ?? false }, "nickname != 'x'")
    try check(#Predicate { ($0.postal?.geo.count ?? 0) > 1 }, "IFMISSINGORNULL(ARRAY_LENGTH(postal.geo), 0) > 1")
    try check(
      #Predicate { hotel in hotel.nickname.flatMap { _ in hotel.open } ?? false }, "nickname IS VALUED AND open")
    try check(
      #Predicate { if let name = $0.nickname { return name > "a" } else { return false } }, "nickname > 'a'")
  }

  @Test func arithmetic() throws {
    try check(#Predicate { $0.stars + 1 > $0.stars * 2 - 3 }, "stars + 1 > stars * 2 - 3")
    try check(#Predicate { -$0.stars < 0 }, "-stars < 0")
    try check(#Predicate { $0.stars / 2 == 1 }, "IDIV(stars, 2) = 1")
    try check(#Predicate { $0.stars % 2 == 1 }, "stars % 2 = 1")
    try check(#Predicate { $0.rating / 2 > 1.5 }, "DIV(rating, 2.0) > 1.5")
  }

  @Test func strings() throws {
    try check(#Predicate { $0.name.contains("a") }, "CONTAINS(name, 'a')")
    try check(#Predicate { !$0.name.contains("a") }, "NOT CONTAINS(name, 'a')")
    try check(#Predicate { $0.name.contains($0.address.city) }, "CONTAINS(name, address.city)")
    try check(#Predicate { $0.name.starts(with: "5%_\\") }, #"name LIKE '5\%\_\\%'"#)
    try check(#Predicate { $0.name.starts(with: $0.address.city) }, "POSITION(name, address.city) = 0")
    try check(#Predicate { $0.name.isEmpty }, "name = ''")
    try check(#Predicate { !$0.name.isEmpty }, "name != ''")
    try check(#Predicate { $0.name.count > 3 }, "LENGTH(name) > 3")
    let regex = /a\d+'/
    try check(#Predicate { $0.name.contains(regex) }, #"REGEXP_CONTAINS(name, 'a\d+''')"#)
  }

  @Test func lists() throws {
    try check(#Predicate { $0.tags.contains("a") }, "ARRAY_CONTAINS(tags, 'a')")
    try check(#Predicate { !$0.tags.contains("a") }, "NOT ARRAY_CONTAINS(tags, 'a')")
    try check(#Predicate { $0.notes.contains($0.nickname) }, "ARRAY_CONTAINS(notes, IFMISSING(nickname, NULL))")
    try check(#Predicate { ["a", "b"].contains($0.name) }, "name IN ('a', 'b')")
    let names: Set<String> = ["a"]
    try check(#Predicate { !names.contains($0.name) }, "name NOT IN ('a')")
    let all: [String?] = ["a", nil]
    try check(#Predicate { all.contains($0.nickname) }, "nickname IN ('a') OR nickname IS NOT VALUED")
    try check(#Predicate { !all.contains($0.nickname) }, "nickname NOT IN ('a')")
    let some: [String?] = ["a"]
    try check(#Predicate { some.contains($0.nickname) }, "nickname IN ('a')")
    try check(#Predicate { !some.contains($0.nickname) }, "nickname NOT IN ('a') OR nickname IS NOT VALUED")
    try check(#Predicate { $0.tags.isEmpty }, "ARRAY_LENGTH(tags) = 0")
    try check(#Predicate { !$0.tags.isEmpty }, "ARRAY_LENGTH(tags) != 0")
    try check(#Predicate { $0.tags.count == 2 }, "ARRAY_LENGTH(tags) = 2")
    try check(#Predicate { $0.tags[1] == "a" }, "tags[1] = 'a'")
    try check(#Predicate { $0.tags.first == "a" }, "tags[0] = 'a'")
    try check(#Predicate { $0.tags.last != "a" }, "tags[-1] != 'a' OR tags[-1] IS NOT VALUED")
    try check(#Predicate { $0.tags.min() == "a" }, "ARRAY_MIN(tags) = 'a'")
    try check(#Predicate { $0.tags.max()! == "a" }, "ARRAY_MAX(tags) = 'a'")
    try check(#Predicate { $0.prices["single"] == 3 }, "prices.single = 3.0")
    try check(#Predicate { ($0.prices["a.b"] ?? 0) > 3 }, "IFMISSINGORNULL(prices.`a.b`, 0.0) > 3.0")
    try check(#Predicate { $0.prices["a", default: 1] > 3 }, "IFMISSINGORNULL(prices.a, 1.0) > 3.0")
  }

  @Test func elements() throws {
    try check(
      #Predicate { $0.tags.contains { $0 == "a" || $0 == "b" } },
      "ANY element IN tags SATISFIES element = 'a' OR element = 'b' END")
    try check(
      #Predicate { !$0.rooms.contains { $0.number > 5 } }, "NOT ANY element IN rooms SATISFIES element.number > 5 END")
    try check(
      #Predicate { $0.rooms.allSatisfy { $0.rate != nil } },
      "EVERY element IN rooms SATISFIES element.rate IS VALUED END")
    try check(
      #Predicate { hotel in hotel.rooms.contains { room in room.guests.contains { $0 == hotel.name } } },
      "ANY element IN rooms SATISFIES ANY element2 IN element.guests SATISFIES element2 = name END END")
    try check(
      #Predicate { $0.rooms.filter { $0.number > 5 }.isEmpty },
      "NOT ANY element IN rooms SATISFIES element.number > 5 END")
    try check(
      #Predicate { !$0.rooms.filter { $0.number > 5 }.isEmpty }, "ANY element IN rooms SATISFIES element.number > 5 END"
    )
    try check(
      #Predicate { $0.rooms.filter { $0.number > 5 }.count > 0 },
      "ANY element IN rooms SATISFIES element.number > 5 END")
    try check(
      #Predicate { 0 == $0.rooms.filter { $0.number > 5 }.count },
      "NOT ANY element IN rooms SATISFIES element.number > 5 END")
    try check(
      #Predicate { $0.rooms.filter { $0.number > 5 }.contains { $0.rate == 1 } },
      "ANY element IN rooms SATISFIES element.number > 5 AND element.rate = 1.0 END")
    try check(
      #Predicate { $0.rooms.filter { $0.number > 5 }.allSatisfy { $0.rate == 1 } },
      "EVERY element IN rooms SATISFIES NOT element.number > 5 OR element.rate = 1.0 END")
    try check(
      #Predicate { $0.tags.filter { $0 > "a" }.contains("b") },
      "ANY element IN tags SATISFIES element > 'a' AND element = 'b' END")
  }

  @Test func ranges() throws {
    let closed = 1...5
    let (low, high) = (5, 1)
    try check(#Predicate { (1...5).contains($0.stars) }, "stars BETWEEN 1 AND 5")
    try check(#Predicate { closed.contains($0.stars) }, "stars BETWEEN 1 AND 5")
    try check(#Predicate { !(1...5).contains($0.stars) }, "stars NOT BETWEEN 1 AND 5")
    try check(#Predicate { (1..<5).contains($0.stars) }, "stars >= 1 AND stars < 5")
    // Evaluating this predicate in Swift traps.
    try check(#Predicate { (low...high).contains($0.stars) }, "stars BETWEEN 5 AND 1")
    let (from, through, upTo) = (1..., ...5, ..<5)
    try check(#Predicate { from.contains($0.stars) }, "stars >= 1")
    try check(#Predicate { through.contains($0.stars) }, "stars <= 5")
    try check(#Predicate { upTo.contains($0.stars) }, "stars < 5")
  }

  @Test func capturedValues() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    try check(#Predicate { $0.opened < date }, "opened < '2023-11-14T22:13:20.250Z'")
    let key = try #require(UUID(uuidString: "0E984725-C51C-4BF4-9960-E1C80E27ABA0"))
    try check(#Predicate { $0.key == key }, "`key` = '0E984725-C51C-4BF4-9960-E1C80E27ABA0'".replacing("`", with: ""))
    let site = URL(string: "https://example.com/x")
    try check(#Predicate { $0.site == site }, "site = 'https://example.com/x'")
    let (kind, grade) = (Kind.hotel, Grade.high)
    try check(#Predicate { $0.kind == kind && $0.grade == grade }, "kind = 'hotel' AND grade = 1")
    let kinds = [Kind.hotel, .hostel]
    try check(#Predicate { kinds.contains($0.kind) }, "kind IN ('hotel', 'hostel')")
    try check(#Predicate { $0.kind.rawValue == "hotel" }, "kind = 'hotel'")
    try check(#Predicate { $0.key.uuidString == "x" }, "key = 'x'")
    let address = Address(city: "Riga", zip: nil, geo: [56.9])
    try check(#Predicate { $0.address == address }, "address = {'city': 'Riga', 'zip': NULL, 'geo': [56.9]}")
    try check(#Predicate { $0.address.city == address.city }, "address.city = 'Riga'")
    let cities = ["a": ["Riga"]]
    let name = "a"
    try check(#Predicate { $0.address.city == cities[name]![0] }, "address.city = 'Riga'")
    let infinite = Double.infinity
    #expect(fault(#Predicate { $0.rating < infinite }).contains("JSON cannot represent inf"))
    #expect(fault(#Predicate { $0.name == cities["b"]![0] }).contains("captured value"))
  }

  @Test func idIsTheDocumentID() throws {
    try check(#Predicate { $0.id == "hotel_1" }, "META().id = 'hotel_1'")
    try check(#Predicate { $0.id!.starts(with: "hotel") }, "META().id LIKE 'hotel%'")
  }

  @Test func untranslatableExpressionIsRejected() {
    #expect(fault(#Predicate { $0.tags[0..<2].contains("a") }).contains("CollectionRangeSubscript has no equivalent"))
    #expect(fault(#Predicate { $0.tags[$0.stars] == "a" }).contains("the position in an array must be"))
    #expect(fault(#Predicate { $0.rooms.filter { $0.number > 5 }.count > 2 }).contains("can only be compared with 0"))
    #expect(fault(#Predicate { $0.prices.isEmpty }).contains("computed"))
  }

  @Test func typeChecksUseStaticTypes() throws {
    typealias Parts = PredicateExpressions
    func predicate<P: StandardPredicateExpression<Bool>>(
      _ body: (Parts.Variable<Hotel>) -> P
    ) -> Foundation.Predicate<Hotel> {
      Foundation.Predicate { body($0) }
    }
    try check(predicate { Parts.TypeCheck<_, String>(Parts.KeyPath(root: $0, keyPath: \.name)) }, "TRUE")
    try check(
      predicate { Parts.TypeCheck<_, String>(Parts.KeyPath(root: $0, keyPath: \.nickname)) }, "nickname IS VALUED")
    try check(
      predicate {
        Parts.build_Equal(
          lhs: Parts.ConditionalCast<_, String>(Parts.KeyPath(root: $0, keyPath: \.name)), rhs: Parts.build_Arg("x"))
      }, "name = 'x'")
    #expect(
      fault(predicate { Parts.TypeCheck<_, Int>(Parts.KeyPath(root: $0, keyPath: \.name)) })
        .contains("the type of a value"))
  }
}
