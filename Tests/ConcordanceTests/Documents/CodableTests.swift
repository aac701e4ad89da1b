import Concordance
import Foundation
import Testing

@Suite struct CodableTests {
  let files: TemporaryDatabase
  var hotels: Concordance.Collection { files.collection }

  init() throws { files = try TemporaryDatabase() }

  enum Kind: String, Codable { case hostel, hotel }
  enum Contact: Codable, Equatable { case phone(String), mail(address: String, verified: Bool) }

  struct Address: Codable, Equatable {
    var city: String
    var geo: [Double]
    var zip: String?
  }

  struct Hotel: DocumentCodable {
    @DocumentID var id: String?
    var name: String
    var kind = Kind.hotel
    var stars: Int?
    var opened = Date(timeIntervalSince1970: 1_700_000_000.25)
    var address = Address(city: "Riga", geo: [56.9, 24], zip: nil)
    var others: [Address] = []
    var prices: [String: Double] = [:]
    var contact: Contact?
    var site: URL?
    var key: UUID?
    var raw: Data?
    var big = Int64.max
    var huge = UInt64.max
    var small: Int8 = -8
    var open = true
  }

  final class Counter: DocumentCodable {
    @DocumentID var id: String?
    var count = 0
  }

  @Test func structIsEqualAfterARoundTrip() throws {
    let hotel = Hotel(
      name: "Ghia \0", stars: 4, others: [Address(city: "B", geo: [], zip: "1")], prices: ["single": 80.5],
      contact: .mail(address: "a@b", verified: true), site: URL(string: "https://example.com/x"), key: UUID(),
      raw: Data([0, 1, 255]))
    try hotels.save(from: hotel)
    let id = try #require(hotel.id)
    let read = try #require(try hotels.document(id: id, as: Hotel.self))
    #expect(read.id == id && read.name == hotel.name && read.kind == .hotel && read.stars == 4)
    #expect(read.opened == hotel.opened && read.address == hotel.address && read.others == hotel.others)
    #expect(read.prices == hotel.prices && read.contact == hotel.contact && read.site == hotel.site)
    #expect(read.key == hotel.key && read.raw == hotel.raw)
    #expect(read.big == .max && read.huge == .max && read.small == -8 && read.open)
  }

  @Test func documentsAndHitsAreDecoded() throws {
    try hotels.createIndex(withName: "search", config: FullTextIndexConfiguration(["name"]))
    try hotels.save(from: Hotel(id: "x", name: "Ghia"))
    let document = try #require(try hotels.document(id: "x"))
    #expect(try document.data(as: Hotel.self).name == "Ghia")
    let hit = try #require(try hotels.search("ghia").hits.first)
    var hotel = try hit.data(as: Hotel.self)
    #expect(hotel.id == "x" && hotel.name == "Ghia" && hotel.stars == nil)
    hotel.stars = 5
    #expect(try hotels.save(from: hotel, concurrencyControl: .failOnConflict))
    #expect(try hotels.document(id: "x")?.int(forKey: "stars") == 5)
    expectError(CBLError.decodingError) { _ = try document.data(as: Counter.self) }
  }

  @Test func encodedDocumentHasPlainProperties() throws {
    try hotels.save(from: Hotel(id: "x", name: "Ghia"))
    let document = try #require(try hotels.document(id: "x"))
    #expect(document["address"]["city"].string == "Riga" && document["kind"].string == "hotel")
    #expect(document["opened"].date == Date(timeIntervalSince1970: 1_700_000_000.25))
    #expect(document["stars"].value is NSNull && !document.contains(key: "id") && document["open"].value is Bool)
    #expect(document["big"].int64 == .max && document["huge"].number == NSNumber(value: UInt64.max))
  }

  @Test func missingDocumentIsNil() throws {
    #expect(try hotels.document(id: "none", as: Hotel.self) == nil)
  }

  @Test func decodingErrorContainsThePath() throws {
    try hotels.save(
      from: Hotel(id: "x", name: "Ghia", others: [Address(city: "A", geo: [1]), Address(city: "B", geo: [])]))
    let document = try #require(try hotels.document(id: "x")).toMutable()
    document["others"][0]["geo"][0].string = "north"
    try hotels.save(document: document)
    let error = #expect(throws: CBLError.self) { try hotels.document(id: "x", as: Hotel.self) }
    #expect(error?.code == CBLError.decodingError)
    #expect(
      error?.message
        == "the document \"x\" as Hotel: others[0].geo[0]: expected a number, found the string \"north\"")
    document.removeValue(forKey: "name")
    document.removeValue(forKey: "others")
    try hotels.save(document: document)
    let missing = #expect(throws: CBLError.self) { try hotels.document(id: "x", as: Hotel.self) }
    #expect(missing?.message.contains("name: there is no such property") == true)
  }

  @Test func numbersMustFitTheirType() throws {
    struct Small: DocumentDecodable { var n: Int8 }
    for (text, fits) in [
      ("127", true), ("128", false), ("1.0", true), ("1.5", false), ("true", false), ("\"1\"", false),
    ] {
      try files.save("n", "{\"n\":\(text)}")
      let read = try? hotels.document(id: "n", as: Small.self)
      #expect((read != nil) == fits, "\(text)")
    }
  }

  @Test func optionalsInArraysAndDictionariesKeepTheirValues() throws {
    struct Inner: Codable, Equatable { var x: Int }
    struct Lists: DocumentCodable {
      @DocumentID var id: String?
      var numbers: [Int?] = [1, nil, 3]
      var names: [String: String?] = ["k": "v", "n": nil]
      var dates: [Date?] = [Date(timeIntervalSince1970: 0)]
      var structs: [Inner?] = [Inner(x: 1), nil]
    }
    let lists = Lists()
    try hotels.save(from: lists)
    let id = try #require(lists.id)
    let read = try #require(try hotels.document(id: id, as: Lists.self))
    #expect(read.numbers == lists.numbers && read.names == lists.names && read.dates == lists.dates)
    #expect(read.structs == lists.structs)
  }

  @Test func decimalsKeepAllDigits() throws {
    struct Price: DocumentCodable {
      @DocumentID var id: String?
      var amount: Decimal
      var parts: [Decimal] = []
    }
    let digits = ["19.99", "9007199254740993", "12345678901234567890.123", "-0.1", "0"]
    let decimals = try digits.map { try #require(Decimal(string: $0)) }
    let price = Price(amount: decimals[0], parts: decimals)
    try hotels.save(from: price)
    let id = try #require(price.id)
    let document = try #require(try hotels.document(id: id))
    #expect(document.toJSON() == #"{"amount":19.99,"parts":[\#(digits.joined(separator: ","))]}"#)
    let read = try #require(try hotels.document(id: document.id, as: Price.self))
    #expect(read.amount == decimals[0] && read.parts == decimals)
    #expect(document.double(forKey: "amount") == 19.99)
  }

  @Test func encodingErrorContainsThePath() throws {
    let error = #expect(throws: CBLError.self) {
      try hotels.save(from: Hotel(name: "x", prices: ["single": .infinity]))
    }
    #expect(error?.code == CBLError.encodingError && error?.message.contains("prices.single") == true)
  }

  @Test func errorForATypeWithoutAnIDNamesTheDeclaration() throws {
    struct Plain: DocumentEncodable { var name = "x" }
    let error = #expect(throws: CBLError.self) { try hotels.save(from: Plain()) }
    #expect(error?.code == CBLError.invalidParameter && error?.message.contains("@DocumentID var id: String?") == true)
  }

  @Test func conflictsAreDetectedAndMerged() throws {
    let mine = Counter()
    try hotels.save(from: mine)
    let id = try #require(mine.id)
    let theirs = try #require(try hotels.document(id: id, as: Counter.self))
    theirs.count = 10
    try hotels.save(from: theirs)
    mine.count = 1
    #expect(try !hotels.save(from: mine, concurrencyControl: .failOnConflict))
    let isSaved = try hotels.save(from: mine) { mine, stored in
      mine.count += stored?.count ?? 0
      return true
    }
    #expect(isSaved && mine.id == id)
    #expect(try hotels.document(id: id, as: Counter.self)?.count == 11)
    mine.count = 12
    #expect(try hotels.save(from: mine, concurrencyControl: .failOnConflict))
    #expect(try !hotels.save(from: theirs) { _, _ in false })
  }

  @Test func objectsAreDeletedAndPurged() throws {
    let one = Counter()
    expectError(CBLError.notFound) { try hotels.delete(for: one) }
    try hotels.save(from: one)
    try hotels.delete(for: one)
    #expect(hotels.count == 0)
    try hotels.save(from: one)
    try hotels.purge(for: one)
    #expect(hotels.count == 0)
    try files.save("known", #"{"count":1}"#)
    let known = Counter()
    known.id = "known"
    try hotels.delete(for: known)
    #expect(hotels.count == 0)
  }

  @Test func subclassesAndNestedContainersAreEncoded() throws {
    class Base: DocumentCodable {
      @DocumentID var id: String?
      var base = 1
    }
    final class Derived: Base {
      var own = [[1], [2, 3]]
      override init() { super.init() }
      required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
        var rows = try decoder.container(keyedBy: Keys.self).nestedUnkeyedContainer(forKey: .own)
        own = []
        while !rows.isAtEnd { own.append(try rows.decode([Int].self)) }
      }
      override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        var rows = container.nestedUnkeyedContainer(forKey: .own)
        for row in own {
          var inner = rows.nestedUnkeyedContainer()
          for value in row { try inner.encode(value) }
        }
      }
      private enum Keys: String, CodingKey { case own }
    }
    let object = Derived()
    try hotels.save(from: object)
    let id = try #require(object.id)
    #expect(try hotels.document(id: id)?["own"].array?.toJSON() == "[[1],[2,3]]")
    let read = try #require(try hotels.document(id: id, as: Derived.self))
    #expect(read.own == [[1], [2, 3]] && read.base == 1)
  }

  @Test func otherCodersEncodeTheIDAsAString() throws {
    let text = try JSONEncoder().encode(Counter())
    #expect(try JSONDecoder().decode(Counter.self, from: text).id == nil)
    #expect(try JSONDecoder().decode(Counter.self, from: Data(#"{"count":1}"#.utf8)).id == nil)
    #expect(try JSONDecoder().decode(Counter.self, from: Data(#"{"count":1,"id":"x"}"#.utf8)).id == "x")
  }
}
