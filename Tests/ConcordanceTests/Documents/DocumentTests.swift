import Concordance
import Foundation
import Testing

@Suite struct DocumentTests {
  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  @Test func gettersConvertValuesAndNeverThrow() throws {
    let document = try MutableDocument(
      json: #"{"s":"x","i":-7,"d":2.9,"t":true,"f":false,"n":null,"a":[1],"o":{"k":1},"big":18446744073709551615}"#)
    #expect(document.string(forKey: "s") == "x")
    #expect(document.string(forKey: "i") == nil)
    #expect(document.int(forKey: "i") == -7)
    #expect(document.int(forKey: "d") == 2)
    #expect(document.int(forKey: "t") == 1)
    #expect(document.int(forKey: "s") == 0)
    #expect(document.int64(forKey: "big") == .max)
    #expect(document.double(forKey: "d") == 2.9)
    #expect(document.float(forKey: "missing") == 0)
    #expect(document.boolean(forKey: "i") && document.boolean(forKey: "t"))
    #expect(!document.boolean(forKey: "f") && document.boolean(forKey: "s"))
    #expect(document.number(forKey: "d") == 2.9)
    #expect(document.number(forKey: "s") == nil)
    #expect(document.contains(key: "n") && !document.contains(key: "missing"))
    #expect(document.value(forKey: "n") is NSNull)
    #expect(document.value(forKey: "t") as? Bool == true)
    #expect((document.value(forKey: "a") as? ArrayObject)?.toArray() as? [Int] == [1])
    #expect(document.keys == ["s", "i", "d", "t", "f", "n", "a", "o", "big"])
    #expect(document.count == 9)
  }

  @Test func settersWriteJSON() throws {
    let document = MutableDocument(id: "x")
      .setString("a\0b\"", forKey: "s").setInt(1, forKey: "i").setInt64(.min, forKey: "m")
      .setDouble(1, forKey: "d").setBoolean(true, forKey: "b").setString(nil, forKey: "n")
      .setValue(["k": [1, 2.5, "x", NSNull(), false] as [Any]], forKey: "v")
    document.removeValue(forKey: "i")
    #expect(
      document.toJSON()
        == #"{"s":"a\u0000b\"","m":-9223372036854775808,"d":1.0,"b":true,"n":null,"v":{"k":[1,2.5,"x",null,false]}}"#)
  }

  @Test func numbersKeepTheirType() {
    let document = MutableDocument()
    let numbers: [(Any, String)] = [
      (NSNumber(value: true), "true"), (NSNumber(value: 1), "1"), (NSNumber(value: 0), "0"),
      (NSNumber(value: 1.0), "1.0"), (NSNumber(value: Int8(-3)), "-3"),
      (NSNumber(value: UInt64.max), "18446744073709551615"),
      (true, "true"), (1, "1"), (UInt8(1), "1"), (Float(0.5), "0.5"), (Int64.min, "-9223372036854775808"),
      (Optional(7) as Any, "7"), (Optional<Int>.none as Any, "null"),
    ]
    for (value, expected) in numbers {
      #expect(document.setValue(value, forKey: "n").toJSON() == "{\"n\":\(expected)}", "\(type(of: value))")
    }
  }

  @Test func savedDocumentIsReadBack() throws {
    let document = MutableDocument(id: "x", data: ["name": "Hotel Ghia", "stars": 4])
    #expect(document.revisionID == nil && document.sequence == 0)
    try files.collection.save(document: document)
    let read = try #require(try files.collection.document(id: "x"))
    #expect(read == document)
    #expect(read.revisionID == document.revisionID && read.revisionID != nil)
    #expect(read.sequence == 1 && read.timestamp > 1_700_000_000_000_000_000)
    #expect(read.toMutable().setInt(5, forKey: "stars") != read)
  }

  @Test func uneditedDocumentKeepsItsText() throws {
    let text = "{ \"b\" : 1.50, \"a\":\"\\u00e9\" }"
    try files.save("x", text)
    #expect(try files.collection.document(id: "x")?.toJSON() == text)
    #expect(try files.collection.document(id: "x")?.toMutable().toJSON() == text)
  }

  @Test func valuesThatJSONCannotRepresentFailTheSaveWithTheirPath() throws {
    for value in [Double.nan, URL(fileURLWithPath: "/") as Any, ["k": Double.infinity]] as [Any] {
      let document = MutableDocument(id: "x").setValue(value, forKey: "odd")
      let error = #expect(throws: CBLError.self) { try files.collection.save(document: document) }
      #expect(error?.code == CBLError.invalidParameter)
      #expect(error?.message.contains("\"odd") == true)
    }
    #expect(files.collection.count == 0)
  }

  @Test func datesAreISO8601() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    let document = MutableDocument().setDate(date, forKey: "d").setString("2026-02-30", forKey: "bad")
    #expect(document.string(forKey: "d") == "2023-11-14T22:13:20.250Z")
    #expect(document.date(forKey: "d") == date)
    #expect(document.date(forKey: "bad") == nil)
    document.setString("2023-11-14T23:13:20.25+01:00", forKey: "d")
    #expect(document.date(forKey: "d") == date)
    document.setString("2023-11-14T22:13", forKey: "local")
    #expect(
      document.date(forKey: "local")
        == Calendar.current.date(
          from: DateComponents(year: 2023, month: 11, day: 14, hour: 22, minute: 13)))
  }

  @Test func canonicallyEquivalentKeysAreDifferent() throws {
    let document = try MutableDocument(json: "{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(document.count == 2)
    #expect(document.int(forKey: "\u{E9}") == 1 && document.int(forKey: "e\u{301}") == 2)
    document.removeValue(forKey: "\u{E9}")
    #expect(document.int(forKey: "e\u{301}") == 2)
  }

  @Test func documentsWithCanonicallyEquivalentIDsAreDifferent() throws {
    let one = MutableDocument(id: "\u{E9}")
    let two = MutableDocument(id: "e\u{301}")
    #expect(one != two && one == MutableDocument(id: "\u{E9}"))
    #expect(Set([one, two, MutableDocument(id: "\u{E9}")]).count == 2)
  }

  @Test func mutableDocumentIsItsOwnMutableForm() throws {
    let document = MutableDocument(id: "x", data: ["n": 1])
    let same = document.toMutable()
    #expect(same === document && (document as Document).toMutable() === document)
    try files.collection.save(document: same.setInt(2, forKey: "n"))
    let read = try #require(try files.collection.document(id: "x"))
    #expect(read.toMutable() !== read.toMutable() && read.int(forKey: "n") == 2)
  }

  @Test func datesFromYear0To9999CanBeSaved() throws {
    let first = Date(timeIntervalSince1970: -62_167_219_200)
    for (date, text) in [
      (Date.distantPast, "0000-12-30T00:00:00.000Z"), (first, "0000-01-01T00:00:00.000Z"),
      (Date(timeIntervalSince1970: 253_402_300_799), "9999-12-31T23:59:59.000Z"),
    ] {
      try files.collection.save(document: MutableDocument(id: "x").setDate(date, forKey: "d"))
      let read = try #require(try files.collection.document(id: "x"))
      #expect(read.string(forKey: "d") == text && read.date(forKey: "d") == date)
    }
    for date in [first.addingTimeInterval(-1), Date(timeIntervalSince1970: 253_402_300_800)] {
      expectError(CBLError.invalidParameter, "a date outside the years 0 to 9999") {
        try files.collection.save(document: MutableDocument(id: "x").setDate(date, forKey: "d"))
      }
    }
  }

  @Test func conflictsAreDetectedWithFailOnConflict() throws {
    try files.save("x", "{}")
    let mine = try #require(try files.collection.document(id: "x")).toMutable().setInt(1, forKey: "n")
    let theirs = try #require(try files.collection.document(id: "x")).toMutable().setInt(2, forKey: "n")
    try files.collection.save(document: theirs)
    #expect(try !files.collection.save(document: mine, concurrencyControl: .failOnConflict))
    #expect(try !files.collection.delete(document: mine, concurrencyControl: .failOnConflict))
    #expect(try files.collection.document(id: "x")?.int(forKey: "n") == 2)
    #expect(try files.collection.save(document: mine, concurrencyControl: .lastWriteWins))
    #expect(try files.collection.document(id: "x")?.int(forKey: "n") == 1)
  }

  @Test func deletingAndPurging() throws {
    try files.save("x", "{}")
    let document = try #require(try files.collection.document(id: "x"))
    try files.collection.delete(document: document)
    #expect(try files.collection.document(id: "x") == nil)
    try files.collection.purge(id: "x")
    expectError(CBLError.notFound) { try files.collection.purge(id: "x") }
    expectError(CBLError.notFound) { try files.collection.delete(document: MutableDocument(id: "new")) }
  }

  @Test func documentCannotBeSavedToAnotherCollection() throws {
    let other = try files.database.createCollection(name: "other")
    let document = MutableDocument(id: "x")
    try files.collection.save(document: document)
    expectError(CBLError.invalidParameter) { try other.save(document: document) }
  }

  @Test func invalidJSONAndIDsThrowTheirCodes() throws {
    expectError(CBLError.invalidJSON) { _ = try MutableDocument(json: "[1]") }
    expectError(CBLError.invalidJSON) { try MutableDocument().setJSON("{") }
    expectError(CBLError.badDocID) { try files.collection.save(document: MutableDocument(id: "_x")) }
  }

  @Test func rolledBackBatchRestoresTheRevision() throws {
    struct Refused: Error {}
    let document = MutableDocument(id: "x")
    try? files.database.inBatch {
      try files.collection.save(document: document)
      try files.collection.save(document: document.setInt(1, forKey: "n"))
      #expect(document.sequence == 2)
      throw Refused()
    }
    #expect(document.sequence == 0 && document.revisionID == nil && document.collection == nil)
    #expect(try files.collection.save(document: document, concurrencyControl: .failOnConflict))
    #expect(try files.collection.document(id: "x")?.int(forKey: "n") == 1)
  }

  @Test func deletedDocumentCanBeSavedAgain() throws {
    let document = MutableDocument(id: "x")
    try files.collection.save(document: document)
    try files.collection.delete(document: document)
    #expect(try files.collection.save(document: document, concurrencyControl: .failOnConflict))
    #expect(files.collection.count == 1)
  }

  @Test func batchReturnsTheValueOfItsBlock() throws {
    let count = try files.database.inBatch {
      try files.save("x", "{}")
      return files.collection.count
    }
    #expect(count == 1)
  }

  @Test func errorsAreNSErrors() throws {
    var code = 0
    do {
      try files.collection.purge(id: "none")
    } catch let error as NSError {
      code = error.code
    }
    #expect(code == CBLError.notFound)
  }

  @Test func errorsHaveTheDomainOfTheLibrary() {
    let error = CBLErrorProbe.notFound as NSError
    #expect(error.domain == CBLError.domain)
    #expect(error.code == CBLError.notFound)
    #expect(error.localizedDescription.contains("no document"))
  }

  private enum CBLErrorProbe {
    static var notFound: any Error {
      do {
        let database = try TemporaryDatabase()
        // The folder of the database is deleted with it.
        try withExtendedLifetime(database) { try database.collection.purge(id: "none") }
        return CancellationError()
      } catch {
        return error
      }
    }
  }
}
