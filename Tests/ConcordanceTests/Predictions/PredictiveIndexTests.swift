import Concordance
import Foundation
import Testing

/// Indexes that store the outputs of models.
@Suite struct PredictiveIndexTests {
  let files: TemporaryDatabase
  let model = TestModel.ofNumbers()
  let input = Expression.dictionary(["numbers": Expression.property("numbers")])
  let other: Concordance.Collection

  init() throws {
    files = try TemporaryDatabase()
    other = try files.database.createCollection(name: "other")
    try files.save("a", #"{"numbers": [1, 2]}"#)
    try files.save("b", #"{"numbers": [10, 20]}"#)
    try files.save("c", #"{"numbers": []}"#)
    try files.save("d", #"{"other": 1}"#)
  }

  private func query(_ sql: String) throws -> Query {
    try files.database.createQuery(
      sql.replacing("@P", with: "PREDICTION('\(model.name)', {'numbers': numbers})"))
  }

  private func rows(_ sql: String) throws -> [String] { try query(sql).execute().map { $0.toJSON() } }

  private func createIndex(_ properties: [String]? = nil) throws {
    try files.collection.createIndex(
      IndexBuilder.predictiveIndex(model: model.name, input: input, properties: properties), name: "p")
  }

  private static let queries = [
    "SELECT META().id FROM _ WHERE @P.sum = 30", "SELECT @P.sum FROM _ WHERE @P.sum > 1 ORDER BY @P.sum DESC",
    "SELECT @P.all FROM _ WHERE @P.sum > 1 ORDER BY @P.sum", "SELECT @P FROM _ ORDER BY META().id",
    "SELECT @P.large, COUNT(*) AS n FROM _ GROUP BY @P.large ORDER BY @P.large",
    "SELECT META().id FROM _ WHERE @P.large ORDER BY META().id",
    "SELECT META().id FROM _ WHERE @P IS MISSING ORDER BY META().id",
    "SELECT META().id FROM _ WHERE @P.sum IS MISSING ORDER BY META().id",
    "SELECT MIN(@P.sum) AS l, MAX(@P.sum) AS h FROM _",
    "SELECT META().id FROM _ WHERE @P.all = [1, 2]", "SELECT DISTINCT @P.count FROM _ ORDER BY @P.count",
  ]

  @Test(arguments: [nil, [], ["sum"], ["large", "sum"], ["all"], ["count", "all"]] as [[String]?])
  func indexReturnsTheSameRowsWithoutCallingTheModel(properties: [String]?) throws {
    let before = try PredictiveIndexTests.queries.map(rows)
    #expect(before.allSatisfy { !$0.isEmpty })
    _ = model.takeCallCount()
    try createIndex(properties)
    #expect(model.takeCallCount() == 4)
    for (query, expected) in zip(PredictiveIndexTests.queries, before) {
      #expect(try rows(query) == expected, "\(query)")
      #expect(model.takeCallCount() == 0, "\(query)")
    }
    #expect(try files.database.verify() == [])
  }

  @Test func severalIndexesOverOneModelAndInputCallTheModelOncePerSave() throws {
    for (name, property) in [("sums", "sum"), ("counts", "count"), ("sizes", "large")] {
      try files.collection.createIndex(
        IndexBuilder.predictiveIndex(model: model.name, input: input, properties: [property]), name: name)
    }
    _ = model.takeCallCount()
    try files.save("e", #"{"numbers": [3]}"#)
    #expect(model.takeCallCount() == 1)
    try files.save("e", #"{"numbers": [4]}"#)
    #expect(model.takeCallCount() == 1)
    #expect(try rows("SELECT META().id FROM _ WHERE @P.sum = 4 AND @P.count = 1") == [#"{"id":"e"}"#])
    #expect(model.takeCallCount() == 0)
  }

  @Test func valueIndexIsUsedOnlyForItsExpression() throws {
    let prediction = Function.prediction(model: model.name, input: input)
    try files.collection.createIndex(
      IndexBuilder.valueIndex(items: ValueIndexItem.expression(prediction.property("sum"))), name: "v")
    _ = model.takeCallCount()
    #expect(try rows("SELECT META().id FROM _ WHERE @P.sum = 30") == [#"{"id":"b"}"#])
    #expect(model.takeCallCount() == 0)
    #expect(try rows("SELECT META().id FROM _ WHERE @P.sum = 30 AND @P.count = 2") == [#"{"id":"b"}"#])
    #expect(model.takeCallCount() == 1, "for the one document that the index finds")
  }

  @Test func indexIsUpdatedWithDocuments() throws {
    try createIndex(["sum"])
    try files.save("a", #"{"numbers": [7]}"#)
    try files.save("e", #"{"numbers": [30]}"#)
    let b = try #require(try files.collection.document(id: "b"))
    try files.collection.delete(document: b)
    try files.collection.purge(id: "c")
    model.unregister()
    #expect(
      try rows("SELECT META().id, @P.count FROM _ WHERE @P.sum > 0 ORDER BY @P.sum")
        == [#"{"id":"a","count":1}"#, #"{"id":"e","count":1}"#])
    #expect(try files.database.verify() == [])
    #expect(try files.collection.valueIndexDescriptions().map(\.documentCount) == [3])
  }

  @Test func rolledBackBatchLeavesTheIndexUnchanged() throws {
    try createIndex(["sum"])
    struct Stop: Error {}
    model.unregister()
    expectRollback(by: Stop.self) {
      try files.database.inBatch {
        try files.save("a", #"{"numbers": [30]}"#)
        throw Stop()
      }
    }
    #expect(try rows("SELECT META().id FROM _ WHERE @P.sum = 30") == [#"{"id":"b"}"#])
    #expect(try files.collection.valueIndexDescriptions().map(\.isIncomplete) == [false])
  }

  @Test func creatingTheSameIndexAgainDoesNothing() throws {
    try createIndex(["sum"])
    _ = model.takeCallCount()
    try createIndex(["sum"])
    #expect(model.takeCallCount() == 0)
    try createIndex(["count"])
    #expect(model.takeCallCount() == 4)
    #expect(try files.collection.indexes() == ["p"])
    try files.collection.deleteIndex(forName: "p")
    #expect(try files.collection.indexes() == [])
  }

  @Test func explanationReportsTheIndex() throws {
    try createIndex(["sum"])
    let text = try query("SELECT @P.count FROM _ WHERE @P.sum = 30").explain()
    #expect(text.contains(#"value index "p" is searched for PREDICTION('"#), "\(text)")
    #expect(text.contains(#"predictions are read from index "p"; no model is called"#), "\(text)")
    let other = try query("SELECT META().id FROM _ WHERE other = 1").explain()
    #expect(other.contains(#"index "p" is not used: no condition compares PREDICTION("#), "\(other)")
    try createIndex()
    let scan = try query("SELECT @P.count FROM _ WHERE @P.sum = 30").explanation()
    #expect(scan.steps.map(\.access) == [.scan])
    #expect(scan.steps.map(\.predictionIndexes) == [["p"]])
    #expect(scan.steps[0].unusedIndexes == [])
    let unused = try query("SELECT META().id FROM _ WHERE other = 1").explain()
    #expect(
      unused.contains("it contains PREDICTION('\(model.name)', {'numbers': numbers}), which the query does not use"))
  }

  @Test func joinedSourcesReadTheIndex() throws {
    try createIndex()
    try other.save("x", #"{"ref": "b"}"#)
    try other.save("y", #"{"ref": "none"}"#)
    _ = model.takeCallCount()
    let sql = """
      SELECT META(o).id, PREDICTION('\(model.name)', {'numbers': d.numbers}, 'sum') AS s
      FROM other AS o LEFT JOIN _ AS d ON META(d).id = o.ref ORDER BY META(o).id
      """
    #expect(
      try files.database.createQuery(sql).execute().map { $0.toJSON() } == [#"{"id":"x","s":30}"#, #"{"id":"y"}"#])
    #expect(model.takeCallCount() == 1, "of the row that has no document")
  }

  @Test func rowsWithoutADocumentCallTheModel() throws {
    // A model that returns an output for every input, for rows of a LEFT JOIN that lack the document of the second
    // source.
    let length = TestModel { MutableDictionaryObject(data: ["n": $0.string(forKey: "text")?.utf8.count ?? 0]) }
    try files.save("a", #"{"text": "abc"}"#)
    try other.save("x", #"{"ref": "a"}"#)
    try other.save("y", #"{"ref": "none"}"#)
    func rows(_ input: String) throws -> [String] {
      let sql = """
        SELECT META(o).id, PREDICTION('\(length.name)', {'text': \(input)}, 'n') AS n
        FROM other AS o LEFT JOIN _ AS d ON META(d).id = o.ref ORDER BY META(o).id
        """
      return try files.database.createQuery(sql).execute().map { $0.toJSON() }
    }
    for (input, answers) in [("text", [3, 0]), ("'word'", [4, 4])] {
      let expected = [#"{"id":"x","n":\#(answers[0])}"#, #"{"id":"y","n":\#(answers[1])}"#]
      let inQuery = input == "text" ? "d.text" : input
      #expect(try rows(inQuery) == expected)
      for properties in [[], ["n"]] {
        try files.collection.createIndex(
          withName: "l",
          config: PredictiveIndexConfiguration(
            model: length.name, input: "{'text': \(input)}", properties: properties))
        #expect(try rows(inQuery) == expected, "\(input) \(properties)")
      }
    }
  }

  @Test func eachDocumentOfABatchUsesTheRegisteredModel() throws {
    try createIndex(["sum"])
    struct Constant: PredictiveModel {
      func predict(input: DictionaryObject) -> DictionaryObject? { MutableDictionaryObject(data: ["sum": -1]) }
    }
    try files.database.inBatch {
      try files.save("e", #"{"numbers": [7]}"#)
      Database.prediction.registerModel(Constant(), withName: model.name)
      try files.save("f", #"{"numbers": [7]}"#)
    }
    #expect(
      try rows("SELECT META().id, @P.sum AS s FROM _ WHERE META().id >= 'e' ORDER BY META().id")
        == [#"{"id":"e","s":7}"#, #"{"id":"f","s":-1}"#])
  }

  @Test func deletedDocumentsAreNotInTheIndex() throws {
    try createIndex(["sum"])
    let b = try #require(try files.collection.document(id: "b"))
    try files.collection.delete(document: b)
    #expect(try rows("SELECT META().id FROM _ WHERE META().deleted AND @P.sum IS MISSING") == [#"{"id":"b"}"#])
  }

  @Test func indexIsUsedAfterTheFileIsReopened() throws {
    try createIndex(["sum"])
    try files.database.close()
    model.unregister()
    let again = try files.again()
    let sql = "SELECT META().id FROM _ WHERE PREDICTION('\(model.name)', {'numbers': numbers}, 'sum') = 30"
    #expect(try again.createQuery(sql).execute().map { $0.toJSON() } == [#"{"id":"b"}"#])
    #expect(try again.verify() == [])
  }

  @Test func indexIsExported() throws {
    try createIndex(["sum"])
    var lines: [[UInt8]] = []
    try files.database.exportLines { lines.append($0) }
    model.unregister()
    let copy = try TemporaryDatabase()
    let documentImport = try DatabaseImport(into: copy.database)
    for line in lines { try line.withUnsafeBytes { try documentImport.add(line: $0) } }
    _ = try documentImport.finish()
    #expect(try copy.collection.indexes() == ["p"])
    #expect(try copy.collection.valueIndexDescriptions().map(\.isIncomplete) == [true])
    model.register()
    try copy.collection.createIndex(
      IndexBuilder.predictiveIndex(model: model.name, input: input, properties: ["sum"]), name: "p")
    #expect(try copy.collection.valueIndexDescriptions().map(\.isIncomplete) == [false])
    #expect(try copy.collection.valueIndexDescriptions().map(\.documentCount) == [4])
  }
}
