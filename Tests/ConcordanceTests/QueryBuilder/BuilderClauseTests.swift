@testable import Concordance
import Foundation
import JSONText
import QueryModel
import Testing

/// Clauses, and the orders in which they may follow each other.
@Suite struct BuilderClauseTests {
  let files: TemporaryDatabase
  let hotels: Concordance.Collection
  let airlines: Concordance.Collection
  let from: From

  init() throws {
    files = try TemporaryDatabase()
    hotels = try files.database.createCollection(name: "hotel")
    airlines = try files.database.createCollection(name: "airline", scope: "inventory")
    from = QueryBuilder.select(SelectResult.property("name")).from(DataSource.collection(hotels))
  }

  @Test func results() throws {
    let results: [any SelectResultProtocol] = [
      SelectResult.property("name"), SelectResult.property("geo.alt").as("height"),
      SelectResult.expression(Function.count()).as("n"), SelectResult.expression(Meta.id).as(nil),
      SelectResult.all(), SelectResult.all().from("hotel"), SelectResult.all().from(nil),
    ]
    let source = DataSource.collection(hotels)
    let columns = "name, geo.alt AS height, COUNT(*) AS n, META().id, *, hotel.*, *"
    try expect(QueryBuilder.select(results).from(source), is: "SELECT \(columns) FROM hotel")
    try expect(QueryBuilder.selectDistinct(results).from(source), is: "SELECT DISTINCT \(columns) FROM hotel")
    try expect(
      QueryBuilder.selectDistinct(SelectResult.property("name")).from(source), is: "SELECT DISTINCT name FROM hotel")
    try expect(QueryBuilder.select(SelectResult.expression(int(1))), is: "SELECT 1")
  }

  @Test func withoutResultsAnIDAndASequenceAreReturned() throws {
    let source = DataSource.collection(hotels)
    try expect(QueryBuilder.select().from(source), is: "SELECT META().id, META().sequence FROM hotel")
    try expect(QueryBuilder.selectDistinct([]), is: "SELECT DISTINCT META().id, META().sequence")
  }

  @Test func sources() throws {
    let select = QueryBuilder.select(SelectResult.all())
    try expect(select.from(DataSource.collection(files.collection)), is: "SELECT * FROM _default")
    try expect(select.from(DataSource.collection(hotels).as("h")), is: "SELECT * FROM hotel AS h")
    try expect(select.from(DataSource.collection(airlines)), is: "SELECT * FROM inventory.airline")
    #expect(select.database == nil)
    #expect(from.database === files.database)
  }

  @Test func everyOrderOfClauses() throws {
    let (a, b) = (property("a"), property("b"))
    let (byA, byB) = (Ordering.property("a"), Ordering.expression(b).descending())
    let (ten, five) = (int(10), int(5))
    try expect(from.where(a), is: "SELECT name FROM hotel WHERE a")
    try expect(from.groupBy(a, b), is: "SELECT name FROM hotel GROUP BY a, b")
    try expect(from.groupBy([a, b]), is: "SELECT name FROM hotel GROUP BY a, b")
    try expect(from.orderBy(byA, byB), is: "SELECT name FROM hotel ORDER BY a, b DESC")
    try expect(from.orderBy([byA, byB]), is: "SELECT name FROM hotel ORDER BY a, b DESC")
    try expect(from.limit(ten), is: "SELECT name FROM hotel LIMIT 10")
    try expect(from.limit(ten, offset: five), is: "SELECT name FROM hotel LIMIT 10 OFFSET 5")
    try expect(from.limit(ten, offset: nil), is: "SELECT name FROM hotel LIMIT 10")

    let filtered = from.where(a)
    try expect(filtered.groupBy([b]), is: "SELECT name FROM hotel WHERE a GROUP BY b")
    try expect(filtered.orderBy(byA), is: "SELECT name FROM hotel WHERE a ORDER BY a")
    try expect(filtered.limit(ten), is: "SELECT name FROM hotel WHERE a LIMIT 10")

    let grouped = filtered.groupBy(b)
    try expect(grouped.having(a), is: "SELECT name FROM hotel WHERE a GROUP BY b HAVING a")
    try expect(grouped.orderBy(byA), is: "SELECT name FROM hotel WHERE a GROUP BY b ORDER BY a")
    try expect(grouped.limit(ten, offset: five), is: "SELECT name FROM hotel WHERE a GROUP BY b LIMIT 10 OFFSET 5")

    let having = from.groupBy(b).having(a)
    try expect(having.orderBy([byB]), is: "SELECT name FROM hotel GROUP BY b HAVING a ORDER BY b DESC")
    try expect(having.limit(ten), is: "SELECT name FROM hotel GROUP BY b HAVING a LIMIT 10")
    try expect(
      having.orderBy(byA).limit(ten, offset: five),
      is: "SELECT name FROM hotel GROUP BY b HAVING a ORDER BY a LIMIT 10 OFFSET 5")
  }

  @Test func orderings() throws {
    let name = Ordering.property("name")
    let sql = "SELECT name FROM hotel ORDER BY name"
    try expect(from.orderBy(name), is: sql)
    try expect(from.orderBy(name.ascending()), is: sql)
    try expect(from.orderBy(name.descending()), is: sql + " DESC")
    try expect(from.orderBy(name.nullsFirst()), is: sql + " NULLS FIRST")
    try expect(from.orderBy(name.descending().nullsLast()), is: sql + " DESC NULLS LAST")
    try expect(
      from.orderBy(Ordering.expression(property("name").collate(Collation.unicode().locale("de")))),
      is: sql + " COLLATE UNICODE:de")
  }

  @Test func joins() throws {
    let source = DataSource.collection(airlines).as("a")
    let condition = property("id").from("hotel").equalTo(Meta.id.from("a"))
    let on = "ON hotel.id = META(a).id"
    let expected: [(any JoinProtocol, String)] = [
      (Join.join(source).on(condition), "JOIN inventory.airline AS a \(on)"),
      (Join.innerJoin(source).on(condition), "JOIN inventory.airline AS a \(on)"),
      (Join.leftJoin(source).on(condition), "LEFT JOIN inventory.airline AS a \(on)"),
      (Join.leftOuterJoin(source).on(condition), "LEFT JOIN inventory.airline AS a \(on)"),
      (Join.crossJoin(source), "CROSS JOIN inventory.airline AS a"),
    ]
    for (join, sql) in expected {
      let joins = from.join(join)
      let all = "SELECT name FROM hotel \(sql)"
      try expect(joins, is: all)
      try expect(from.join([join]), is: all)
      try expect(joins.where(property("x")), is: all + " WHERE x")
      try expect(joins.groupBy(property("x")), is: all + " GROUP BY x")
      try expect(joins.orderBy(Ordering.property("x")), is: all + " ORDER BY x")
      try expect(joins.limit(int(1), offset: int(2)), is: all + " LIMIT 1 OFFSET 2")
    }
    try expect(
      from.join(Join.crossJoin(source), Join.leftJoin(DataSource.collection(hotels).as("b")).on(property("b.x"))),
      is: "SELECT name FROM hotel CROSS JOIN inventory.airline AS a LEFT JOIN hotel AS b ON b.x")
  }

  @Test func extendingAQueryDoesNotChangeIt() throws {
    let before = from.model
    let one = from.where(property("a")).limit(int(1))
    let two = from.where(property("b"))
    #expect(from.model == before)
    try expect(one, is: "SELECT name FROM hotel WHERE a LIMIT 1")
    try expect(two, is: "SELECT name FROM hotel WHERE b")
  }

  // MARK: Names of sources

  @Test func pathThatBeginsWithASourceIsAPropertyOfIt() throws {
    let source = DataSource.collection(hotels).as("h")
    try expect(
      QueryBuilder.select(SelectResult.property("h.name"), SelectResult.property("h")).from(source)
        .where(property("h.geo.alt").greaterThan(int(1))).orderBy(Ordering.property("h.name")),
      is: "SELECT h.name, h FROM hotel AS h WHERE h.geo.alt > 1 ORDER BY h.name")
    try expect(
      QueryBuilder.select(SelectResult.property("hotel.name")).from(DataSource.collection(hotels)),
      is: "SELECT hotel.name FROM hotel")
    // A property that names another source.
    let query = QueryBuilder.select(SelectResult.expression(property("a").from("h")))
      .from(source).join(Join.crossJoin(DataSource.collection(airlines).as("a")))
    #expect(query.model.columns[0].expression == .everything(source: "h").member(at: [.key("a")]))
  }

  @Test func sourceMayComeAfterThePath() throws {
    let query = QueryBuilder.select(SelectResult.property("a.name"))
      .from(DataSource.collection(hotels).as("h"))
      .join(Join.crossJoin(DataSource.collection(airlines).as("a")))
      .where(property("a.iata").isValued())
    try expect(
      query,
      is: "SELECT a.name FROM hotel AS h CROSS JOIN inventory.airline AS a WHERE a.iata IS VALUED")
  }

  @Test func sourceOfEveryExpressionCanBeNamed() throws {
    let query =
      QueryBuilder
      .select(
        SelectResult.all().from("h"), SelectResult.expression(Expression.all().from("a")),
        SelectResult.expression(Function.count(Expression.all().from("a")))
      )
      .from(DataSource.collection(hotels).as("h"))
      .join(Join.crossJoin(DataSource.collection(airlines).as("a")))
      .where(
        FullTextFunction.match(Expression.fullTextIndex("text").from("h"), query: "sea")
          .and(FullTextFunction.match(indexName: "a.names", query: "air"))
          .and(Meta.isDeleted.from("a")).and(property("x").from("a"))
      )
      .orderBy(Ordering.expression(FullTextFunction.rank("h.text")).descending())
    try expect(
      query,
      is: """
        SELECT h.*, a.*, COUNT(a) FROM hotel AS h CROSS JOIN inventory.airline AS a
        WHERE MATCH(h.text, 'sea') AND MATCH(a.names, 'air') AND META(a).deleted AND a.x ORDER BY RANK(h.text) DESC
        """)
  }

  @Test func parsedQueryIsNotChanged() throws {
    let model = try SQLParser().parse("SELECT h.* FROM hotel AS h WHERE MATCH(`h.text`, 'x')")
    let query = Query(model, database: files.database)
    #expect(query.model == model)
    #expect(query.buildError == nil)
    #expect(query.description == "SELECT h.* FROM hotel AS h WHERE MATCH(`h.text`, 'x')")
  }

  @Test func collectionsWithTheSameNameAreQualifiedByTheirScopes() throws {
    let other = try files.database.createCollection(name: "hotel", scope: "inventory")
    let query = QueryBuilder.select(SelectResult.property("inventory.hotel.name"))
      .from(DataSource.collection(other))
    try expect(query, is: "SELECT inventory.hotel.name FROM inventory.hotel")
    try expect(
      query.join(
        Join.join(DataSource.collection(hotels))
          .on(property("id").from("inventory.hotel").equalTo(Meta.id.from("hotel")))),
      is: """
        SELECT inventory.hotel.name FROM inventory.hotel JOIN hotel ON inventory.hotel.id = META(hotel).id
        """)
    // The full name is given, although the short name would be sufficient.
    try expect(
      QueryBuilder.select(
        SelectResult.all().from("inventory.hotel"),
        SelectResult.expression(
          FullTextFunction.match(Expression.fullTextIndex("i").from("inventory.hotel"), query: "q"))
      ).from(DataSource.collection(other)),
      is: "SELECT hotel.*, MATCH(hotel.i, 'q') FROM inventory.hotel")
  }
}
