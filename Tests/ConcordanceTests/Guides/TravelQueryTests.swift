import Concordance
import Foundation
import Testing

/// Queries of travel records return the results of the guides and of an independent count, with and without indexes.
@Suite struct TravelQueryTests {
  private let files: TemporaryDatabase
  private let database: Database

  init() throws {
    files = try TemporaryDatabase()
    database = files.database
  }

  /// Expects the same answer without indexes and with each of them.
  private func expect(
    _ collection: Concordance.Collection, _ indexes: [any IndexConfiguration],
    sourceLocation: SourceLocation = #_sourceLocation, answer: () throws -> [String]
  ) throws -> [String] {
    let first = try answer()
    for config in indexes {
      try collection.createIndex(withName: "index", config: config)
      let again = try answer()
      #expect(again == first, "\(config)", sourceLocation: sourceLocation)
    }
    return first
  }

  // MARK: Results of the guide

  @Test(.enabled(if: TravelRecords.large != nil, Comment(rawValue: TravelRecords.absence)))
  func airportsByCountryAndZone() throws {
    let travel = try #require(TravelRecords.large)
    let collection = try travel.load("airports", into: database)
    let query = GuideQueries.groupByStatement(collection)
    let indexes: [any IndexConfiguration] = [
      ValueIndexConfiguration(["type"]), ValueIndexConfiguration(["geo.alt"]),
      ValueIndexConfiguration(["type", "geo.alt", "country", "tz"]), ValueIndexConfiguration(["country", "tz"]),
      ValueIndexConfiguration(["country", "tz"], where: "type = 'airport' AND geo.alt >= 300"),
    ]
    let lines = try expect(collection, indexes) {
      try query.execute().map { row in
        "There are \(row.int(forKey: "$1")) airports on the \(row.string(forKey: "tz") ?? "") timezone "
          + "located in \(row.string(forKey: "country") ?? "") and above 300 ft"
      }.sorted()
    }
    let printed = [
      "There are 138 airports on the Europe/Paris timezone located in France and above 300 ft",
      "There are 29 airports on the Europe/London timezone located in United Kingdom and above 300 ft",
      "There are 50 airports on the America/Anchorage timezone located in United States and above 300 ft",
      "There are 279 airports on the America/Chicago timezone located in United States and above 300 ft",
      "There are 123 airports on the America/Denver timezone located in United States and above 300 ft",
    ]
    for line in printed { #expect(lines.contains(line)) }
    let counted = Dictionary(
      grouping: try travel.records("airports").filter { (($0["geo"] as? [String: Any])?["alt"] as? Double ?? 0) >= 300 }
    ) { "airports on the \($0.text("tz")) timezone located in \($0.text("country")) and above 300 ft" }
    #expect(lines == counted.map { "There are \($1.count) \($0)" }.sorted())
  }

  @Test(.enabled(if: TravelRecords.large != nil, Comment(rawValue: TravelRecords.absence)))
  func hotelsByTitle() throws {
    let travel = try #require(TravelRecords.large)
    let collection = try travel.load("hotels", into: database)
    let titles =
      QueryBuilder
      .selectDistinct(SelectResult.property("title"))
      .from(DataSource.collection(collection))
      .where(Expression.property("type").equalTo(Expression.string("hotel")))
      .orderBy(Ordering.property("title").ascending())
      .limit(Expression.int(8))
    let indexes: [any IndexConfiguration] = [
      ValueIndexConfiguration(["title"]), ValueIndexConfiguration(["type", "title"]),
      ValueIndexConfiguration(["title"], where: "type = 'hotel'"),
    ]
    let found = try expect(collection, indexes) { try column("title", of: titles) }
    #expect(
      found
        == ["Aberdyfi", "Achiltibuie", "Altrincham", "Ambleside", "Annan", "Ardèche", "Armagh", "Avignon"])
    // As in the guide, hotels with the same title are adjacent.
    try collection.deleteIndex(forName: "index")
    let all = try database.createQuery("SELECT title FROM hotels WHERE type = 'hotel' ORDER BY title")
    let sorted = try expect(collection, indexes) { try column("title", of: all) }
    let known = try travel.records("hotels").map { $0.text("title") }
    #expect(sorted == known.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  // MARK: Independent counts

  @Test(arguments: TravelRecords.all) func joins(travel: TravelRecords) throws {
    _ = try travel.load("airlines", into: database)
    let routes = try travel.load("routes", into: database)
    let names = Dictionary(
      uniqueKeysWithValues: try travel.records("airlines").map { ($0.text("_id"), $0.text("name")) })
    let flights = try travel.records("routes")
    let indexes: [any IndexConfiguration] = [
      ValueIndexConfiguration(["airlineid"]), ValueIndexConfiguration(["sourceairport"]),
      ValueIndexConfiguration(["sourceairport", "airlineid"]),
    ]
    for airport in ["RIX", "DFW"] {
      let query = try database.createQuery(
        """
        SELECT airline.name, route.destinationairport AS destination
        FROM airlines AS airline JOIN routes AS route ON META(airline).id = route.airlineid
        WHERE route.type = 'route' AND airline.type = 'airline' AND route.sourceairport = '\(airport)'
        """)
      let found = try expect(routes, indexes) {
        try query.execute().map { "\($0.string(at: 0) ?? "") to \($0.string(at: 1) ?? "")" }.sorted()
      }
      let counted = flights.filter { $0.text("sourceairport") == airport && names[$0.text("airlineid")] != nil }
        .map { "\(names[$0.text("airlineid")] ?? "") to \($0.text("destinationairport"))" }
      #expect(found == counted.sorted())
      try routes.deleteIndex(forName: "index")
    }
    // For airlines without a route, the left join has one row, in which COUNT returns 0.
    let counts = try database.createQuery(
      """
      SELECT a.name AS name, COUNT(r.airlineid) AS n
      FROM airlines AS a LEFT JOIN routes AS r ON r.airlineid = META(a).id GROUP BY META(a).id, a.name
      """)
    let found = try expect(routes, indexes) {
      try counts.execute().map { "\($0.string(at: 0) ?? ""): \($0.int(at: 1))" }.sorted()
    }
    let perAirline = Dictionary(grouping: flights) { $0.text("airlineid") }.mapValues(\.count)
    let counted = names.map { id, name in "\(name): \(perAirline[id] ?? 0)" }
    #expect(found == counted.sorted())
  }

  @Test(arguments: TravelRecords.all) func arrays(travel: TravelRecords) throws {
    let hotels = try travel.load("hotels", into: database)
    let records = try travel.records("hotels")
    let reviews = records.map { $0["reviews"] as? [[String: Any]] ?? [] }
    let likes = records.flatMap { $0["public_likes"] as? [String] ?? [] }.sorted()
    let fan = try #require(likes.first)
    let liked = try expect(hotels, [ArrayIndexConfiguration(path: "public_likes")]) {
      let query = try database.createQuery(
        "SELECT META().id FROM hotels WHERE ANY name IN public_likes SATISFIES name = $fan END ORDER BY META().id")
      query.parameters = Parameters().setString(fan, forName: "fan")
      return try column("id", of: query)
    }
    #expect(
      liked
        == records.filter { ($0["public_likes"] as? [String])?.contains(fan) == true }.map { $0.text("_id") }.sorted())
    #expect(!liked.isEmpty)
    let good = try expect(hotels, [ArrayIndexConfiguration(path: "reviews", expressions: ["ratings.Overall"])]) {
      let query = try database.createQuery(
        """
        SELECT review.author FROM hotels AS hotel UNNEST hotel.reviews AS review
        WHERE review.ratings.Overall >= 5 ORDER BY review.author
        """)
      return try column("author", of: query)
    }
    let best = reviews.joined().filter { (($0["ratings"] as? [String: Any])?["Overall"] as? Double ?? 0) >= 5 }
    #expect(good == best.map { $0.text("author") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(!good.isEmpty)
  }

  @Test(arguments: TravelRecords.all) func patterns(travel: TravelRecords) throws {
    let landmarks = try travel.load("landmarks", into: database)
    let names = try travel.records("landmarks").map { $0.text("name") }
    func found(_ condition: String) throws -> [String] {
      try expect(landmarks, [ValueIndexConfiguration(["name"]), ValueIndexConfiguration(["LOWER(name)"])]) {
        try column("name", of: try database.createQuery("SELECT name FROM landmarks WHERE \(condition)")).sorted()
      }
    }
    #expect(try found("name LIKE 'The %'") == names.filter { $0.hasPrefix("The ") }.sorted())
    #expect(
      try found("LOWER(name) LIKE '%museum%'") == names.filter { $0.lowercased().contains("museum") }.sorted())
    let bounded = try Regex(#"\b(Bridge|Castle|Park)\b"#)
    #expect(
      try found(#"REGEXP_CONTAINS(name, '\b(Bridge|Castle|Park)\b')"#)
        == names.filter { $0.contains(bounded) }.sorted())
  }
}
