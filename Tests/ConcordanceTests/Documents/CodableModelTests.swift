import Concordance
import Foundation
import Testing

/// Plain `Codable` types as documents, as programs written for Couchbase Lite declare them.
@Suite struct CodableModelTests {
  let files: TemporaryDatabase
  var tasks: Concordance.Collection { files.collection }

  init() throws { files = try TemporaryDatabase() }

  final class Chore: Codable {
    @DocumentID var id: String?
    var title: String
    var completed: Bool
    var note: String?
    var priority: Int?

    init(id: String? = nil, title: String, completed: Bool = false) {
      self.id = id
      self.title = title
      self.completed = completed
    }
  }

  struct Place: Codable {
    @DocumentID var id: String?
    var name: String
  }

  /// The coding keys do not contain the id.
  class Profile: Codable {
    @DocumentID var pid: String?
    var name: String

    enum CodingKeys: String, CodingKey { case name }

    init(pid: String? = nil, name: String) {
      self.name = name
      self.pid = pid
    }
  }

  /// The id is a property of the superclass, which shares the encoder.
  final class Employee: Profile {
    var salary: Double

    enum EmployeeKeys: String, CodingKey { case salary }

    init(pid: String? = nil, name: String, salary: Double) {
      self.salary = salary
      super.init(pid: pid, name: name)
    }

    required init(from decoder: any Decoder) throws {
      salary = try decoder.container(keyedBy: EmployeeKeys.self).decode(Double.self, forKey: .salary)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: EmployeeKeys.self)
      try container.encode(salary, forKey: .salary)
    }
  }

  /// The superclass encodes itself in a separate container.
  final class Note: Base {
    var text = "t"

    enum NoteKeys: String, CodingKey { case text }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: NoteKeys.self)
      text = try container.decode(String.self, forKey: .text)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: NoteKeys.self)
      try container.encode(text, forKey: .text)
      try super.encode(to: container.superEncoder())
    }
  }

  class Base: Codable {
    @DocumentID var id: String?
    var kind = "base"

    init() {}
  }

  @Test func plainCodableClassIsSavedReadDeletedAndPurged() throws {
    let chore = Chore(title: "wash up")
    try tasks.save(from: chore)
    let id = try #require(chore.id)
    let read = try #require(try tasks.document(id: id, as: Chore.self))
    #expect(read.id == id && read.title == "wash up" && !read.completed)
    read.completed = true
    #expect(try tasks.save(from: read, concurrencyControl: .failOnConflict))
    #expect(try !tasks.save(from: chore, concurrencyControl: .failOnConflict))
    let isSaved = try tasks.save(from: chore) { mine, stored in
      mine.completed = stored?.completed ?? false
      return true
    }
    #expect(isSaved)
    #expect(try tasks.document(id: id)?.boolean(forKey: "completed") == true)
    try tasks.delete(for: chore)
    #expect(try tasks.document(id: id) == nil)
    let other = Chore(id: "other", title: "x")
    try tasks.save(from: other)
    try tasks.purge(for: other)
    #expect(try tasks.document(id: "other") == nil)
  }

  @Test func plainCodableStructIsSavedAndRead() throws {
    let place = Place(name: "Riga")
    try tasks.save(from: place)
    let id = try #require(place.id)
    #expect(try tasks.document(id: id, as: Place.self)?.name == "Riga")
  }

  @Test func genericFunctionOverTheMarkerNamesTakesPlainTypes() throws {
    func store<T: DocumentCodable>(_ value: T) throws { try tasks.save(from: value) }
    try store(Place(id: "p", name: "Riga"))
    #expect(try tasks.document(id: "p")?.toJSON() == #"{"name":"Riga"}"#)
  }

  @Test func idOutsideTheCodingKeysIsFound() throws {
    let profile = Profile(name: "Ieva")
    try tasks.save(from: profile)
    let id = try #require(profile.pid)
    #expect(try tasks.document(id: id)?.toJSON() == #"{"name":"Ieva"}"#)
    let read = try #require(try tasks.document(id: id, as: Profile.self))
    #expect(read.pid == id)
    read.name = "Anna"
    try tasks.save(from: read)
    #expect(tasks.count == 1)
  }

  @Test func idOfASuperclassIsFound() throws {
    let employee = Employee(pid: "e1", name: "Ieva", salary: 10.5)
    try tasks.save(from: employee)
    #expect(try tasks.document(id: "e1")?.toJSON() == #"{"name":"Ieva","salary":10.5}"#)
    let read = try #require(try tasks.document(id: "e1", as: Employee.self))
    #expect(read.pid == "e1" && read.name == "Ieva" && read.salary == 10.5)
    try tasks.delete(for: read)
    #expect(tasks.count == 0)
  }

  @Test func idOfASuperclassWithItsOwnContainerIsFound() throws {
    let note = Note()
    try tasks.save(from: note)
    let id = try #require(note.id)
    #expect(try tasks.document(id: id)?.toJSON() == #"{"text":"t","super":{"kind":"base"}}"#)
    #expect(try tasks.document(id: id, as: Note.self)?.id == id)
  }

  @Test func nilPropertiesAreSavedAsNull() throws {
    try tasks.save(from: Chore(id: "c", title: "t"))
    let document = try #require(try tasks.document(id: "c"))
    #expect(document.toJSON() == #"{"title":"t","completed":false,"note":null,"priority":null}"#)
    #expect(document.value(forKey: "note") is NSNull && document.contains(key: "priority"))
    let read = try #require(try tasks.document(id: "c", as: Chore.self))
    #expect(read.note == nil && read.priority == nil)
    read.note = "n"
    read.priority = 2
    try tasks.save(from: read)
    #expect(try tasks.document(id: "c")?.int(forKey: "priority") == 2)
  }

  @Test func everyOptionalTypeIsSavedAsNull() throws {
    struct All: Codable {
      @DocumentID var id: String?
      var a: Bool?, b: String?, c: Double?, d: Float?, e: Int?, f: Int8?, g: Int16?, h: Int32?, i: Int64?
      var j: UInt?, k: UInt8?, l: UInt16?, m: UInt32?, n: UInt64?, o: Date?, p: Data?, q: [Int]?, r: Blob?
    }
    try tasks.save(from: All(id: "all"))
    let document = try #require(try tasks.document(id: "all"))
    #expect(document.keys == "abcdefghijklmnopqr".map { "\($0)" })
    #expect(document.keys.allSatisfy { document.value(forKey: $0) is NSNull })
  }

  @Test func typeWithoutAnIDIsAnInvalidParameter() throws {
    struct Plain: Codable { var name = "x" }
    struct Two: Codable {
      @DocumentID var id: String?
      @DocumentID var other: String?
    }
    expectError(CBLError.invalidParameter, "@DocumentID var id: String?") { try tasks.save(from: Plain()) }
    expectError(CBLError.invalidParameter) { try tasks.delete(for: Plain()) }
    expectError(CBLError.invalidParameter) { try tasks.purge(for: Plain()) }
    expectError(CBLError.invalidParameter, "more than one") { try tasks.save(from: Two()) }
  }

  @Test func idOfAnInnerValueIsAnOrdinaryProperty() throws {
    struct Trip: Codable {
      @DocumentID var id: String?
      var to: Place
    }
    try tasks.save(from: Trip(id: "t", to: Place(id: "riga", name: "Riga")))
    #expect(try tasks.document(id: "t")?["to"]["id"].string == "riga")
    let read = try #require(try tasks.document(id: "t", as: Trip.self))
    #expect(read.id == "t" && read.to.id == "riga")
  }
}
