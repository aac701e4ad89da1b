import Concordance
import Foundation
import Testing

/// The JOIN, GROUP BY, ORDER BY and date examples of Couchbase Lite's guide to the query builder, unchanged, and their
/// results.
@Suite struct QueryBuilderGuideClauseTests {
  private let files: TemporaryDatabase
  private let database: Database
  private let collection: Concordance.Collection
  private let output = GuideOutput()

  init() throws {
    files = try TemporaryDatabase()
    database = files.database
    collection = try database.createCollection(name: "travel-sample")
  }

  private func save(_ documents: [String: String], in collection: Concordance.Collection) throws {
    for (id, json) in documents { try collection.save(document: MutableDocument(id: id, json: json)) }
  }

  // MARK: JOIN

  /// The example, which is the body of a method in the guide.
  private func join() throws -> Query? {
    guard let airlines = try self.database.collection(name: "airlines") else { return nil }
    guard let routes = try self.database.collection(name: "routes") else { return nil }
    return GuideQueries.joinStatement(airlines, routes)
  }

  @Test func routesWithTheirAirlines() throws {
    try save(
      [
        "airline_1": #"{"type": "airline", "name": "airBaltic", "callsign": "AIRBALTIC"}"#,
        "airline_2": #"{"type": "airline", "name": "Finnair", "callsign": "FINNAIR"}"#,
        "airline_3": #"{"type": "charter", "name": "SmartLynx", "callsign": "SMARTLYNX"}"#,
      ], in: try database.createCollection(name: "airlines"))
    let route = { (airline: Int, code: String, from: String, to: String) in
      #"{"type": "route", "airline": "\#(code)", "airlineid": "airline_\#(airline)", "sourceairport": "\#(from)", "#
        + #""destinationairport": "\#(to)", "stops": 0}"#
    }
    let routes = try database.createCollection(name: "routes")
    try save(
      [
        "route_1": route(1, "BT", "RIX", "TLL"), "route_2": route(1, "BT", "RIX", "VNO"),
        "route_3": route(1, "BT", "TLL", "RIX"), "route_4": route(2, "AY", "RIX", "HEL"),
        "route_5": route(3, "6Y", "RIX", "AMS"), "route_6": route(9, "XX", "RIX", "OSL"),
      ], in: routes)
    let expected = [
      #"{"name":"Finnair","callsign":"FINNAIR","destinationairport":"HEL","stops":0,"airline":"AY"}"#,
      #"{"name":"airBaltic","callsign":"AIRBALTIC","destinationairport":"TLL","stops":0,"airline":"BT"}"#,
      #"{"name":"airBaltic","callsign":"AIRBALTIC","destinationairport":"VNO","stops":0,"airline":"BT"}"#,
    ]
    let query = try #require(try join())
    #expect(try rows(of: query).sorted() == expected)
    try routes.createIndex(withName: "airline", config: ValueIndexConfiguration(["airlineid"]))
    #expect(try rows(of: query).sorted() == expected)
  }

  // MARK: GROUP BY

  @Test func airportsByCountryAndZone() throws {
    let airport = { (country: String, zone: String, altitude: Int) in
      #"{"type": "airport", "country": "\#(country)", "geo": {"alt": \#(altitude)}, "tz": "\#(zone)"}"#
    }
    try save(
      [
        "airport123": airport("United States", "America/Anchorage", 456),
        "airport124": airport("United States", "America/Anchorage", 300),
        "airport125": airport("United States", "America/Denver", 5431),
        "airport126": airport("United States", "America/Denver", 299),
        "airport127": airport("France", "Europe/Paris", 392),
        "hotel": #"{"type": "hotel", "country": "France", "geo": {"alt": 500}, "tz": "Europe/Paris"}"#,
      ], in: collection)
    let query = GuideQueries.groupByStatement(collection)

    do {
      for result in try query.execute() {
        print(
          """
              There are \(result.int(forKey: "$1")) airports on
                          the \(result.string(forKey: "tz")!)timezone located
                          in \(result.string(forKey: "country")!) and above 300 ft
          """)
      }
    }

    let lines = output.lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(
      lines.sorted() == [
        "There are 1 airports on the America/Denvertimezone located in United States and above 300 ft",
        "There are 1 airports on the Europe/Paristimezone located in France and above 300 ft",
        "There are 2 airports on the America/Anchoragetimezone located in United States and above 300 ft",
      ])
  }

  // MARK: ORDER BY

  @Test func hotelsByTitle() throws {
    try save(
      [
        "a": #"{"type": "hotel", "title": "Avignon"}"#, "b": #"{"type": "hotel", "title": "Ardèche"}"#,
        "c": #"{"type": "hotel", "title": "Armagh"}"#, "d": #"{"type": "landmark", "title": "Aaa"}"#,
        "e": #"{"type": "hotel"}"#, "f": #"{"type": "hotel", "title": "Aberdyfi"}"#,
      ], in: collection)
    let query = GuideQueries.orderByStatement(collection)

    #expect(try column("title", of: query) == ["-", "Aberdyfi", "Ardèche", "Armagh", "Avignon"])
    #expect(try column("id", of: query) == ["e", "f", "b", "c", "a"])
  }

  // MARK: Dates

  @Test func dateFunctions() throws {
    try save(["a": #"{"date_time": "2024-03-01T12:30:00+02:00", "millis": 1709289000000}"#], in: collection)
    let query =
      QueryBuilder
      .select(
        SelectResult.expression(Function.stringToMillis(Expression.property("date_time"))).as("millis"),
        SelectResult.expression(Function.stringToUTC(Expression.property("date_time"))).as("utc"),
        SelectResult.expression(Function.millisToUTC(Expression.property("millis"))).as("fromMillis"),
        SelectResult.expression(
          Function.stringToMillis(Function.millisToString(Expression.property("millis")))
        ).as("there and back")
      )
      .from(DataSource.collection(collection))
    #expect(
      try rows(of: query) == [
        #"{"millis":1709289000000,"utc":"2024-03-01T10:30:00Z","fromMillis":"2024-03-01T10:30:00Z","#
          + #""there and back":1709289000000}"#
      ])
  }

  /// Records the output of the examples.
  private func print(_ items: Any...) { output.print(items) }
}
