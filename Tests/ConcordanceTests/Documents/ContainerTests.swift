import Concordance
import Foundation
import Testing

@Suite struct ContainerTests {
  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  @Test func editingANestedObjectEditsItsDocument() throws {
    let document = try MutableDocument(json: #"{"address":{"city":"Riga","geo":{"lat":1.50}},"phones":["1",["2"]]}"#)
    document.dictionary(forKey: "address")?.dictionary(forKey: "geo")?.setInt(7, forKey: "lon")
    document.array(forKey: "phones")?.array(at: 1)?.addString("3")
    #expect(
      document.toJSON() == #"{"address":{"city":"Riga","geo":{"lat":1.50,"lon":7}},"phones":["1",["2","3"]]}"#)
  }

  @Test func editKeepsTheRestOfTheText() throws {
    let document = try MutableDocument(
      json: "{\"a\":1.50,\"b\" : { \"x\": 1e3,\"y\" : [ 1.0 ] },\"c\":\"\\u00e9\",\"d\":123456789012345678901234567890}"
    )
    document.setInt(0, forKey: "a")
    #expect(
      document.toJSON()
        == "{\"a\":0,\"b\":{ \"x\": 1e3,\"y\" : [ 1.0 ] },\"c\":\"\\u00e9\",\"d\":123456789012345678901234567890}")
    document.dictionary(forKey: "b")?.removeValue(forKey: "y")
    #expect(document.toJSON().contains("\"b\":{\"x\":1e3}"))
  }

  @Test func nestedObjectsAreCreatedOnce() throws {
    let document = try MutableDocument(json: #"{"a":{"b":[1]}}"#)
    #expect(document.dictionary(forKey: "a") === document.dictionary(forKey: "a"))
    let inner = document.dictionary(forKey: "a")
    #expect(inner?.array(forKey: "b") === inner?.array(forKey: "b"))
  }

  @Test func objectMayBeInTwoDocuments() throws {
    let address = MutableDictionaryObject(data: ["city": "Riga"])
    let home = MutableDocument(id: "home").setDictionary(address, forKey: "address")
    let work = MutableDocument(id: "work").setValue(address, forKey: "address").setValue([address], forKey: "all")
    try files.collection.save(document: home)
    address.setString("Tallinn", forKey: "city")
    try files.collection.save(document: work)
    #expect(try files.collection.document(id: "home")?["address"]["city"].string == "Riga")
    #expect(try files.collection.document(id: "work")?["address"]["city"].string == "Tallinn")
    #expect(work["all"][0]["city"].string == "Tallinn")
    try files.collection.save(document: home)
    #expect(try files.collection.document(id: "home")?["address"]["city"].string == "Tallinn")
  }

  @Test func immutableObjectIsCopiedWhenSet() throws {
    try files.save("x", #"{"address":{"city":"Riga"}}"#)
    let read = try #require(try files.collection.document(id: "x"))
    let copy = MutableDocument(id: "y").setDictionary(read.dictionary(forKey: "address"), forKey: "address")
    copy.dictionary(forKey: "address")?.setString("Tallinn", forKey: "city")
    #expect(copy["address"]["city"].string == "Tallinn")
    #expect(read["address"]["city"].string == "Riga")
  }

  @Test func mutableCopySharesNoState() throws {
    let object = try MutableDictionaryObject(json: #"{"a":{"n":1}}"#)
    object.dictionary(forKey: "a")?.setInt(2, forKey: "n")
    let copy = object.toMutable()
    copy.dictionary(forKey: "a")?.setInt(3, forKey: "n")
    #expect(object["a"]["n"].int == 2)
    #expect(copy["a"]["n"].int == 3)
  }

  @Test func editsAfterASaveAreSavedByTheNextSave() throws {
    let document = MutableDocument(id: "x", data: ["a": ["n": 1]])
    let inner = try #require(document.dictionary(forKey: "a"))
    try files.collection.save(document: document)
    inner.setInt(2, forKey: "n")
    #expect(document.toJSON() == #"{"a":{"n":2}}"#)
    try files.collection.save(document: document)
    #expect(try files.collection.document(id: "x")?["a"]["n"].int == 2)
  }

  @Test func objectThatContainsItselfFailsTheSave() throws {
    let outer = MutableDictionaryObject()
    let inner = MutableArrayObject(data: [outer])
    outer.setValue(["list": inner], forKey: "inner")
    let document = MutableDocument(id: "x").setValue(outer, forKey: "outer")
    let error = #expect(throws: CBLError.self) { try files.collection.save(document: document) }
    #expect(error?.message.contains("contains itself") == true)
    #expect(document.toJSON().count < 100)
  }

  @Test func positionsOutOfRangeFailTheSave() throws {
    let document = MutableDocument(id: "x", data: ["list": [1, 2]])
    let list = try #require(document.array(forKey: "list"))
    #expect(list.value(at: 2) == nil && list.string(at: -1) == nil && !list[5].exists)
    list.setInt(9, at: 7)
    let error = #expect(throws: CBLError.self) { try files.collection.save(document: document) }
    #expect(error?.code == CBLError.invalidParameter)
    #expect(error?.message.contains("\"list\"") == true && error?.message.contains("index 7") == true)
    list.setData([1])
    try files.collection.save(document: document)
  }

  @Test func errorContainsThePathOfANestedValue() throws {
    let document = MutableDocument(id: "x", data: ["a": ["b": [1, Data()] as [Any]]])
    let error = #expect(throws: CBLError.self) { try files.collection.save(document: document) }
    #expect(error?.message.contains("\"a.b[1]\" contains a value of type Data") == true, "\(error?.message ?? "")")
    document.dictionary(forKey: "a")?.array(forKey: "b")?.removeValue(at: 1)
    try files.collection.save(document: document)
  }

  @Test func arraysAddInsertReplaceAndRemove() {
    let date = Date(timeIntervalSince1970: 0)
    let list = MutableArrayObject()
      .addString("a").addInt(1).addBoolean(true).addDouble(0.5).addFloat(0.25).addInt64(.min).addNumber(3)
      .addDate(date).addValue(nil).addArray(MutableArrayObject(data: [1])).addDictionary(MutableDictionaryObject())
    #expect(
      list.toJSON() == #"["a",1,true,0.5,0.25,-9223372036854775808,3,"1970-01-01T00:00:00.000Z",null,[1],{}]"#)
    list.setData(["x", "z"])
    list.insertString("y", at: 1).insertInt(0, at: 0).insertBoolean(false, at: 4)
    #expect(list.toJSON() == #"[0,"x","y","z",false]"#)
    list.setInt(9, at: 0).removeValue(at: 1)
    #expect(list.toJSON() == #"[9,"y","z",false]"#)
    #expect(list.count == 4 && list.int(at: 0) == 9 && list.string(at: 1) == "y" && list.date(at: 1) == nil)
    #expect(list.map { "\($0)" } == ["9", "y", "z", "false"])
  }

  @Test func datesInsideArraysAndDictionariesBecomeStrings() {
    let date = Date(timeIntervalSince1970: 0)
    let document = MutableDocument(data: ["list": [date], "inner": ["date": date]])
    #expect(document.array(forKey: "list")?.date(at: 0) == date)
    #expect(document["inner"]["date"].string == "1970-01-01T00:00:00.000Z")
  }

  @Test func equalityIsByValue() throws {
    let one = try MutableDictionaryObject(json: #"{"a":1,"b":[1.0,"x",null,true]}"#)
    let other = try MutableDictionaryObject(json: #"{ "b" : [1, "x", null, true], "a" : 1.0 }"#)
    #expect(one == other && one.hashValue == other.hashValue)
    #expect(try one != MutableDictionaryObject(json: #"{"a":true,"b":[1.0,"x",null,true]}"#))
    #expect(try MutableArrayObject(json: "[1,2]") != MutableArrayObject(json: "[2,1]"))
    #expect(Set([one, other]).count == 1)
  }

  @Test func nestedValuesAreConvertedToSwiftValues() throws {
    let document = try MutableDocument(json: #"{"a":{"b":[{"c":1}]},"n":null}"#)
    let plain = document.toDictionary()
    let inner = ((plain["a"] as? [String: Any])?["b"] as? [Any])?.first as? [String: Any]
    #expect(inner?["c"] as? Int == 1)
    #expect(plain["n"] is NSNull)
    #expect(document.value(forKey: "a") is MutableDictionaryObject)
    #expect(Array(document) == ["a", "n"])
    #expect(document.dictionary(forKey: "a")?.toMutable().toDictionary().keys.first == "b")
  }

  @Test func settingJSONReplacesEverything() throws {
    let list = try MutableArrayObject(json: "[1, 2]")
    #expect(list.toJSON() == "[1, 2]")
    try list.setJSON(#"[{"a":1}]"#)
    #expect(list[0]["a"].int == 1)
    #expect(throws: CBLError.self) { try list.setJSON("{}") }
    #expect(throws: CBLError.self) { try MutableDictionaryObject(json: "[]") }
    let document = MutableDocument(data: ["inner": ["x": 1]])
    let inner = try #require(document.dictionary(forKey: "inner"))
    _ = document.toJSON()
    try inner.setJSON(#"{"y" : 2}"#)
    #expect(document.toJSON() == #"{"inner":{"y" : 2}}"#)
  }

  @Test func mutableCopyContainsTextThatWasSetInANestedObject() throws {
    let object = try MutableDictionaryObject(json: #"{"a":{"x":1},"l":[1]}"#)
    try object.dictionary(forKey: "a")?.setJSON(#"{"x":2}"#)
    try object.array(forKey: "l")?.setJSON("[2]")
    let copy = object.toMutable()
    #expect(copy.toJSON() == #"{"a":{"x":2},"l":[2]}"# && copy == object)
    let inner = try #require(object.dictionary(forKey: "a")?.toMutable())
    try files.collection.save(document: MutableDocument(id: "y").setDictionary(inner, forKey: "a"))
    #expect(try files.collection.document(id: "y")?["a"]["x"].int == 2)
  }

  @Test func removingManyKeysKeepsTheOthers() throws {
    let document = MutableDocument(id: "x")
    for number in 0..<4000 { document.setInt(number, forKey: "k\(number)") }
    for number in 0..<4000 where number % 7 != 3 { document.removeValue(forKey: "k\(number)") }
    document.setInt(-1, forKey: "k0")
    #expect(document.count == 572 && document.keys.first == "k3" && document.keys.last == "k0")
    #expect(document.int(forKey: "k3993") == 3993 && !document.contains(key: "k3994"))
    let read = try MutableDocument(json: document.toJSON())
    #expect(read.count == 572 && read == MutableDocument(id: read.id, data: document.toDictionary()))
  }

  @Test func largeUnsignedIntegersAreDistinguished() {
    #expect(MutableArrayObject(data: [UInt64.max]) != MutableArrayObject(data: [UInt64.max - 1]))
  }

  @Test func valuesNestedTooDeepAreRefused() throws {
    let outer = MutableArrayObject()
    var inner = outer
    for _ in 0..<3000 {
      let next = MutableArrayObject()
      inner.addArray(next)
      inner = next
    }
    let error = #expect(throws: CBLError.self) {
      try files.collection.save(document: MutableDocument(id: "x").setArray(outer, forKey: "v"))
    }
    #expect(error?.message.contains("deeper than 1000 levels") == true, "\(error?.message ?? "")")
  }

  @Test func deepNestingIsSavedOrRefusedWithoutACrash() throws {
    var value: Any = 1
    for _ in 0..<900 { value = ["k": value] }
    try files.collection.save(document: MutableDocument(id: "deep", data: ["v": value]))
    var fragment = try #require(try files.collection.document(id: "deep"))["v"]
    for _ in 0..<900 { fragment = fragment["k"] }
    #expect(fragment.int == 1)
    for _ in 0..<400 { value = [value] }
    expectError(CBLError.invalidParameter) {
      try files.collection.save(document: MutableDocument(id: "deeper", data: ["v": value]))
    }
  }
}
