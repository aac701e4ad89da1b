import Foundation
import JSONText
import QueryModel
import Testing

@testable import Concordance

/// Queries built from their parts.
@Suite struct PredicateQueryTests {
  let hotels = CollectionPath("hotel", scope: "inventory")

  func sql(_ text: String) throws -> SelectQuery { try SQLParser().parse(text) }

  @Test func everyPartHasADefault() throws {
    let expected = try sql("SELECT META().id, META().sequence FROM inventory.hotel")
    #expect(try PredicateQuery.query(over: hotels) == expected)
    #expect(PredicateQuery.select(from: hotels) == expected)
  }

  @Test func stringsArePredicatesExpressionsAndOrders() throws {
    let query = try PredicateQuery.query(
      over: hotels, where: "stars >= $Stars AND count(reviews) > 2", groupBy: ["address.city"],
      having: "count(*) > 1 AND sum(rooms) > 10",
      returning: ["address.city", "count(*)", "average(stars)", "max(a, b)"],
      distinct: true, orderBy: ["-count(*)", "address.city"])
    let expected = try sql(
      """
      SELECT DISTINCT address.city, COUNT(*), AVG(stars), ARRAY_MAX([a, b]) FROM inventory.hotel
      WHERE stars >= $Stars AND ARRAY_LENGTH(reviews) > 2 GROUP BY address.city HAVING COUNT(*) > 1 AND SUM(rooms) > 10
      ORDER BY COUNT(*) DESC, address.city
      """)
    #expect(query == expected)
  }

  @Test func jsonIsAConditionOrAWholeQuery() throws {
    let condition: [Any] = [
      "AND", ["=", [".type"], "hotel"], [">", [".stars"], NSNumber(value: 3)], ["=", [".open"], true],
    ]
    let filter = "type = 'hotel' AND stars > 3 AND open = TRUE"
    #expect(
      try PredicateQuery.query(over: hotels, where: condition)
        == sql("SELECT META().id, META().sequence FROM inventory.hotel WHERE \(filter)"))
    #expect(
      try PredicateQuery.query(
        over: hotels, where: "open == YES", groupBy: [[".city"]], having: [">", ["COUNT()"], 1],
        returning: [[".city"], ["AS", ["COUNT()"], "n"]], orderBy: [["DESC", [".city"]], [".name"]])
        == sql(
          """
          SELECT city, COUNT(*) AS n FROM inventory.hotel WHERE open = TRUE GROUP BY city HAVING COUNT(*) > 1
          ORDER BY city DESC, name
          """))
    let whole: [String: Any] = ["WHAT": [[".name"]], "WHERE": condition, "LIMIT": 5]
    #expect(
      try PredicateQuery.query(over: hotels, where: whole)
        == sql("SELECT name FROM inventory.hotel WHERE \(filter) LIMIT 5"))
    let other: [String: Any] = ["from": [["COLLECTION": "a.b", "AS": "x"]], "what": [[".x.y"]]]
    #expect(try PredicateQuery.query(over: hotels, where: other) == sql("SELECT x.y FROM a.b AS x"))
    let odd = CollectionPath("my.hotel")
    #expect(
      try PredicateQuery.query(over: odd, where: ["WHAT": [[".name"]]]) == sql("SELECT name FROM `my.hotel`"))
  }

  @Test func foundationObjectsAreAccepted() throws {
    let condition = NSArray(array: ["=", NSArray(array: [".open"]), NSNumber(value: true)])
    #expect(
      try PredicateQuery.query(over: hotels, where: condition).filter == SQLParser().parseExpression("open = TRUE"))
    let whole = NSDictionary(dictionary: ["WHERE": condition, "LIMIT": NSNumber(value: 2)])
    #expect(try PredicateQuery.query(over: hotels, where: whole).limit == .integer(2))
    #expect(try PredicateQuery.query(over: hotels, where: NSString("a == 1")).filter?.description == "a = 1")
  }

  @Test func errorsNameTheirPart() throws {
    func fault(_ make: @autoclosure () throws -> SelectQuery) -> String {
      let error = #expect(throws: CBLError.self) { try make() }
      #expect(error?.code == CBLError.invalidQuery)
      return error?.message ?? ""
    }
    #expect(
      fault(try PredicateQuery.query(over: hotels, where: "stars >=")) == """
        line 1, column 9: unexpected end of the query
          stars >=
                  ^
        expected an expression
        """)
    #expect(
      fault(try PredicateQuery.query(over: hotels, where: ["=>", 1, 2])).contains("there is no operation \"=>\""))
    #expect(fault(try PredicateQuery.query(over: hotels, orderBy: [5])).hasPrefix("orderBy must be a string"))
    #expect(
      fault(try PredicateQuery.query(over: hotels, where: ["=", Date()])).contains("there is no operation") == false)
    #expect(
      fault(try PredicateQuery.query(over: hotels, where: ["WHAT": [[".a"]]], distinct: true)).contains("a whole query")
    )
    #expect(
      fault(try PredicateQuery.query(over: hotels, returning: [[".a", self]])).contains("returning is not valid JSON"))
  }

  struct Hotel: DocumentCodable {
    @DocumentID var id: String?
    var name: String
    var stars: Int?
    var address: Address
    struct Address: Codable { var city: String }
    enum CodingKeys: String, CodingKey {
      case id
      case name = "title"
      case stars
      case address
    }
  }

  @Test func foundationPredicates() throws {
    let query = try PredicateQuery.query(
      over: hotels, where: #Predicate<Hotel> { $0.name != "x" && $0.stars == nil }, groupBy: [\.address.city],
      returning: [\.id, \.name, \.address.city], distinct: true,
      orderBy: [SortDescriptor(\.stars, order: .reverse), SortDescriptor(\.address.city)])
    #expect(
      try query
        == sql(
          """
          SELECT DISTINCT META().id, title, address.city FROM inventory.hotel WHERE title != 'x' AND stars IS NOT VALUED
          GROUP BY address.city ORDER BY stars DESC, address.city
          """))
    let all = try PredicateQuery.query(over: hotels, where: nil as Foundation.Predicate<Hotel>?)
    #expect(try all == sql("SELECT META().id, META().sequence FROM inventory.hotel"))
  }
}
