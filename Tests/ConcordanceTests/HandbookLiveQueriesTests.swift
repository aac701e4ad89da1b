import Concordance
import Foundation
import Testing

/// The Swift examples of the handbook's page on live queries, compiled and run. An architecture test looks for every
/// code block of the page in this file.
@Suite(.timeLimit(.minutes(10))) struct HandbookLiveQueriesTests {
  private let files: TemporaryDatabase
  private let hotels: Concordance.Collection
  private let queue = DispatchQueue(label: "listeners")
  private let lines = Received<String>()

  init() throws {
    files = try TemporaryDatabase()
    hotels = try files.database.createCollection(name: "hotels")
    try hotels.createIndex(withName: "text", config: FullTextIndexConfiguration(["name"]))
    try hotels.save(document: MutableDocument(id: "h1", data: ["name": "Ghia", "stars": 4]))
  }

  private func print(_ values: Any...) { lines.add(values.map { "\($0)" }.joined(separator: " ")) }

  @Test func listeners() throws {
    let database = files.database
    let query = try database.createQuery("SELECT name FROM hotels WHERE stars >= 4 ORDER BY name")
    let token = query.addChangeListener(withQueue: queue) { change in
      if let error = change.error { return print(error) }
      print(change.results?.allResults().map { $0.string(forKey: "name") ?? "" } ?? [])  // ["Ghia"], ["Astra", "Ghia"]
    }
    lines.wait(for: #"["Ghia"]"#)
    try hotels.save(document: MutableDocument(id: "h2", data: ["name": "Astra", "stars": 5]))
    lines.wait(for: #"["Astra", "Ghia"]"#)
    token.remove()
    #expect(lines.all.count == 2)
  }

  @Test func sequences() async throws {
    let database = files.database
    try hotels.save(document: MutableDocument(id: "h2", data: ["name": "Astra", "stars": 5]))
    let query = try database.createQuery("SELECT name FROM hotels WHERE stars >= 4 ORDER BY name")
    for try await rows in query.changes() {
      print(rows.count)  // 2
      break
    }
    var lines: [String] = []
    for try await change in query.differences() {
      change.difference.apply(to: &lines) { change.results[$0]["name"]?.string ?? "" }
      print(lines, change.difference.insertions)  // ["Astra", "Ghia"] [0, 1]
      break
    }
    for try await results in hotels.searchChanges(SearchRequest("ghia")) {
      print(results.hits.map(\.id))  // ["h1"]
      break
    }
    #expect(self.lines.all == ["2", #"["Astra", "Ghia"] [0, 1]"#, #"["h1"]"#])
  }
}
