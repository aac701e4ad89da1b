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
    let query: Query
    query =
      QueryBuilder
      .select(SelectResult.all())
      .from(DataSource.collection(collection))
    try expect(query, is: "SELECT * FROM hotel")
  }

  @Test func specificProperties() throws {
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("type"),
        SelectResult.property("name")
      )
      .from(DataSource.collection(collection))
    try expect(query, is: "SELECT META().id, type, name FROM hotel")
  }

  @Test func whereClause() throws {
    let query =
      QueryBuilder
      .select(SelectResult.all())
      .from(DataSource.collection(collection))
      .where(Expression.property("type").equalTo(Expression.string("hotel")))
      .limit(Expression.int(10))
    try expect(query, is: "SELECT * FROM hotel WHERE type = 'hotel' LIMIT 10")
  }

  @Test func containsOperator() throws {
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("name"),
        SelectResult.property("public_likes")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("hotel"))
          .and(
            ArrayFunction.contains(
              Expression.property("public_likes"),
              value: Expression.string("Armani Langworth")))
      )
    try expect(
      query,
      is: """
        SELECT META().id, name, public_likes FROM hotel
        WHERE type = 'hotel' AND ARRAY_CONTAINS(public_likes, 'Armani Langworth')
        """)
  }

  @Test func inOperator() throws {
    let values = [
      Expression.property("first"),
      Expression.property("last"),
      Expression.property("username"),
    ]

    let query = QueryBuilder.select(SelectResult.all())
      .from(DataSource.collection(collection))
      .where(Expression.string("Armani").in(values))
    try expect(query, is: "SELECT * FROM hotel WHERE 'Armani' IN (first, last, username)")
  }

  @Test func likeOperator() throws {
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("country"),
        SelectResult.property("name")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("landmark"))
          .and(
            Function.lower(Expression.property("name"))
              .like(Expression.string("royal engineers museum")))
      )
      .limit(Expression.int(10))
    try expect(
      query,
      is: """
        SELECT META().id, country, name FROM hotel
        WHERE type = 'landmark' AND LOWER(name) LIKE 'royal engineers museum' LIMIT 10
        """)
  }

  @Test func wildcardMatch() throws {
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("country"),
        SelectResult.property("name")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("landmark"))
          .and(
            Function.lower(Expression.property("name"))
              .like(Expression.string("eng%e%")))
      )
      .limit(Expression.int(10))
    try expect(
      query,
      is: """
        SELECT META().id, country, name FROM hotel
        WHERE type = 'landmark' AND LOWER(name) LIKE 'eng%e%' LIMIT 10
        """)
  }

  @Test func wildcardCharacterMatch() throws {
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("country"),
        SelectResult.property("name")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("landmark"))
          .and(Expression.property("name").like(Expression.string("eng____r")))
      )
      .limit(Expression.int(10))
    try expect(
      query,
      is: """
        SELECT META().id, country, name FROM hotel WHERE type = 'landmark' AND name LIKE 'eng____r' LIMIT 10
        """)
  }

  @Test func regexOperator() throws {
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("name")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("landmark"))
          .and(Expression.property("name").regex(Expression.string("\\bEng.*e\\b")))
      )
      .limit(Expression.int(10))
    try expect(
      query,
      is: #"""
        SELECT META().id, name FROM hotel
        WHERE type = 'landmark' AND REGEXP_CONTAINS(name, '\bEng.*e\b') LIMIT 10
        """#)
  }

  @Test func deletedDocuments() throws {
    // Query documents that have been deleted
    let query =
      QueryBuilder
      .select(SelectResult.expression(Meta.id))
      .from(DataSource.collection(collection))
      .where(Meta.isDeleted)
    try expect(query, is: "SELECT META().id FROM hotel WHERE META().deleted")
  }

  @Test func joinStatement() throws {
    _ = try database.createCollection(name: "airlines")
    _ = try database.createCollection(name: "routes")
    guard let airlines = try self.database.collection(name: "airlines") else { return }
    guard let routes = try self.database.collection(name: "routes") else { return }
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Expression.property("name").from("airline")),
        SelectResult.expression(Expression.property("callsign").from("airline")),
        SelectResult.expression(Expression.property("destinationairport").from("route")),
        SelectResult.expression(Expression.property("stops").from("route")),
        SelectResult.expression(Expression.property("airline").from("route"))
      )
      .from(
        DataSource.collection(airlines).as("airline")
      )
      .join(
        Join.join(DataSource.collection(routes).as("route"))
          .on(
            Meta.id.from("airline")
              .equalTo(Expression.property("airlineid").from("route"))
          )
      )
      .where(
        Expression.property("type").from("route").equalTo(Expression.string("route"))
          .and(
            Expression.property("type").from("airline")
              .equalTo(Expression.string("airline"))
          )
          .and(
            Expression.property("sourceairport").from("route")
              .equalTo(Expression.string("RIX")))
      )
    try expect(
      query,
      is: """
        SELECT airline.name, airline.callsign, route.destinationairport, route.stops, route.airline
        FROM airlines AS airline JOIN routes AS route ON META(airline).id = route.airlineid
        WHERE route.type = 'route' AND airline.type = 'airline' AND route.sourceairport = 'RIX'
        """)
  }

  @Test func groupByStatement() throws {
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Function.count(Expression.all())),
        SelectResult.property("country"),
        SelectResult.property("tz")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("airport"))
          .and(Expression.property("geo.alt").greaterThanOrEqualTo(Expression.int(300)))
      ).groupBy(
        Expression.property("country"),
        Expression.property("tz")
      )
    try expect(
      query,
      is: """
        SELECT COUNT(*), country, tz FROM hotel WHERE type = 'airport' AND geo.alt >= 300 GROUP BY country, tz
        """)
  }

  @Test func orderByStatement() throws {
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("title")
      )
      .from(DataSource.collection(collection))
      .where(Expression.property("type").equalTo(Expression.string("hotel")))
      .orderBy(Ordering.property("title").ascending())
      .limit(Expression.int(10))
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

    let specific =
      QueryBuilder
      .select(
        SelectResult.expression(Meta.id).as("metaId"),
        SelectResult.expression(Expression.property("id")),
        SelectResult.expression(Expression.property("name")),
        SelectResult.expression(Expression.property("city")),
        SelectResult.expression(Expression.property("type"))
      )
      .from(DataSource.collection(collection))
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
    let input = Expression.dictionary(["photo": Expression.property("photo")])
    let prediction = Function.prediction(model: "ImageClassifier", input: input)

    let query =
      QueryBuilder
      .select(SelectResult.all())
      .from(DataSource.collection(collection))
      .where(
        prediction.property("label").equalTo(Expression.string("car"))
          .and(
            prediction.property("probablity")
              .greaterThanOrEqualTo(Expression.double(0.8))
          )
      )
    try expect(
      query,
      is: """
        SELECT * FROM hotel WHERE PREDICTION('ImageClassifier', {'photo': photo}, 'label') = 'car'
        AND PREDICTION('ImageClassifier', {'photo': photo}, 'probablity') >= 0.8
        """)
  }
}
