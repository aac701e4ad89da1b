import Concordance
import Foundation
import Testing

/// The command, which has no models, on a file with a predictive index created by a program.
@Suite struct PredictiveIndexTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let index = IndexBuilder.predictiveIndex(
    model: PredictiveIndexTests.model, input: Expression.dictionary(["text": Expression.property("text")]),
    properties: ["length"])
  private static let model = "command-length"
  private static let query =
    "SELECT META().id FROM _ WHERE PREDICTION('\(model)', {'text': text}, 'length') = 3 ORDER BY META().id"

  private struct Length: PredictiveModel {
    func predict(input: DictionaryObject) -> DictionaryObject? {
      MutableDictionaryObject(data: ["length": input.string(forKey: "text")?.count ?? 0])
    }
  }

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.file("corpus.concord"))
    Database.prediction.registerModel(Length(), withName: PredictiveIndexTests.model)
    let collection = try database.defaultCollection()
    try collection.save(document: MutableDocument(id: "a", data: ["text": "abc"]))
    try collection.save(document: MutableDocument(id: "b", data: ["text": "b"]))
    try collection.createIndex(index, name: "lengths")
  }

  private func found() throws -> [String] {
    try database.createQuery(PredictiveIndexTests.query).execute().map { $0.string(at: 0) ?? "" }
  }

  @Test func predictiveIndexServesQueriesOfTheCommand() throws {
    let result = try folder.concord("query", "--format", "jsonl", PredictiveIndexTests.query)
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.output == "{\"id\":\"a\"}\n")
    #expect(
      try folder.concord("explain", PredictiveIndexTests.query).output.contains("value index \"lengths\" is searched"))
    let list = try folder.concord("indexes", "--json")
    #expect(try JSONText(list.output).string("kind") == "predictive")
    #expect(list.messages.isEmpty)
    #expect(try folder.concord("verify").status == 0)
  }

  @Test func programIndexesDocumentsSavedByTheCommand() throws {
    let put = try folder.concord("put", "c", #"{"text": "def"}"#)
    #expect(put.status == 0, "\(put.messages)")
    #expect(try found() == ["a", "c"])
    #expect(try folder.concord("verify").status == 0)
    #expect(try folder.concord("indexes").messages.contains("lacks documents"))
    let query = try folder.concord("query", PredictiveIndexTests.query)
    #expect(query.status == 2)
    #expect(query.messages.contains("there is no model \"command-length\""))
    #expect(try folder.concord("optimize", "--rebuild").status == 0)
    let collection = try database.defaultCollection()
    try collection.createIndex(index, name: "lengths")
    #expect(try folder.concord("query", "--format", "jsonl", PredictiveIndexTests.query).lines.count == 2)
  }

  @Test func exportIncludesThePredictiveIndex() throws {
    let export = try folder.concord("export")
    #expect(export.status == 0, "\(export.messages)")
    try folder.write("e.jsonl", export.output)
    let copy = try folder.concord("import", "-d", "copy.concord", "e.jsonl")
    #expect(copy.status == 0, "\(copy.messages)")
    #expect(
      try JSONText(folder.concord("indexes", "--json", "-d", "copy.concord").output).string("kind") == "predictive")
    // Opening it with the model completes it.
    try Database(path: folder.file("copy.concord")).close()
    #expect(
      try folder.concord("query", "--format", "jsonl", "-d", "copy.concord", PredictiveIndexTests.query).lines.count
        == 1)
  }
}
