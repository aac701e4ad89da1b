import Concordance
import Foundation
import Testing

/// Indexes whose model is not registered when a document is saved. They never make a query return wrong rows.
@Suite struct IncompleteIndexTests {
  let files: TemporaryDatabase
  let model = TestModel.ofNumbers()

  init() throws {
    files = try TemporaryDatabase()
    try files.save("a", #"{"numbers": [1, 2]}"#)
    try files.save("b", #"{"numbers": [10, 20]}"#)
  }

  private var config: PredictiveIndexConfiguration {
    PredictiveIndexConfiguration(model: model.name, input: "{'numbers': numbers}", properties: ["sum"])
  }

  private func found(_ sum: Int, in database: Database? = nil) throws -> [String] {
    let sql =
      "SELECT META().id FROM _ WHERE PREDICTION('\(model.name)', {'numbers': numbers}, 'sum') = \(sum) ORDER BY META().id"
    return try (database ?? files.database).createQuery(sql).execute().map { $0.string(at: 0) ?? "" }
  }

  private var isIncomplete: [Bool] {
    get throws { try files.collection.valueIndexDescriptions().map(\.isIncomplete) }
  }

  @Test func creatingTheIndexRequiresTheModel() throws {
    model.unregister()
    expectError(CBLError.invalidQuery, "there is no model \"\(model.name)\"") {
      try files.collection.createIndex(withName: "p", config: config)
    }
    #expect(try files.collection.indexes() == [])
  }

  @Test func documentsCanBeSavedWithoutTheModel() throws {
    try files.collection.createIndex(withName: "p", config: config)
    model.unregister()
    try files.save("a", #"{"numbers": [30]}"#)
    #expect(try isIncomplete == [true])
    expectError(CBLError.invalidQuery, "there is no model") { _ = try found(30) }
    #expect(try files.database.verify() == [])
    model.register()
    #expect(try found(30) == ["a", "b"])
    #expect(try found(3) == [])
    let text = try files.database.createQuery("SELECT 1 AS x FROM _").explain()
    #expect(text.contains(#"index "p" is not used: it lacks documents"#), "\(text)")
    _ = model.takeCallCount()
    try files.collection.createIndex(withName: "p", config: config)
    #expect(model.takeCallCount() == 1, "the other document is in it")
    #expect(try isIncomplete == [false])
    #expect(try found(30) == ["a", "b"])
    #expect(model.takeCallCount() == 0)
    #expect(try files.database.verify() == [])
  }

  @Test func incompleteIndexIsNotUsedInsideABatch() throws {
    try files.collection.createIndex(withName: "p", config: config)
    #expect(try found(30) == ["b"])
    try files.database.inBatch {
      model.unregister()
      try files.save("c", #"{"numbers": [30]}"#)
      model.register()
      #expect(try found(30) == ["b", "c"])
    }
    #expect(try found(30) == ["b", "c"])
  }

  @Test func nonObjectInputIsNotIndexed() throws {
    let sql = "SELECT META().id FROM _ WHERE PREDICTION('\(model.name)', input, 'sum') = 3"
    try files.save("a", #"{"input": {"numbers": [1, 2]}}"#)
    try files.collection.createIndex(
      withName: "v", config: ValueIndexConfiguration(["PREDICTION('\(model.name)', input, 'sum')"]))
    #expect(try files.database.createQuery(sql).execute().allResults().count == 1)
    try files.save("b", #"{"input": "text"}"#)
    expectError(CBLError.invalidQuery, "must be an object") { _ = try files.database.createQuery(sql).execute() }
    try files.save("b", #"{"input": {}}"#)
    try files.collection.rebuildIndex(forName: "v")
    #expect(try files.database.createQuery(sql).execute().allResults().count == 1)
    #expect(try isIncomplete == [false])
  }

  @Test func openingCompletesTheIndex() throws {
    try files.collection.createIndex(withName: "p", config: config)
    model.unregister()
    try files.save("c", #"{"numbers": [30]}"#)
    // The file also opens without the model.
    #expect(try files.again().defaultCollection().valueIndexDescriptions().map(\.isIncomplete) == [true])
    model.register()
    let again = try files.again()
    #expect(try again.defaultCollection().valueIndexDescriptions().map(\.isIncomplete) == [false])
    #expect(try found(30, in: again) == ["b", "c"])
    #expect(try found(30) == ["b", "c"], "the other object sees it")
  }

  @Test func openingLeavesTheIndexIncompleteIfThePredictionFails() throws {
    try files.collection.createIndex(
      withName: "v", config: ValueIndexConfiguration(["PREDICTION('\(model.name)', numbers, 'sum')"], where: "x = 1"))
    try files.save("c", #"{"x": 1, "numbers": [1]}"#)
    #expect(try isIncomplete == [true])
    #expect(try files.again().defaultCollection().valueIndexDescriptions().map(\.isIncomplete) == [true])
    let c = try #require(try files.collection.document(id: "c"))
    try files.collection.delete(document: c)
    #expect(try files.again().defaultCollection().valueIndexDescriptions().map(\.isIncomplete) == [false])
  }

  @Test func reindexingWithoutTheModelLeavesTheIndexUnchanged() throws {
    try files.collection.createIndex(withName: "p", config: config)
    try files.collection.createIndex(withName: "numbers", config: ValueIndexConfiguration(["numbers"]))
    model.unregister()
    try files.database.performMaintenance(type: .reindex)
    #expect(try found(30) == ["b"])
    expectError(CBLError.invalidQuery, "there is no model") { try files.collection.rebuildIndex(forName: "p") }
    #expect(try found(30) == ["b"], "it stays as it was")
  }

  @Test func reindexingLeavesTheIndexIncompleteIfThePredictionFails() throws {
    try files.save("a", #"{"input": {"numbers": [1]}}"#)
    try files.collection.createIndex(
      withName: "v", config: ValueIndexConfiguration(["PREDICTION('\(model.name)', input, 'sum')"]))
    try files.save("b", #"{"input": "text"}"#)
    try files.collection.createIndex(withName: "w", config: ValueIndexConfiguration(["numbers"]))
    try files.database.performMaintenance(type: .reindex)
    #expect(try isIncomplete == [true, false])
    #expect(try files.database.verify() == [])
    expectError(CBLError.invalidQuery, "must be an object") { try files.collection.rebuildIndex(forName: "v") }
  }

  @Test func deletedDocumentsNeedNoModel() throws {
    try files.collection.createIndex(withName: "p", config: config)
    model.unregister()
    let b = try #require(try files.collection.document(id: "b"))
    try files.collection.delete(document: b)
    try files.collection.purge(id: "a")
    #expect(try isIncomplete == [false])
    #expect(try found(30) == [])
    #expect(try files.database.verify() == [])
  }

  @Test func modelNameInADefinitionMustBeConstant() {
    expectError(CBLError.invalidQuery, "the name of the model is not a constant") {
      try files.collection.createIndex(
        withName: "v", config: ValueIndexConfiguration(["PREDICTION(name, {'numbers': numbers})"]))
    }
  }
}
