@testable import Concordance
import Foundation
import QueryModel
import Testing

/// Values have the same meaning in queries as in documents.
@Suite struct BuilderValueTests {
  @Test func scalars() throws {
    try expect(Expression.value(nil), is: "NULL")
    try expect(Expression.value(NSNull()), is: "NULL")
    try expect(Expression.value("it's"), is: "'it''s'")
    try expect(Expression.value(true), is: "TRUE")
    try expect(Expression.value(1), is: "1")
    try expect(Expression.value(1.0), is: "1.0")
    try expect(Expression.value(Int8(-1)), is: "-1")
    try expect(Expression.value(Float(0.5)), is: "0.5")
    try expect(Expression.value(UInt64.max), is: "18446744073709551615")
    try expect(Expression.value(Decimal(string: "1.25")), is: "1.25")
    try expect(Expression.value(Int?.some(3) as Any), is: "3")
    try expect(Expression.value(Int?.none as Any), is: "NULL")
    try expect(Expression.string("x"), is: "'x'")
    try expect(Expression.string(nil), is: "NULL")
    try expect(Expression.number(NSNumber(value: true)), is: "TRUE")
    try expect(Expression.number(7), is: "7")
    try expect(Expression.number(1.5), is: "1.5")
    try expect(Expression.number(nil), is: "NULL")
    try expect(Expression.int(.min), is: "-9223372036854775808")
    try expect(Expression.int64(.max), is: "9223372036854775807")
    try expect(Expression.float(1.5), is: "1.5")
    try expect(Expression.double(-0.1), is: "-0.1")
    try expect(Expression.boolean(false), is: "FALSE")
  }

  @Test func dates() throws {
    let date = Date(timeIntervalSince1970: 1_772_281_800.25)
    try expect(Expression.date(date), is: "'2026-02-28T12:30:00.250Z'")
    try expect(Expression.value([date]), is: "['2026-02-28T12:30:00.250Z']")
    try expect(Expression.date(nil), is: "NULL")
    for date in [Date.distantPast, .distantFuture] {
      #expect(BuiltExpression(Expression.date(date)).fault == nil)
    }
  }

  @Test func arraysAndDictionaries() throws {
    try expect(Expression.array([1, "a", [true, NSNull()] as [Any]]), is: "[1, 'a', [TRUE, NULL]]")
    try expect(Expression.array(nil), is: "NULL")
    try expect(Expression.array([]), is: "[]")
    try expect(Expression.dictionary(nil), is: "NULL")
    try expect(Expression.dictionary([:]), is: "{}")
    try expect(
      Expression.value(["b": 1, "a": ["é": 2, "z": 3]] as [String: Any]), is: "{'a': {'z': 3, 'é': 2}, 'b': 1}")
    try expect(Expression.value(["a": Int?.none as Any, "b": [Int?.some(1)] as Any]), is: "{'a': NULL, 'b': [1]}")
    try expect(Expression.value(NSArray(array: [1, "x"])), is: "[1, 'x']")
    try expect(Expression.value(NSDictionary(dictionary: ["k": 1])), is: "{'k': 1}")
  }

  @Test func arraysAndDictionariesMayContainExpressions() throws {
    try expect(
      Expression.dictionary(["photo": property("photo"), "sizes": [property("a.b").add(int(1)), 2]]),
      is: "{'photo': photo, 'sizes': [a.b + 1, 2]}")
    try expect(Expression.array([Meta.id, Expression.parameter("p")]), is: "[META().id, $p]")
    try expect(Expression.value(property("a")), is: "a")
  }

  @Test func objectsOfDocuments() throws {
    let dictionary = MutableDictionaryObject(data: ["b": 1, "a": [2, "x"]])
    try expect(Expression.value(dictionary), is: "{'a': [2, 'x'], 'b': 1}")
    dictionary.setString("later", forKey: "c")
    try expect(
      Expression.array([dictionary, MutableArrayObject(data: [1.5])]),
      is: "[{'a': [2, 'x'], 'b': 1, 'c': 'later'}, [1.5]]")
    let document = MutableDocument(data: ["list": [1, ["k": NSNull()]], "n": 3])
    try expect(Expression.value(document["list"].value), is: "[1, {'k': NULL}]")
    try expect(Expression.value(document["n"]), is: "3")
  }

  @Test func expressionDoesNotChangeWithItsValue() throws {
    let array = MutableArrayObject(data: [1])
    let expression = Expression.value(array)
    array.addInt(2)
    try expect(expression, is: "[1]")
  }

  @Test func blobIsItsMetadata() throws {
    let blob = Blob(contentType: "text/plain", data: Data("hello".utf8))
    let sql = """
      {'@type': 'blob', 'content_type': 'text/plain', 'digest': 'sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00=', 'length': 5}
      """
    try expect(Expression.value(blob), is: sql)
    try expect(Expression.value(["b": blob]), is: "{'b': \(sql)}")
    try expect(Expression.value(blob.properties), is: sql)
  }

  @Test func equalQueriesHaveTheSameText() {
    let texts = Set(
      (0..<20).map { _ in
        "\(Expression.value(Dictionary(uniqueKeysWithValues: (0..<30).map { ("key\($0)", $0) })))"
      })
    #expect(texts.count == 1)
  }
}
