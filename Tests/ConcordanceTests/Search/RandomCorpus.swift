import Concordance
import Foundation
import TestSupport

/// Documents of random words with properties of every type, and the same as plain values for slow comparisons.
struct RandomCorpus: Sendable {
  /// The contents of a document.
  struct Entry: Sendable {
    var id: String
    var words: [String]
    var price: Double?
    var kind: FacetValue?
    var tags: [FacetValue]
    var authors: [String]

    /// The values at the path of a facet.
    func values(_ path: String) -> Set<FacetValue> {
      switch path {
      case "kind": Set([kind].compactMap { $0 })
      case "tags", "tags[]": Set(tags)
      case "price": Set([price].compactMap { $0 }.map { $0 == $0.rounded() ? .integer(Int64($0)) : .double($0) })
      default: Set(authors.map { .string($0) })
      }
    }

    fileprivate var json: String {
      var members = ["\"text\":\"\(words.joined(separator: " "))\""]
      if let price { members.append("\"price\":\(price)") }
      if let kind { members.append("\"kind\":\(RandomCorpus.json(kind))") } else { members.append("\"kind\":null") }
      members.append("\"tags\":[\((tags + tags.prefix(1)).map(RandomCorpus.json).joined(separator: ","))]")
      let reviews = authors.map { "{\"stars\":[1,2],\"author\":\"\($0)\"}" } + ["{\"author\":{}}", "7"]
      members.append("\"reviews\":[\(reviews.joined(separator: ", "))]")
      return "{\(members.joined(separator: ","))}"
    }
  }

  let files: TemporaryDatabase
  let entries: [String: Entry]

  var collection: Concordance.Collection { files.collection }

  private static let words = ["common", "usual", "often", "seldom", "rare", "word", "other", "third"]
  private static let kinds: [FacetValue] = ["hotel", "bar", "b\\\"ö\\u0041", 1, 2.5, true, false, "true", "1"]

  /// - Parameter count: the number of documents.
  init(seed: UInt64, count: Int) throws {
    var random = SeededGenerator(seed: seed)
    files = try TemporaryDatabase()
    var entries: [String: Entry] = [:]
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    let importer = try DocumentImporter(into: files.collection)
    for number in 0..<count {
      let words = (0..<Int.random(in: 1...12, using: &random)).map { _ -> String in
        RandomCorpus.words[min(Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random))]
      }
      var entry = Entry(id: "d\(number)", words: words, tags: [], authors: [])
      if Bool.random(using: &random) { entry.price = Double(Int.random(in: 0..<400, using: &random)) / 4 }
      entry.kind = Int.random(in: 0..<10, using: &random) == 0 ? nil : RandomCorpus.kinds.randomElement(using: &random)
      entry.tags = (0..<Int.random(in: 0..<4, using: &random)).compactMap { _ in
        RandomCorpus.kinds.randomElement(using: &random)
      }
      entry.authors = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        "author \(Int.random(in: 0..<30, using: &random))"
      }
      try importer.add(id: entry.id, json: Array(entry.json.utf8))
      entry.kind = entry.kind.map(RandomCorpus.read)
      entry.tags = entry.tags.map(RandomCorpus.read)
      entries[entry.id] = entry
    }
    _ = try importer.finish()
    self.entries = entries
  }

  private static func json(_ value: FacetValue) -> String {
    if case .string(let text) = value { "\"\(text)\"" } else { "\(value)" }
  }

  /// The value without the escapes of JSON.
  private static func read(_ value: FacetValue) -> FacetValue {
    value == "b\\\"ö\\u0041" ? "b\"öA" : value
  }

  /// All hits of a search without filters, the best first.
  func ranked(_ query: String) throws -> [SearchHit] {
    var request = SearchRequest(query)
    request.limit = 1_000_000
    request.snippetCount = 0
    return try collection.search(request).hits
  }
}
