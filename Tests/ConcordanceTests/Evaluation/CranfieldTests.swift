import Concordance
import Foundation
import Testing

/// The Cranfield collection: 1,400 abstracts, 225 queries and judgements, in the folder given by
/// `CONCORDANCE_CRANFIELD`, or by default in `../shared/data/cranfield`.
private struct Cranfield {
  let folder: URL

  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// nil if it does not exist.
  static let shared: Cranfield? = {
    let path = ProcessInfo.processInfo.environment["CONCORDANCE_CRANFIELD"]
    let folder =
      path.map { URL(fileURLWithPath: $0) }
      ?? repository.deletingLastPathComponent().appendingPathComponent("shared/data/cranfield")
    let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent("documents.jsonl").path)
    return isThere ? Cranfield(folder: folder) : nil
  }()

  static let absence = "the Cranfield collection was not found; set CONCORDANCE_CRANFIELD to its folder"

  /// The recorded measures by settings.
  static func recorded() throws -> [String: [String: Double]] {
    let data = try Data(contentsOf: repository.appendingPathComponent("Benchmarks/effectiveness.json"))
    let all = try JSONSerialization.jsonObject(with: data) as? [String: [String: [String: Double]]]
    return try #require(all?["cranfield"])
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// A database with the documents and an English index on some fields.
  func load(_ fields: [String], into database: Database) throws -> Concordance.Collection {
    let collection = try database.defaultCollection()
    let transfer = try DatabaseImport(into: database, collection: collection)
    for line in try text("documents.jsonl").utf8.split(separator: UInt8(ascii: "\n")) {
      try Array(line).withUnsafeBytes { try transfer.add(line: $0) }
    }
    _ = try transfer.finish()
    try collection.createIndex(
      withName: "search", config: FullTextIndexConfiguration(fields, ignoreAccents: true, language: "en"))
    return collection
  }
}

@Suite struct CranfieldTests {
  /// The tolerance of a measure: another version of ICU or Snowball may change the rank of a few hits.
  private static let tolerance = 0.003

  private static let settings: [(name: String, fields: [String])] = [
    ("one field", ["*"]), ("title, name and text", ["title", "name", "text"]),
  ]

  @Test(.enabled(if: Cranfield.shared != nil, Comment(rawValue: Cranfield.absence)), arguments: settings)
  func effectivenessEqualsTheRecordedValues(name: String, fields: [String]) throws {
    let cranfield = try #require(Cranfield.shared)
    let files = try TemporaryDatabase()
    let collection = try cranfield.load(fields, into: files.database)
    let queries = try EvaluationQuery.parse(cranfield.text("queries.tsv"))
    let judgements = try RelevanceJudgements(parsing: cranfield.text("qrels.txt"))
    let plain = Evaluation(of: try collection.run(queries), by: judgements)
    var request = SearchRequest("")
    request.feedback = RelevanceFeedback()
    let expanded = Evaluation(of: try collection.run(queries, request), by: judgements)

    #expect(plain.queries.count == 225)
    #expect(plain.mean.averagePrecision >= 0.305)
    #expect(plain.mean.normalizedDiscountedCumulativeGain10 >= 0.381)
    #expect(expanded.mean.averagePrecision > plain.mean.averagePrecision)
    let recorded = try Cranfield.recorded()
    for (key, evaluation) in [(name, plain), (name + ", feedback", expanded)] {
      let expected = try #require(recorded[key], "Benchmarks/effectiveness.json has no \"\(key)\"")
      for measure in Effectiveness.measures {
        let value = evaluation.mean[keyPath: measure.value]
        #expect(
          abs(value - (expected[measure.name] ?? -1)) < CranfieldTests.tolerance,
          "\(measure.name) of \(key) is \(value); if the change is intended, update Benchmarks/effectiveness.json")
      }
    }
  }
}
