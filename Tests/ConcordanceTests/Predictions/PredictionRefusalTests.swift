import Concordance
import Foundation
import Testing

/// Invalid models, inputs and outputs are errors with a specific message.
@Suite struct PredictionRefusalTests {
  let files: TemporaryDatabase
  let model = TestModel.ofNumbers()

  init() throws {
    files = try TemporaryDatabase()
    try files.save("a", #"{"numbers": [1, 2], "text": "x", "nothing": null}"#)
  }

  private func rows(_ sql: String) throws -> [String] {
    try files.database.createQuery(sql.replacing("MODEL", with: "'\(model.name)'")).execute().map { $0.toJSON() }
  }

  @Test func modelThatIsNotRegistered() throws {
    let query = try files.database.createQuery(
      "SELECT PREDICTION('\(model.name)', {'numbers': numbers}, 'sum') AS s FROM _")
    #expect(try query.execute().allResults().count == 1)
    model.unregister()
    expectError(CBLError.invalidQuery, "there is no model \"\(model.name)\" for PREDICTION; register it first") {
      _ = try query.execute()
    }
    model.register()
    #expect(try query.execute().map { $0.toJSON() } == [#"{"s":3}"#])
  }

  @Test func newModelReplacesOldModel() throws {
    let query = "SELECT PREDICTION(MODEL, {'numbers': numbers}, 'sum') AS s FROM _"
    #expect(try rows(query) == [#"{"s":3}"#])
    struct Constant: PredictiveModel {
      func predict(input: DictionaryObject) -> DictionaryObject? { MutableDictionaryObject(data: ["sum": -1]) }
    }
    Database.prediction.registerModel(Constant(), withName: model.name)
    #expect(try rows(query) == [#"{"s":-1}"#])
  }

  @Test(arguments: ["text", "1", "numbers", "TRUE"])
  func nonObjectInput(input: String) {
    expectError(CBLError.invalidQuery, "must be an object, not") {
      _ = try rows("SELECT PREDICTION(MODEL, \(input)) FROM _")
    }
  }

  @Test(arguments: ["absent", "nothing", "NULL", "MISSING"])
  func nullOrMissingInput(input: String) throws {
    #expect(try rows("SELECT PREDICTION(MODEL, \(input)) AS p FROM _") == ["{}"])
    #expect(model.takeCallCount() == 0)
  }

  @Test func nonConstantProperty() {
    expectError(CBLError.invalidQuery, "the third argument of PREDICTION") {
      _ = try rows("SELECT PREDICTION(MODEL, {'numbers': numbers}, text) FROM _")
    }
    expectError(CBLError.invalidQuery, "the property of PREDICTION is not a property path \"a[\"") {
      _ = try rows("SELECT PREDICTION(MODEL, {'numbers': numbers}, 'a[') FROM _")
    }
  }

  @Test func nonStringName() {
    expectError(CBLError.invalidQuery, "the first argument of PREDICTION must be the name of a model, not 1") {
      _ = try rows("SELECT PREDICTION(1, {'numbers': numbers}) FROM _")
    }
  }

  @Test func outputThatJSONCannotRepresent() {
    let odd = TestModel { _ in MutableDictionaryObject(data: ["x": ["y": Double.nan]]) }
    expectError(CBLError.invalidQuery, "the output of the model \"\(odd.name)\" (x.y) contains the number nan") {
      _ = try rows("SELECT PREDICTION('\(odd.name)', {}) FROM _")
    }
  }
}
