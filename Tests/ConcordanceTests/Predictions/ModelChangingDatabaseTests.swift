import Concordance
import Foundation
import Testing

/// Models that change the database, which is an error if they are called inside a write transaction.
@Suite struct ModelChangingDatabaseTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.save("a", #"{"n": 1}"#)
  }

  /// A model that calls `change` first and returns the error message, or "done".
  private func model(_ change: @escaping @Sendable () throws -> Void) -> TestModel {
    TestModel { input in
      let message: String
      do {
        try change()
        message = "done"
      } catch let error as CBLError {
        message = error.code == CBLError.transactionNotClosed ? error.message : "\(error)"
      } catch {
        message = "\(error)"
      }
      return MutableDictionaryObject(data: ["n": input.int(forKey: "n"), "message": message])
    }
  }

  private func rows(_ model: TestModel) throws -> [String] {
    let sql = "SELECT META().id, PREDICTION('\(model.name)', {'n': n}) AS p FROM _ WHERE n IS VALUED ORDER BY META().id"
    return try files.database.createQuery(sql).execute().map { row in
      let output = row.dictionary(forKey: "p")
      return "\(row.string(at: 0) ?? "") \(output?.int(forKey: "n") ?? 0) \(output?.string(forKey: "message") ?? "")"
    }
  }

  private static let refusal =
    "a model or map function that is called in a write transaction must not change the database; change it later"

  private func config(_ model: TestModel) -> PredictiveIndexConfiguration {
    PredictiveIndexConfiguration(model: model.name, input: "{'n': n}", properties: ["n"])
  }

  @Test func savingWhileADocumentIsSaved() throws {
    let collection = files.collection
    let saver = model { try collection.save("log", #"{"n": 5}"#) }
    try collection.createIndex(withName: "p", config: config(saver))
    try files.save("b", #"{"n": 2}"#)
    #expect(try collection.document(id: "log") == nil)
    #expect(
      try rows(saver) == ["a 1 \(ModelChangingDatabaseTests.refusal)", "b 2 \(ModelChangingDatabaseTests.refusal)"])
    #expect(try files.database.verify() == [])
    // The database can be changed as before.
    try files.save("c", "{}")
    #expect(collection.count == 3)
  }

  @Test func batchesIndexesAndDeletions() throws {
    let (database, collection) = (files.database, files.collection)
    let changer = model {
      for change in [
        { try database.inBatch {} }, { try collection.deleteIndex(forName: "p") }, { try collection.purge(id: "a") },
        { try collection.createIndex(withName: "q", config: ValueIndexConfiguration(["n"])) },
      ] as [() throws -> Void] {
        let error = #expect(throws: CBLError.self) { try change() }
        #expect(error?.message == ModelChangingDatabaseTests.refusal)
      }
    }
    try collection.createIndex(withName: "p", config: config(changer))
    try files.save("b", #"{"n": 2}"#)
    #expect(try rows(changer) == ["a 1 done", "b 2 done"])
    #expect(try collection.indexes() == ["p"])
  }

  @Test func queriesOfABatch() throws {
    let collection = files.collection
    let saver = model { try collection.save("log", "{}") }
    try files.database.inBatch {
      #expect(try rows(saver) == ["a 1 \(ModelChangingDatabaseTests.refusal)"])
      try files.save("b", "{}")
    }
    #expect(collection.count == 2)
  }
}
