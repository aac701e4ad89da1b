import Concordance
import Foundation
import Testing

/// Values that a program casts, as programs written for Couchbase Lite do with `NSNumber`.
@Suite struct CastableValueTests {
  let files: TemporaryDatabase
  static let json =
    #"{"n":5,"f":5.5,"w":5.0,"big":18446744073709551615,"t":true,"z":null,"list":[1,2.5],"ints":[1,2],"in":{"n":7}}"#

  init() throws {
    files = try TemporaryDatabase()
    try files.save("x", CastableValueTests.json)
  }

  private func document() throws -> Document { try #require(try files.collection.document(id: "x")) }

  private func row(_ query: String) throws -> Result {
    try #require(try files.database.createQuery(query).execute().next())
  }

  /// The checks for all sources of values.
  private func expectCasts(_ value: (String) -> Any?) {
    #expect(value("n") as? Int64 == 5 && value("n") as? Int == 5 && value("n") as? Int32 == 5)
    #expect(value("n") as? Int16 == 5 && value("n") as? UInt8 == 5 && value("n") as? UInt == 5)
    #expect(value("n") as? Double == 5 && value("n") as? Float == 5 && value("n") as? NSNumber == 5)
    #expect(value("f") as? Double == 5.5 && value("f") as? Float == 5.5 && value("f") as? Int == nil)
    #expect(value("w") as? Int == 5 && value("w") as? Double == 5)
    #expect(value("big") as? UInt64 == .max && value("big") as? Int64 == nil)
    #expect(value("t") as? Bool == true && value("t") as? NSNumber == true)
    #expect(value("n") as? Bool == nil && value("n") as? String == nil)
  }

  @Test func numbersOfADocumentAreCast() throws {
    let document = try document()
    expectCasts { document.value(forKey: $0) }
    expectCasts { document[$0].value }
    expectCasts { document.toMutable().value(forKey: $0) }
    #expect(document.array(forKey: "list")?.value(at: 0) as? Double == 1)
    #expect(document.dictionary(forKey: "in")?.value(forKey: "n") as? Int32 == 7)
    #expect(document.array(forKey: "ints")?.map { $0 as? Double } == [1, 2])
  }

  @Test func numbersOfDictionariesAndArraysAreCast() throws {
    let dictionary = try document().toDictionary()
    expectCasts { dictionary[$0] }
    #expect(dictionary["list"] as? [Double] == [1, 2.5] && dictionary["ints"] as? [Int] == [1, 2])
    #expect(dictionary["in"] as? [String: Double] == ["n": 7] && dictionary["z"] is NSNull)
    let array = try #require(try document().array(forKey: "ints")).toArray()
    #expect(array as? [Double] == [1, 2] && array as? [Int64] == [1, 2])
  }

  @Test func numbersOfARowAreCast() throws {
    let row = try row("SELECT n, f, w, big, t, list, `in` FROM _")
    expectCasts { key in key == "big" ? UInt64.max : row.value(forKey: key) }
    expectCasts { key in key == "big" ? UInt64.max : row.toDictionary()[key] }
    #expect(row.value(at: 0) as? Int64 == 5 && row.toArray()[0] as? Double == 5)
    #expect(row.toDictionary()["list"] as? [Double] == [1, 2.5])
    #expect(row.toDictionary()["in"] as? [String: Int] == ["n": 7])
    #expect(try self.row("SELECT COUNT(*) FROM _").value(at: 0) as? Int32 == 1)
  }

  @Test func numbersOfParametersAreCast() {
    let parameters = Parameters().setInt(5, forName: "n").setDouble(5.5, forName: "f").setFloat(5, forName: "w")
      .setValue(UInt64.max, forName: "big").setBoolean(true, forName: "t")
    expectCasts { parameters.value(forName: $0) }
  }

  @Test func parametersAreReadBackAsTheyWereSet() {
    let date = Date(timeIntervalSinceReferenceDate: 785_549_767.123_456_7)
    let parameters = Parameters().setDate(date, forName: "date").setValue(date, forName: "value")
      .setValue([1, 2], forName: "list").setValue(["a": 1], forName: "dictionary").setString(nil, forName: "nothing")
      .setValue(NSNull(), forName: "null")
    #expect(parameters.value(forName: "date") as? Date == date && parameters.value(forName: "value") as? Date == date)
    #expect(parameters.value(forName: "list") as? [Int] == [1, 2])
    #expect(parameters.value(forName: "dictionary") as? [String: Int] == ["a": 1])
    #expect(parameters.value(forName: "nothing") == nil && parameters.value(forName: "null") is NSNull)
    #expect(Parameters(parameters: parameters).value(forName: "date") as? Date == date)
    parameters.setString("x", forName: "date")
    #expect(parameters.value(forName: "date") as? String == "x")
  }

  @Test func valuesThatWereReadCanBeSetAgain() throws {
    let copy = MutableDocument(id: "copy", data: try document().toDictionary())
    try files.collection.save(document: copy)
    #expect(
      try files.collection.document(id: "copy")?.toDictionary() as NSDictionary? == document().toDictionary()
        as NSDictionary)
    #expect(copy.toJSON().contains(#""w":5.0"#) && copy.toJSON().contains(#""t":true"#))
    #expect(copy.toJSON().contains(#""n":5,"#) && copy.toJSON().contains(#""big":18446744073709551615"#))
  }

  @Test func jsonOfFoundationHasTheSameValues() throws {
    let data = try JSONSerialization.data(withJSONObject: try document().toDictionary(), options: .sortedKeys)
    #expect(String(decoding: data, as: UTF8.self).contains(#""n":5,"t":true"#))
  }

  @Test func booleanOfAnyOtherValueIsTrue() throws {
    let document = MutableDocument(
      data: [
        "text": "", "no": "false", "date": Date(), "array": [Any](), "dictionary": [String: Any](), "null": NSNull(),
        "zero": 0, "one": 0.5, "false": false,
      ])
    document.setBlob(Blob(contentType: "text/plain", data: Data("x".utf8)), forKey: "blob")
    for key in ["text", "no", "date", "array", "dictionary", "one", "blob"] {
      #expect(document.boolean(forKey: key) && document[key].boolean, "\(key)")
    }
    for key in ["null", "zero", "false", "missing"] {
      #expect(!document.boolean(forKey: key) && !document[key].boolean, "\(key)")
    }
    #expect(MutableArrayObject(data: ["x"]).boolean(at: 0) && !MutableArrayObject(data: [0]).boolean(at: 0))
    #expect(try row("SELECT list, z FROM _").boolean(at: 0) && !row("SELECT list, z FROM _").boolean(at: 1))
  }

  @Test func nullOfARowIsNil() throws {
    let row = try row("SELECT n, z, nowhere FROM _")
    #expect(row.value(at: 1) == nil && row.value(forKey: "z") == nil && row["z"].value == nil && !row["z"].exists)
    #expect(row.contains(key: "z") && !row.contains(key: "nowhere") && row.keys == ["n", "z"])
    #expect(row.toArray()[1] is NSNull && row.toArray()[2] is NSNull)
    #expect(row.toDictionary()["z"] is NSNull && row.toDictionary()["nowhere"] == nil)
    #expect(try document().value(forKey: "z") is NSNull)
  }
}
