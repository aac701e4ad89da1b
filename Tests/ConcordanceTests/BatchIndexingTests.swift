import Concordance
import Testing

/// Large nested batches in a collection with a full-text index and a pattern index, compared with a scan of the
/// documents.
@Suite struct BatchIndexingTests {
  struct Refusal: Error {}

  let files: TemporaryDatabase
  private static let words = ["harbour", "lighthouse", "tide", "anchor", "sail", "rope"]

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
  }

  /// Replaces, inserts and deletes many documents, not in the order of their rows.
  private func change(_ model: inout [String: String], round: Int) throws {
    for number in 0..<400 {
      let id = "d\((number * 7 + round * 31) % 600)"
      if (number + round) % 5 == 0, model[id] != nil {
        let document = try #require(try files.collection.document(id: id))
        try files.collection.delete(document: document)
        model[id] = nil
      } else {
        let words = (0..<20).map { BatchIndexingTests.words[(number * 3 + $0 * round + $0 / 3) % 6] + "x\($0)" }
        let title = (words + [BatchIndexingTests.words[(number + round) % 6]]).joined(separator: " ")
        try files.save(id, "{\"title\":\"\(title)\"}")
        model[id] = title
      }
    }
  }

  private func check(_ model: [String: String]) throws {
    for word in BatchIndexingTests.words {
      let expected = model.filter { $0.value.hasSuffix(" \(word)") }.keys.sorted()
      var request = SearchRequest(word)
      request.limit = 1000
      #expect(try files.collection.search(request).hits.map(\.id).sorted() == expected)
    }
  }

  @Test func nestedBatchesAreIndexed() throws {
    var model: [String: String] = [:]
    for round in 1...4 {
      try files.database.inBatch {
        try change(&model, round: round)
        try check(model)
        var discarded = model
        expectRollback(by: Refusal.self) {
          try files.database.inBatch {
            try change(&discarded, round: round + 10)
            if round % 2 == 0 { try check(discarded) }
            throw Refusal()
          }
        }
        try check(model)
        try files.database.inBatch { try change(&model, round: round + 20) }
      }
      try check(model)
      #expect(try files.database.verify() == [])
    }
    let committed = model
    expectRollback(by: Refusal.self) {
      try files.database.inBatch {
        try change(&model, round: 9)
        throw Refusal()
      }
    }
    try check(committed)
    #expect(try files.database.verify() == [])
  }
}
