import Foundation
import JSONText
import QueryModel
import Testing

@testable import Concordance

/// The document property that a key path refers to.
@Suite struct KeyPathTests {
  func path<T>(_ keyPath: KeyPath<T, some Any>) throws -> String {
    let resolved = try KeyPathResolver().resolve(keyPath)
    return resolved.isDocumentID ? "META().id" : PropertyPath(resolved.components).description
  }

  func fault<T>(_ keyPath: KeyPath<T, some Any>) -> String {
    let error = #expect(throws: CBLError.self) { try KeyPathResolver().resolve(keyPath) }
    #expect(error?.code == CBLError.invalidQuery)
    return error?.message ?? ""
  }

  enum Kind: String, Codable { case hostel, hotel }
  enum Grade: Int, Codable { case low = 100, high = 200 }
  enum Listed: String, Codable, CaseIterable { case one, two }
  enum Single: String, Codable { case only }
  enum Contact: Codable { case phone(String), mail(address: String), none }
  enum Flag: Codable { case up, down }

  struct Everything: Codable {
    var string: String
    var bool: Bool
    var bool2: Bool
    var int: Int
    var int8: Int8
    var uint64: UInt64?
    var float: Float
    var double: Double?
    var decimal: Decimal
    var date: Date
    var date2: Date?
    var url: URL
    var data: Data
    var uuid: UUID
    var kind: Kind
    var kind2: Kind?
    var grade: Grade
    var grade2: Grade
    var listed: Listed
    var single: Single
    var contact: Contact
    var flag: Flag
    var blob: Blob?
    var strings: [String]
    var set: Set<Int>
    var dictionary: [String: Int]
    var numbers: [Int: String]
    var nested: [[String: [Kind]]]
    let constant: Int
    private(set) var guarded: String

    enum CodingKeys: String, CodingKey {
      case string = "a"
      case bool = "b"
      case bool2 = "c"
      case int = "d"
      case int8 = "e"
      case uint64 = "f"
      case float = "g"
      case double = "h"
      case decimal = "i"
      case date = "j"
      case date2 = "k"
      case url = "l"
      case data = "m"
      case uuid = "n"
      case kind = "o"
      case kind2 = "p"
      case grade = "q"
      case grade2 = "r"
      case listed = "s"
      case single = "t"
      case contact = "u"
      case flag = "v"
      case blob = "w"
      case strings = "x"
      case set = "y"
      case dictionary = "z"
      case numbers = "A"
      case nested = "B.C"
      case constant = "D"
      case guarded = "E"
    }
  }

  @Test func everyTypeIsFoundByItsKey() throws {
    #expect(try path(\Everything.string) == "a" && path(\Everything.bool) == "b" && path(\Everything.bool2) == "c")
    #expect(try path(\Everything.int) == "d" && path(\Everything.int8) == "e" && path(\Everything.uint64) == "f")
    #expect(try path(\Everything.float) == "g" && path(\Everything.double) == "h" && path(\Everything.decimal) == "i")
    #expect(try path(\Everything.date) == "j" && path(\Everything.date2) == "k" && path(\Everything.url) == "l")
    #expect(try path(\Everything.data) == "m" && path(\Everything.uuid) == "n" && path(\Everything.kind) == "o")
    #expect(try path(\Everything.kind2) == "p" && path(\Everything.grade) == "q" && path(\Everything.grade2) == "r")
    #expect(try path(\Everything.listed) == "s" && path(\Everything.single) == "t")
    #expect(try path(\Everything.contact) == "u" && path(\Everything.flag) == "v" && path(\Everything.blob) == "w")
    #expect(try path(\Everything.strings) == "x" && path(\Everything.set) == "y" && path(\Everything.dictionary) == "z")
    #expect(try path(\Everything.numbers) == "A" && path(\Everything.nested) == "`B.C`")
    #expect(try path(\Everything.constant) == "D" && path(\Everything.guarded) == "E")
  }

  struct Swapped: Codable {
    var first: String
    var second: String
    enum CodingKeys: String, CodingKey {
      case first = "second"
      case second = "first"
    }
  }

  @Test func keysMayBeSwapped() throws {
    #expect(try path(\Swapped.first) == "second" && path(\Swapped.second) == "first")
  }

  struct Named: DocumentCodable {
    @DocumentID private(set) var id: String?
    var name: String
    var address: Address
    var other: Address?
    var cached = 0
    var length: Int { name.count }
    var trimmed: String {
      get { name.trimmingCharacters(in: .whitespaces) }
      set { name = newValue }
    }
    var alias: String {
      get { name }
      set { name = newValue }
    }
    var both: String {
      get { name + address.city }
      set { name = newValue }
    }
    var dangerous: Int { [Int]()[0] }
    enum CodingKeys: String, CodingKey {
      case id
      case name
      case address = "where"
      case other
    }
  }

  struct Address: Codable {
    var city: String
    var zip: String
    enum CodingKeys: String, CodingKey {
      case city = "town"
      case zip
    }
  }

  @Test func nestedPropertiesAreFound() throws {
    #expect(try path(\Named.address) == "where" && path(\Named.address.city) == "where.town")
    #expect(try path(\Named.address.zip) == "where.zip" && path(\Named.other?.city) == "other.town")
    #expect(try path(\Named.id) == "META().id")
  }

  @Test func computedPropertyHasNoKey() throws {
    #expect(fault(\Named.length).contains(#"\Named.(computed Int) cannot be used in a query: it is a computed"#))
    #expect(fault(\Named.dangerous).contains("it is a computed property"))
    #expect(fault(\Named.trimmed).contains("not decoded itself"))
    #expect(fault(\Named.both).contains("not decoded itself"))
    #expect(fault(\Named.cached).contains("it is not decoded from any coding key of Named"))
    #expect(fault(\Named.name.count).contains("computed"))
    // It returns the property `name`.
    #expect(try path(\Named.alias) == "name")
  }

  @propertyWrapper struct Plain<Value: Codable>: Codable {
    var wrappedValue: Value
    init(from decoder: any Decoder) throws {
      wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  @propertyWrapper struct Boxed<Value: Codable>: Codable {
    var wrappedValue: Value
  }

  struct Wrapped: Codable {
    @Plain var open: Bool
    @Plain var name: String
    @Boxed var boxed: Int
    var email: Email
  }

  struct Email: Codable {
    let text: String
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      guard text.contains("@") else {
        throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "no address"))
      }
    }
  }

  @Test func wrappedPropertiesAreFound() throws {
    #expect(try path(\Wrapped.open) == "open" && path(\Wrapped.name) == "name")
    #expect(try path(\Wrapped.boxed) == "boxed.wrappedValue" && path(\Wrapped.email) == "email")
    #expect(try path(\Wrapped.email.text) == "email" && path(\Email.text).isEmpty)
  }

  class Base: Codable {
    var name = ""
    var count = 0
    enum CodingKeys: String, CodingKey {
      case name = "n"
      case count
    }
  }

  final class Nested: Base {
    var more = 0
    enum CodingKeys: String, CodingKey { case more = "m" }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      more = try container.decode(Int.self, forKey: .more)
      try super.init(from: container.superDecoder())
    }
  }

  final class Flat: Base {
    var more = 0
    enum CodingKeys: String, CodingKey { case more = "m" }
    required init(from decoder: any Decoder) throws {
      more = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .more)
      try super.init(from: decoder)
    }
  }

  @Test func classesHavePropertiesOfTheirSuperclass() throws {
    #expect(try path(\Base.name) == "n" && path(\Base.count) == "count")
    #expect(try path(\Nested.more) == "m" && path(\Nested.name) == "super.n")
    #expect(try path(\Flat.more) == "m" && path(\Flat.name) == "n")
  }

  struct Custom: Decodable {
    var latitude: Double
    var third: String
    var always = 3

    enum CodingKeys: String, CodingKey { case geo, list }
    enum GeoKeys: String, CodingKey { case lat }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      latitude = try container.nestedContainer(keyedBy: GeoKeys.self, forKey: .geo).decode(Double.self, forKey: .lat)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      _ = try list.decode(String.self)
      _ = try list.decode(String.self)
      third = try list.decode(String.self)
    }
  }

  @Test func propertiesOfCustomDecodersAreFound() throws {
    #expect(try path(\Custom.latitude) == "geo.lat" && path(\Custom.third) == "list[2]")
    #expect(fault(\Custom.always).contains("it is not decoded from any coding key of Custom"))
  }

  struct Tree: Codable {
    var value: Int
    var children: [Tree]
    var left: Box?
    final class Box: Codable { var tree: Tree? }
  }

  struct Strict: Codable {
    var code: Code
    var name: String
    struct Code: Codable {
      var text: String
      init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "never"))
      }
      func encode(to encoder: any Encoder) {}
    }
  }

  struct Generic<Value: Codable>: Codable { var value: Value }

  struct Opaque { var name = "" }

  @Test func oddTypes() throws {
    #expect(try path(\Tree.children) == "children" && path(\Tree.value) == "value" && path(\Tree.left) == "left")
    // The type rejects every sample, but its property names are coding keys.
    #expect(try path(\Strict.name) == "name")
    #expect(try path(\Strict.code) == "code")
    enum Empty {}
    #expect(ByteSizedType.values(of: Empty.self) == nil && ByteSizedType.values(of: Single.self) == [.only])
    #expect(
      ByteSizedType.values(of: Listed.self) == [.one, .two] && ByteSizedType.values(of: Bool.self) == [false, true])
    #expect(ByteSizedType.values(of: Int8.self)?.count == 256 && ByteSizedType.values(of: Int.self) == nil)
    #expect(try path(\Generic<[Kind]>.value) == "value")
    #expect(fault(\Opaque.name).contains("Opaque cannot be decoded"))
  }

  @Test func descriptorsSortByProperties() throws {
    func term<T>(_ descriptor: SortDescriptor<T>) throws -> SortTerm { try PredicateTranslator.sortTerm(descriptor) }
    func name(_ path: String) throws -> QueryExpression { try SQLParser().parseExpression(path) }
    #expect(try term(SortDescriptor(\Named.name)) == SortTerm(name("name")))
    #expect(
      try term(SortDescriptor(\Named.address.city, order: .reverse))
        == SortTerm(name("`where`.town"), isAscending: false))
    #expect(try term(SortDescriptor(\Named.id)) == SortTerm(.metadata(.id, source: nil)))
    #expect(throws: CBLError.self) { try term(SortDescriptor(\Named.length)) }
  }
}
