import Concordance
import Foundation
import TestSupport
import Testing

/// Documents with the same or nearly the same text.
@Suite struct DuplicateSearchTests {
  private static let text = "The keeper of the lighthouse counts the ships that pass the harbour before it is dark."

  /// Calls `body` with a collection of five copies of one text, of which one is changed, and two other texts.
  private func withCollection(_ body: (Collection) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try Database(path: folder.appendingPathComponent("x.concord").path)
    let collection = try database.defaultCollection()
    let texts = [
      "a": Self.text, "b": Self.text, "c": Self.text.uppercased(), "d": Self.text.replacing("dark", with: "night"),
      "e": "A lighthouse in another story.", "f": "A lighthouse at the end.",
    ]
    for (id, text) in texts {
      try collection.save(document: MutableDocument(id: id, data: ["text": text, "name": id]))
    }
    try collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    try body(collection)
    try database.close()
  }

  @Test func uniqueHitsListTheirDuplicates() throws {
    try withCollection { collection in
      var request = SearchRequest("lighthouse")
      #expect(try collection.search(request).hits.count == 6)
      request.groupsDuplicates = true
      let results = try collection.search(request)
      let groups = results.hits.map { Set([$0.id] + $0.duplicates) }
      #expect(Set(groups) == [["a", "b", "c", "d"], ["e"], ["f"]])
      #expect(results.hits.map(\.rank) == [1, 2, 3] && results.total == .exact(6))
      (request.limit, request.offset) = (1, 1)
      let page = try collection.search(request)
      #expect(page.hits.map(\.id) == [results.hits[1].id] && page.hits[0].rank == 2)
      request.sort = "META().id"
      request.offset = 0
      let sorted = try collection.search(request)
      #expect(sorted.hits.map(\.id) == ["a"] && sorted.hits[0].duplicates == ["b", "c", "d"])
    }
  }

  @Test func combinedSearchesLeaveOutDuplicates() throws {
    try withCollection { collection in
      var request = SearchRequest("lighthouse")
      let requests = [request, SearchRequest("story OR ships", syntax: .fts5)]
      #expect(try collection.search(fusing: requests).count == 6)
      request.groupsDuplicates = true
      let hits = try collection.search(fusing: [request, requests[1]])
      #expect(Set(hits.map { Set([$0.id] + $0.duplicates) }) == [["a", "b", "c", "d"], ["e"], ["f"]])
      #expect(hits.map(\.rank) == [1, 2, 3] && hits.map(\.score) == hits.map(\.score).sorted(by: >))
      #expect(try collection.search(fusing: [request, requests[1]], limit: 1).map(\.id) == [hits[0].id])
      #expect(try collection.search(fusing: [request, requests[1]], limit: 0).isEmpty)
    }
  }

  @Test(.timeLimit(.minutes(10))) func liveSearchesReportNewDuplicates() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try Database(path: folder.appendingPathComponent("x.concord").path)
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", data: ["text": Self.text]))
    try collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    var request = SearchRequest("lighthouse")
    request.groupsDuplicates = true
    var found: [SearchDifference] = []
    for try await result in collection.searchDifferences(request, minimumInterval: .zero) {
      found.append(result)
      // Only the duplicates of the hit change: the other document has a longer text, and a lower score.
      if found.count == 1 {
        try collection.save(document: MutableDocument(id: "b", data: ["text": Self.text + " Every evening."]))
      } else {
        break
      }
    }
    #expect(found.map { $0.results.hits.map(\.id) } == [["a"], ["a"]])
    #expect(found[1].results.hits[0].duplicates == ["b"] && found[1].difference.updates.count == 1)
    try await database.async.close()
  }

  @Test func groupsOfDuplicatesAreAFacet() throws {
    try withCollection { collection in
      var request = SearchRequest("*")
      request.duplicateGroupCount = 5
      request.limit = 2
      let results = try collection.search(request)
      #expect(results.duplicateGroups.map(\.documentIDs) == [["a", "b", "c", "d"]])
      #expect(results.hits.map(\.id) == ["a", "b"] && results.hits.allSatisfy(\.duplicates.isEmpty))
      request.limit = 0
      #expect(try collection.search(request).duplicateGroups.count == 1)
      request.duplicateGroupCount = -1
      request.groupsDuplicates = true
      #expect(throws: CBLError.self) { try collection.search(request) }
    }
  }

  @Test func moreMatchesAreExaminedUntilThePageIsFull() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try Database(path: folder.appendingPathComponent("x.concord").path)
    let collection = try database.defaultCollection()
    try database.inBatch {
      for number in 0..<300 {
        try collection.save(document: MutableDocument(id: "a\(number)", data: ["text": "one harbour"]))
      }
      for number in 0..<3 {
        let text = "harbour " + String(repeating: "word\(number) ", count: 30)
        try collection.save(document: MutableDocument(id: "b\(number)", data: ["text": text]))
      }
    }
    try collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    var request = SearchRequest("harbour")
    request.groupsDuplicates = true
    request.limit = 4
    let results = try collection.search(request)
    #expect(results.hits.count == 4 && results.hits.map(\.duplicates.count).max() == 299)
    try database.close()
  }

  @Test func pageAfterTheComparedMatchesIsFound() throws {
    let files = try TemporaryDatabase()
    let count = SearchRequest.maximumDuplicateCount + 3
    try files.database.inBatch {
      for number in 0..<count { try files.save("a\(number)", #"{"text":"one harbour"}"#) }
    }
    try files.collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["text"]))
    var request = SearchRequest("harbour")
    request.snippetCount = 0
    request.duplicateGroupCount = 1
    request.offset = SearchRequest.maximumDuplicateCount + 1
    let results = try files.collection.search(request)
    #expect(results.hits.map(\.rank) == [request.offset + 1, request.offset + 2])
    #expect(results.total == .exact(count))
    #expect(results.duplicateGroups.map(\.documentIDs.count) == [SearchRequest.maximumDuplicateCount])
  }
}
