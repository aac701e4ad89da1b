@testable import Concordance
import Foundation
import QueryModel
import Testing

/// The queries of the guide to the query builder, as they were written.
@Suite struct GuideQueryTests {
  let files: TemporaryDatabase
  let database: Database
  let collection: Concordance.Collection

  init() throws {
    files = try TemporaryDatabase()
    database = files.database
    collection = try database.createCollection(name: "hotel")
  }

  @Test func allProperties() throws {
    let query = GuideQueries.allProperties(collection)
    try expect(query, is: "SELECT * FROM hotel")
  }

  @Test func specificProperties() throws {
    let query = GuideQueries.specificProperties(collection)
    try expect(query, is: "SELECT META().id, type, name FROM hotel")
  }

  @Test func whereClause() throws {
    let query = GuideQueries.whereClause(collection)
    try expect(query, is: "SELECT * FROM hotel WHERE type = 'hotel' LIMIT 10")
  }

  @Test func containsOperator() throws {
    let query = GuideQueries.containsOperator(collection)
    try expect(
      query,
      is: """
        SELECT META().id, name, public_likes FROM hotel
        WHERE type = 'hotel' AND ARRAY_CONTAINS(public_likes, 'Armani Langworth')
        """)
  }

  @Test func inOperator() throws {
    let query = GuideQueries.inOperator(collection)
    try expect(query, is: "SELECT * FROM hotel WHERE 'Armani' IN (first, last, username)")
  }

  @Test func likeOperator() throws {
    let query = GuideQueries.likeOperator(collection)
    try expect(
      query,
      is: """
        SELECT META().id, country, name FROM hotel
        WHERE type = 'landmark' AND LOWER(name) LIKE 'royal engineers museum' LIMIT 10
        """)
  }

  @Test func wildcardMatch() throws {
    let query = GuideQueries.wildcardMatch(collection)
    try expect(
      query,
      is: """
        SELECT META().id, country, name FROM hotel
        WHERE type = 'landmark' AND LOWER(name) LIKE 'eng%e%' LIMIT 10
        """)
  }

  @Test func wildcardCharacterMatch() throws {
    let query = GuideQueries.wildcardCharacterMatch(collection)
    try expect(
      query,
      is: """
        SELECT META().id, country, name FROM hotel WHERE type = 'landmark' AND name LIKE 'eng____r' LIMIT 10
        """)
  }

  @Test func regexOperator() throws {
    let query = GuideQueries.regexOperator(collection)
    try expect(
      query,
      is: #"""
        SELECT META().id, name FROM hotel
        WHERE type = 'landmark' AND REGEXP_CONTAINS(name, '\bEng.*e\b') LIMIT 10
        """#)
  }

  @Test func deletedDocuments() throws {
    let query = GuideQueries.deletedDocuments(collection)
    try expect(query, is: "SELECT META().id FROM hotel WHERE META().deleted")
  }

  @Test func joinStatement() throws {
    _ = try database.createCollection(name: "airlines")
    _ = try database.createCollection(name: "routes")
    guard let airlines = try self.database.collection(name: "airlines") else { return }
    guard let routes = try self.database.collection(name: "routes") else { return }
    let query = GuideQueries.joinStatement(airlines, routes)
    try expect(
      query,
      is: """
        SELECT airline.name, airline.callsign, route.destinationairport, route.stops, route.airline
        FROM airlines AS airline JOIN routes AS route ON META(airline).id = route.airlineid
        WHERE route.type = 'route' AND airline.type = 'airline' AND route.sourceairport = 'RIX'
        """)
  }

  @Test func groupByStatement() throws {
    let query = GuideQueries.groupByStatement(collection)
    try expect(
      query,
      is: """
        SELECT COUNT(*), country, tz FROM hotel WHERE type = 'airport' AND geo.alt >= 300 GROUP BY country, tz
        """)
  }

  @Test func orderByStatement() throws {
    let query = GuideQueries.orderByStatement(collection)
    try expect(query, is: "SELECT META().id, title FROM hotel WHERE type = 'hotel' ORDER BY title LIMIT 10")
  }

  @Test func dateFunctions() throws {
    let date = Expression.property("date_time")
    try expect(Function.stringToMillis(date), is: "STR_TO_MILLIS(date_time)")
    try expect(Function.stringToUTC(date), is: "STR_TO_UTC(date_time)")
    try expect(Function.millisToString(date), is: "MILLIS_TO_STR(date_time)")
    try expect(Function.millisToUTC(date), is: "MILLIS_TO_UTC(date_time)")
  }

  @Test func resultSets() throws {
    let collection = try self.database.createCollection(name: "hotel")
    let all = QueryBuilder.select(SelectResult.all()).from(DataSource.collection(collection))
    try expect(all, is: "SELECT * FROM hotel")

    let specific = GuideQueries.hotelProperties(collection)
    try expect(specific, is: "SELECT META().id AS metaId, id, name, city, type FROM hotel")

    let id = QueryBuilder.select(SelectResult.expression(Meta.id).as("metaId"))
      .from(DataSource.collection(collection))
    try expect(id, is: "SELECT META().id AS metaId FROM hotel")

    let count =
      QueryBuilder
      .select(SelectResult.expression(Function.count(Expression.all())).as("mycount"))
      .from(DataSource.collection(collection)).groupBy(Expression.property("type"))
    try expect(count, is: "SELECT COUNT(*) AS mycount FROM hotel GROUP BY type")
  }

  @Test func pagination() throws {
    let offset = 0
    let limit = 20
    //
    let query =
      QueryBuilder
      .select(SelectResult.all())
      .from(DataSource.collection(collection))
      .limit(Expression.int(limit), offset: Expression.int(offset))
    try expect(query, is: "SELECT * FROM hotel LIMIT 20 OFFSET 0")
  }

  @Test func predictiveValueIndex() throws {
    let input = Expression.dictionary(["photo": Expression.property("photo")])
    let prediction = Function.prediction(model: "ImageClassifier", input: input)

    let index = IndexBuilder.valueIndex(items: ValueIndexItem.expression(prediction.property("label")))
    #expect(index.fault == nil)
    #expect(index.items.map(\.description) == ["PREDICTION('ImageClassifier', {'photo': photo}, 'label')"])
  }

  @Test func predictionQuery() throws {
    let query = GuideQueries.prediction(collection)
    try expect(
      query,
      is: """
        SELECT * FROM hotel WHERE PREDICTION('ImageClassifier', {'photo': photo}, 'label') = 'car'
        AND PREDICTION('ImageClassifier', {'photo': photo}, 'probablity') >= 0.8
        """)
  }
}
