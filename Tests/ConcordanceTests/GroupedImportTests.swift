import Concordance
import Foundation
import TestSupport
import Testing

/// Imports save new documents in groups. The result must be the same as if they were saved one by one.
@Suite struct GroupedImportTests {
  private let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  /// The documents that imports should have stored, and the ids of those that were refused.
  private struct Model {
    var stored: [String: String] = [:]
    var refused: [String] = []
    private var saved: Set<String> = []

    mutating func beginImport() { saved = [] }

    mutating func add(_ id: String, _ alternateID: String?, _ word: String) {
      guard let free = ([id] + (alternateID.map { [$0] } ?? [])).first(where: { !saved.contains($0) }) else {
        return refused.append(id)
      }
      saved.insert(free)
      stored[free] = word
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func randomImportsAreTheSameAsSingleSaves(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["word"]))
    try files.collection.createIndex(withName: "value", config: ValueIndexConfiguration(["word"]))
    try files.collection.createIndex(withName: "pattern", config: PatternIndexConfiguration(["word"]))
    var model = Model()
    for _ in 0..<3 {
      model.beginImport()
      let importer = try DocumentImporter(into: files.collection)
      // From only new documents to mostly documents that exist.
      let idCount = [300, 5_000, 50_000, 1_000_000].randomElement(using: &random) ?? 300
      for _ in 0..<500 {
        let id = "\(Int.random(in: 0..<idCount, using: &random))"
        let alternateID = Bool.random(using: &random) ? "\(Int.random(in: 0..<idCount, using: &random))" : nil
        let word = "w\(Int.random(in: 0..<20, using: &random))"
        try importer.add(id: id, alternateID: alternateID, json: Array("{\"word\":\"\(word)\"}".utf8))
        model.add(id, alternateID, word)
      }
      let summary = try importer.finish()
      #expect(summary.refusedCount == model.refused.count)
      #expect(summary.refusals.map(\.id) == Array(model.refused.prefix(100)))
      model.refused = []
      // Tombstones among the next documents.
      for id in model.stored.keys.sorted().prefix(20) {
        if let document = try files.collection.document(id: id) { try files.collection.delete(document: document) }
        model.stored[id] = nil
      }
    }
    var stored: [String: String] = [:]
    try files.collection.forEachDocument { document in
      stored[document.id] = document.string(forKey: "word")
      return true
    }
    #expect(stored == model.stored)
    #expect(files.collection.count == UInt64(stored.count))
    for word in Set(stored.values) {
      let count = stored.values.count { $0 == word }
      #expect(try files.collection.count(matching: SearchRequest(word, syntax: .fts5)) == count)
      let query = try files.database.createQuery("SELECT count(*) AS n FROM _ WHERE word = '\(word)'")
      #expect(try query.execute().allResults().first?.int(forKey: "n") == count)
    }
    #expect(try files.database.verify() == [])
  }

  @Test func documentsWithBlobsAreSavedBetweenGroups() throws {
    let blob = Blob(contentType: "text/plain", data: Data("content".utf8))
    try files.database.saveBlob(blob: blob)
    let digest = try #require(blob.digest)
    let importer = try DocumentImporter(into: files.collection)
    for number in 0..<300 {
      let reference = number % 100 == 50 ? digest : "sha1-unknown"
      let attached = number % 50 == 0 ? #","a":{"@type":"blob","digest":"\#(reference)","length":7}"# : ""
      try importer.add(id: "\(number)", json: Array("{\"n\":\(number)\(attached)}".utf8))
    }
    let summary = try importer.finish()
    #expect(summary.savedCount == 297 && summary.refusals.map(\.id) == ["0", "100", "200"])
    #expect(try files.collection.document(id: "50")?.blob(forKey: "a")?.content == Data("content".utf8))
  }
}
