import Concordance
import Foundation
import Testing

/// The Swift examples of the handbook's page on the QueryBuilder, compiled and run over the documents of the page on
/// SQL++. Their output is compared with the text below each code block. See ``HandbookTests``.
@Suite struct HandbookQueryBuilderTests {
  private let files: TemporaryDatabase
  private let database: Database
  private let hotels: Concordance.Collection
  private let cities: Concordance.Collection
  private let output = Output()

  struct Hotel: Codable {
    var name: String
    var stars: Int?
  }

  init() throws {
    files = try TemporaryDatabase()
    database = files.database
    try HandbookPage("sqlpp.md").importDocuments(into: database)
    hotels = try #require(try database.collection(name: "hotels"))
    cities = try #require(try database.collection(name: "cities"))
  }

  @Test func queries() async throws {
    let name = Expression.property("name")
    let stars = Expression.property("stars")
    let query = QueryBuilder.select(SelectResult.expression(Meta.id), SelectResult.expression(name))
      .from(DataSource.collection(hotels))
      .where(stars.greaterThanOrEqualTo(Expression.int(4)))
      .orderBy(Ordering.expression(name))
    for row in try query.execute() {
      print(row.string(forKey: "id") ?? "", row.string(forKey: "name") ?? "")
    }
    print(query)

    let review = ArrayExpression.variable("review")
    let rating = ArrayExpression.variable("review.rating")
    let praised = QueryBuilder.select(SelectResult.property("name"))
      .from(DataSource.collection(hotels))
      .where(
        ArrayExpression.any(review).in(Expression.property("reviews")).satisfies(rating.equalTo(Expression.int(5))))
    for row in try praised.execute() { print(row.toJSON()) }

    let rooms = QueryBuilder.select(
      SelectResult.property("name"), SelectResult.property("stars"),
      SelectResult.property("rooms.double").as("doubles"),
      SelectResult.expression(Function.upper(Expression.property("city")))
    )
    .from(DataSource.collection(hotels))
    .where(Expression.property("city").equalTo(Expression.string("Riga")))
    .orderBy(Ordering.property("name"))
    print(try rooms.columnNames())
    for row in try rooms.execute() {
      print(row.string(at: 0) ?? "", row.int(forKey: "stars"), row["doubles"].exists, row.toJSON())
    }
    let found = try rooms.execute().data(as: Hotel.self)
    print(found.map(\.name), found[0].stars ?? 0)

    let whole = QueryBuilder.select(SelectResult.all()).from(DataSource.collection(hotels))
      .where(Meta.id.equalTo(Expression.string("lux")))
    for row in try whole.execute() {
      print(row.dictionary(forKey: "hotels")?["tags"][0].string ?? "")
    }
    print(try whole.execute().data(as: Hotel.self, dataKey: "hotels")[0].name)

    for try await row in try query.rows() {
      print(row.toJSON())
    }
    try query.forEachRow { row in
      print(row.string(forKey: "name") ?? "")
      return false  // true continues
    }

    let best = QueryBuilder.select(SelectResult.property("name")).from(DataSource.collection(hotels))
      .where(Expression.property("stars").greaterThanOrEqualTo(Expression.parameter("stars")))
      .orderBy(Ordering.property("stars").descending())
      .limit(Expression.parameter("limit"))
    for limit in [1, 2] {
      best.parameters = Parameters().setInt(3, forName: "stars").setInt(limit, forName: "limit")
      print(try best.execute().map { $0.string(at: 0) ?? "" })
    }
    best.parameters = nil
    do {
      _ = try best.execute()
    } catch let error as CBLError where error.code == CBLError.invalidQueryParam {
      print(error.message)
    }

    let places = QueryBuilder.select(
      SelectResult.expression(Expression.property("name").from("h")),
      SelectResult.expression(Expression.property("country").from("c"))
    )
    .from(DataSource.collection(hotels).as("h"))
    .join(
      Join.leftJoin(DataSource.collection(cities).as("c"))
        .on(Expression.property("name").from("c").equalTo(Expression.property("city").from("h")))
    )
    .orderBy(Ordering.expression(Expression.property("name").from("h")))
    for row in try places.execute() { print(row.toJSON()) }

    let city = Expression.property("city")
    let count = Function.count(Expression.all())
    let groups = QueryBuilder.select(
      SelectResult.expression(city), SelectResult.expression(count).as("n"),
      SelectResult.expression(Function.avg(Expression.property("stars"))).as("average")
    )
    .from(DataSource.collection(hotels))
    .groupBy(city)
    .having(Function.count(Expression.property("stars")).greaterThan(Expression.int(0)))
    .orderBy(Ordering.expression(count).descending(), Ordering.expression(city))
    for row in try groups.execute() { print(row.toJSON()) }

    let people = Collation.unicode().ignoreCase(true).ignoreAccents(true)
    let sorted = QueryBuilder.select(SelectResult.property("name")).from(DataSource.collection(hotels))
      .orderBy(Ordering.expression(Expression.property("name").collate(people)))
    print(try sorted.execute().map { $0.string(at: 0) ?? "" })

    try hotels.createIndex(
      withName: "text", config: FullTextIndexConfiguration(["name", "reviews[].text"], language: "en"))
    let index = Expression.fullTextIndex("text")
    let search = QueryBuilder.select(SelectResult.expression(Meta.id))
      .from(DataSource.collection(hotels))
      .where(FullTextFunction.match(index, query: "quiet room").and(stars.greaterThan(Expression.int(3))))
      .orderBy(Ordering.expression(FullTextFunction.rank(index)).descending())
    for case let row as FullTextQueryRow in try search.run() {
      print(row.documentID, row.document.string(forKey: "name") ?? "")
      for text in row.matchedTexts { print(text.path, text.text, text.ranges.map { "\($0)" }.joined(separator: " ")) }
    }

    let inRiga = QueryBuilder.select(SelectResult.property("name")).from(DataSource.collection(hotels))
      .where(
        Expression.property("city").equalTo(Expression.string("Riga"))
          .and(Expression.property("stars").greaterThan(Expression.int(3))))
    func show(_ explanation: QueryExplanation) {
      for step in explanation.steps {
        print(step.access, step.index ?? "no index", "reads documents:", step.readsDocuments)
      }
    }
    try show(inRiga.explanation())
    try hotels.createIndex(withName: "places", config: ValueIndexConfiguration(["city", "stars"]))
    try show(inRiga.explanation())
    try hotels.createIndex(withName: "places", config: ValueIndexConfiguration(["city", "stars", "name"]))
    try show(inRiga.explanation())

    try hotels.createIndex(
      withName: "authors", config: ArrayIndexConfiguration(path: "reviews", expressions: ["author", "rating"]))
    let byIeva = try database.createQuery(
      "SELECT h.name, r.rating FROM hotels AS h UNNEST h.reviews AS r WHERE r.author = 'Ieva' ORDER BY r.rating")
    for row in try byIeva.execute() { print(row.toJSON()) }
    let step = try byIeva.explanation().steps[0]
    print(step.access, step.index ?? "no index", step.indexedConditions.joined(separator: " AND "))

    try hotels.createIndex(withName: "patterns", config: PatternIndexConfiguration(["name"]))
    let ghia = try database.createQuery("SELECT META().id FROM hotels WHERE name ILIKE '%GHIA%'")
    for pattern in try ghia.explanation().steps[0].patterns {
      print(pattern.trigrams ?? "", "candidates:", pattern.candidateCount ?? 0, "verified:", pattern.verifiedCount ?? 0)
    }

    struct MoodModel: PredictiveModel {
      func predict(input: DictionaryObject) -> DictionaryObject? {
        guard let text = input.string(forKey: "text")?.lowercased() else { return nil }
        let points = text.contains("quiet") ? 1 : text.contains("noisy") || text.contains("closed") ? -1 : 0
        return MutableDictionaryObject(data: [
          "mood": points < 0 ? "bad" : points > 0 ? "good" : "none", "points": points,
        ])
      }
    }
    Database.prediction.registerModel(MoodModel(), withName: "Mood")

    let firstReview = Expression.dictionary(["text": Expression.property("reviews[0].text")])
    let opinion = Function.prediction(model: "Mood", input: firstReview)
    let pleased = QueryBuilder.select(
      SelectResult.property("name"), SelectResult.expression(opinion.property("points"))
    )
    .from(DataSource.collection(hotels))
    .where(opinion.property("mood").equalTo(Expression.string("good")))
    .orderBy(Ordering.property("name"))
    for row in try pleased.execute() { print(row.string(at: 0) ?? "", row.int(at: 1)) }

    let moods = IndexBuilder.predictiveIndex(model: "Mood", input: firstReview, properties: ["mood"])
    try hotels.createIndex(moods, name: "moods")
    Database.prediction.unregisterModel(withName: "Mood")
    for row in try pleased.execute() { print(row.string(at: 0) ?? "", row.int(at: 1)) }
    let reading = try pleased.explanation().steps[0]
    print(reading.access, reading.index ?? "no index", reading.predictionIndexes)

    let cheap = try hotels.createQuery(
      where: "stars < $Max && ANY tags == 'bar'", returning: ["name", "stars"], orderBy: ["-stars"])
    cheap.parameters = Parameters().setInt(5, forName: "Max")
    for row in try cheap.execute() { print(row.toJSON()) }

    let lux = try hotels.createQuery(where: #Predicate<Hotel> { $0.name.starts(with: "L") }, returning: [\.name])
    for row in try lux.execute() { print(row.toJSON()) }
    print(lux)

    let expected = try HandbookPage("query-builder.md").blocks.filter { $0.language == "text" }
    let lines: [String] = expected.flatMap { $0.text.split(separator: "\n").map(String.init) }
    #expect(output.lines == lines)
  }

  /// Records the output of the examples.
  private func print(_ items: Any...) { output.lines.append(items.map { "\($0)" }.joined(separator: " ")) }

  private final class Output {
    var lines: [String] = []
  }
}
