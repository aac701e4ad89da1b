import Concordance
import Foundation
import Testing

/// Full-text indexes over the documents that satisfy a condition.
@Suite struct PartialFullTextIndexTests {
  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  private func createIndex(where condition: String = "type = 'hotel'") throws {
    try files.collection.createIndex(
      withName: "text", config: FullTextIndexConfiguration(["title"], where: condition))
  }

  private func matched(_ query: String) throws -> [String] {
    try files.database.createQuery("SELECT META().id FROM _ WHERE MATCH(text, '\(query)') ORDER BY META().id")
      .execute().compactMap { $0.string(at: 0) }
  }

  private func saveSome() throws {
    try files.save("a", #"{"type": "hotel", "title": "pear house"}"#)
    try files.save("b", #"{"type": "bar", "title": "pear bar"}"#)
    try files.save("c", #"{"type": "hotel", "title": "apple house"}"#)
    try files.save("d", #"{"title": "pear"}"#)
  }

  @Test(arguments: [false, true]) func onlyDocumentsThatSatisfyTheConditionAreFound(isFilledLater: Bool) throws {
    if !isFilledLater { try createIndex() }
    try saveSome()
    if isFilledLater { try createIndex() }
    #expect(try matched("pear") == ["a"])
    #expect(try files.found("pear") == ["a"])
    #expect(try matched("house") == ["a", "c"])
    #expect(try files.collection.indexDescriptions().first?.documentCount == 2)
    #expect(try files.database.verify() == [])
  }

  @Test func documentsEnterAndLeaveTheIndexAsTheyChange() throws {
    try createIndex()
    try saveSome()
    try files.save("a", #"{"type": "bar", "title": "pear house"}"#)
    try files.save("b", #"{"type": "hotel", "title": "pear bar"}"#)
    #expect(try matched("pear") == ["b"])
    try files.save("a", #"{"type": "bar", "title": "plum"}"#)
    for id in ["a", "b"] { try files.collection.delete(document: #require(try files.collection.document(id: id))) }
    try files.collection.purge(id: "d")
    try files.save("b", #"{"type": "hotel", "title": "pear again"}"#)
    #expect(try matched("pear") == ["b"])
    #expect(try files.database.verify() == [])
  }

  @Test func importedDocumentsAreFiltered() throws {
    try createIndex()
    let importer = try DocumentImporter(into: files.collection)
    for (id, type) in [("a", "hotel"), ("b", "bar")] {
      try importer.add(id: id, json: Array("{\"type\": \"\(type)\", \"title\": \"pear\"}".utf8))
    }
    _ = try importer.finish()
    #expect(try matched("pear") == ["a"])
    #expect(try files.database.verify() == [])
  }

  @Test func definitionIsStored() throws {
    try createIndex()
    let description = try #require(try files.collection.indexDescriptions().first)
    #expect(description.configuration.where == "type = 'hotel'")
    let coded = try JSONDecoder().decode(
      FullTextIndexConfiguration.self, from: JSONEncoder().encode(description.configuration))
    #expect(coded == description.configuration)
    try saveSome()
    let again = try files.again().defaultCollection()
    try again.createIndex(withName: "text", config: description.configuration)
    try again.rebuildIndex(forName: "text")
    #expect(try again.search("pear").hits.map(\.id) == ["a"])
  }

  @Test func changedConditionRebuildsTheIndex() throws {
    try createIndex()
    try saveSome()
    try createIndex(where: "type = 'bar'")
    #expect(try matched("pear") == ["b"])
    try createIndex(where: "META().id > 'b'")
    #expect(try matched("pear") == ["d"])
    #expect(try files.database.verify() == [])
  }

  @Test(arguments: [
    "type = $type", "MATCH(text, 'x')", "PREDICTION('m', {'a': a}) = 1", "COUNT(*) > 1", "META().sequence > 1",
    "type =",
  ])
  func conditionsWhoseResultMayChangeAreRefused(condition: String) {
    expectError(CBLError.invalidQuery) { try createIndex(where: condition) }
  }
}
