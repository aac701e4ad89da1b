import Concordance
import Foundation
import Testing

/// The asynchronous forms of methods that ``AsyncTests`` does not use.
@Suite(.timeLimit(.minutes(10))) struct AsyncCollectionTests {
  struct Note: Codable, Sendable {
    @DocumentID var id: String?
    var text: String
  }

  private let temporary: TemporaryDatabase
  private var notes: Concordance.Collection { temporary.collection }

  init() throws {
    temporary = try TemporaryDatabase()
    try temporary.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try temporary.save("tea", #"{"text": "steep the leaves"}"#)
    try temporary.save("coffee", #"{"text": "grind the beans"}"#)
  }

  @Test func searchesRunAsynchronously() async throws {
    let fused = try await notes.async.search(fusing: [SearchRequest("leaves"), SearchRequest("beans")])
    #expect(Set(fused.map(\.id)) == ["tea", "coffee"])
    #expect(try await notes.async.suggestions(for: "lea").map(\.text) == ["leaves"])
    #expect(try await notes.async.terms(beginningWith: "be").map(\.text) == ["beans"])
    let found = Received<String>()
    let summary = try await notes.async.searchLines(PatternSearchRequest("gr.nd")) { document -> String? in
      var isMatch = false
      try document.forEachLine { _ in
        isMatch = true
        return false
      }
      return isMatch ? document.id : nil
    } deliver: { id in
      found.add(id)
      return true
    }
    #expect(found.all == ["coffee"] && summary.documentCount > 0)
  }

  @Test func documentsAreSavedAndRemovedAsynchronously() async throws {
    let note = Note(id: "milk", text: "warm the milk")
    try await notes.async.save(from: note)
    let read = try #require(try await notes.async.document(id: "milk", as: Note.self))
    #expect(read.id == "milk" && read.text == "warm the milk")
    #expect(try await notes.async.save(from: read, concurrencyControl: .failOnConflict))
    let mine = try #require(try await notes.async.document(id: "tea")).toMutable()
    try temporary.save("tea", #"{"text": "theirs"}"#)
    let isSaved = try await notes.async.save(document: mine) { mine, stored in
      mine.setString((stored?.string(forKey: "text") ?? "") + " and mine", forKey: "text")
      return true
    }
    #expect(try isSaved && notes.document(id: "tea")?.string(forKey: "text") == "theirs and mine")
    let time = Date(timeIntervalSince1970: 4_000_000_000)
    try await notes.async.setDocumentExpiration(id: "tea", expiration: time)
    #expect(try notes.getDocumentExpiration(id: "tea") == time)
    try await notes.async.purge(document: mine)
    #expect(try notes.document(id: "tea") == nil)
  }

  @Test func indexesAreMaintainedAsynchronously() async throws {
    try await notes.async.rebuildIndex(forName: "search")
    try await notes.async.optimizeIndex(forName: "search")
    #expect(try notes.search("leaves").hits.map(\.id) == ["tea"])
    try await notes.async.deleteIndex(forName: "search")
    #expect(try notes.indexes() == [])
  }
}
