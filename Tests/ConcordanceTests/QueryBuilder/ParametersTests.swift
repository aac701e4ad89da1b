@testable import Concordance
import Foundation
import JSONText
import Testing

@Suite struct ParametersTests {
  @Test func everySetterSetsAValueOfADocument() throws {
    let date = Date(timeIntervalSince1970: 0)
    let blob = Blob(contentType: "text/plain", data: Data("x".utf8))
    let parameters = Parameters()
      .setValue("v", forName: "value").setString("s", forName: "string").setNumber(1.5, forName: "number")
      .setInt(1, forName: "int").setInt64(2, forName: "int64").setFloat(0.5, forName: "float")
      .setDouble(2.5, forName: "double").setBoolean(true, forName: "boolean").setDate(date, forName: "date")
      .setArray(MutableArrayObject(data: [1, "a"]), forName: "array")
      .setDictionary(MutableDictionaryObject(data: ["k": 1]), forName: "dictionary")
      .setBlob(blob, forName: "blob").setValue(nil, forName: "null").setValue(["x": [1]], forName: "data")
    #expect(parameters.fault == nil)
    var values = try parameters.jsonValues()
    #expect(values.removeValue(forKey: "blob")?.text == blob.toJSON())
    #expect(
      values == [
        "value": .string("v"), "string": .string("s"), "number": .double(1.5), "int": .int64(1), "int64": .int64(2),
        "float": .double(0.5), "double": .double(2.5), "boolean": .boolean(true),
        "date": .string("1970-01-01T00:00:00.000Z"), "array": .array([.int64(1), .string("a")]),
        "dictionary": .object([JSONMember("k", .int64(1))]), "null": .null,
        "data": .object([JSONMember("x", .array([.int64(1)]))]),
      ])
    #expect(parameters.value(forName: "string") as? String == "s")
    #expect(parameters.value(forName: "int") as? Int == 1)
    #expect(parameters.value(forName: "boolean") as? Bool == true)
    #expect((parameters.value(forName: "array") as? ArrayObject)?.count == 2)
    #expect(parameters.value(forName: "blob") as? Blob == blob)
    #expect(parameters.value(forName: "null") == nil)
    #expect(parameters.value(forName: "other") == nil)
  }

  @Test func nilIsNull() throws {
    let parameters = Parameters().setString(nil, forName: "a").setNumber(nil, forName: "b").setDate(nil, forName: "c")
      .setArray(nil, forName: "d").setDictionary(nil, forName: "e").setBlob(nil, forName: "f")
    #expect(try parameters.jsonValues() == ["a": .null, "b": .null, "c": .null, "d": .null, "e": .null, "f": .null])
  }

  @Test func canonicallyEquivalentNamesAreDifferent() throws {
    let parameters = Parameters().setInt(1, forName: "\u{E9}").setInt(2, forName: "e\u{301}")
    #expect(parameters.value(forName: "\u{E9}") as? Int == 1 && parameters.value(forName: "e\u{301}") as? Int == 2)
    #expect(try parameters.jsonValues() == ["\u{E9}": .int64(1), "e\u{301}": .int64(2)])
    let database = try TemporaryDatabase()
    try database.save("x", "{}")
    let query = QueryBuilder.select(
      SelectResult.expression(Expression.parameter("\u{E9}")).as("a"),
      SelectResult.expression(Expression.parameter("e\u{301}")).as("b")
    ).from(DataSource.collection(database.collection))
    query.parameters = parameters
    let row = try #require(try query.execute().next())
    #expect(row.int(forKey: "a") == 1 && row.int(forKey: "b") == 2)
  }

  @Test func copyIsIndependent() throws {
    let one = Parameters().setInt(1, forName: "a")
    let two = Parameters(parameters: one).setInt(2, forName: "b")
    one.setInt(3, forName: "a")
    #expect(try one.jsonValues() == ["a": .int64(3)])
    #expect(try two.jsonValues() == ["a": .int64(1), "b": .int64(2)])
    #expect(try Parameters(parameters: nil).jsonValues().isEmpty)
  }

  @Test func editsToAnObjectAreSeen() throws {
    let array = MutableArrayObject(data: [1])
    let parameters = Parameters().setArray(array, forName: "a")
    array.addInt(2)
    #expect(try parameters.jsonValues() == ["a": .array([.int64(1), .int64(2)])])
  }

  @Test func unusableValuesAreReported() {
    let bad: [Any] = [
      Double.nan, [1, Double.infinity] as [Any], { 1 }, MutableDictionaryObject(data: ["x": Decimal.nan]),
    ]
    for value in bad {
      let parameters = Parameters().setInt(1, forName: "good").setValue(value, forName: "bad")
      let error = #expect(throws: CBLError.self) { try parameters.jsonValues() }
      #expect(error?.code == CBLError.invalidQueryParam)
      #expect(error?.message.hasPrefix("the parameter \"bad\" cannot be ") == true, "\(error?.message ?? "")")
      // A valid value that is set later is accepted.
      #expect(throws: Never.self) { try parameters.setInt(2, forName: "bad").jsonValues() }
    }
  }

  @Test func readOnlyParametersKeepAnErrorAndTheirValues() throws {
    let parameters = Parameters(Parameters().setInt(1, forName: "a"), isReadOnly: true)
    #expect(try parameters.jsonValues() == ["a": .int64(1)])
    parameters.setInt(2, forName: "a").setString("x", forName: "b")
    #expect(parameters.value(forName: "a") as? Int == 1)
    #expect(parameters.fault?.code == CBLError.invalidQueryParam)
    #expect(parameters.fault?.message.contains("the parameter \"a\"") == true)
    #expect(throws: CBLError.self) { try parameters.jsonValues() }
    #expect(try Parameters(parameters: parameters).setInt(2, forName: "a").jsonValues() == ["a": .int64(2)])
  }

  @Test func threadsMaySetValuesAtTheSameTime() async throws {
    let parameters = Parameters()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 { group.addTask { parameters.setInt(number, forName: "p\(number % 10)") } }
    }
    #expect(try parameters.jsonValues().count == 10)
  }
}
