import Concordance
import Foundation
import Testing

/// Queries that call models.
@Suite struct PredictionQueryTests {
  let files: TemporaryDatabase
  let model = TestModel.ofNumbers()
  let input = Expression.dictionary(["numbers": Expression.property("numbers")])

  init() throws {
    files = try TemporaryDatabase()
    try files.save("a", #"{"numbers": [1, 2]}"#)
    try files.save("b", #"{"numbers": [10, 20]}"#)
    try files.save("c", #"{"numbers": []}"#)
    try files.save("d", #"{"other": 1}"#)
  }

  private func rows(_ sql: String) throws -> [String] {
    try files.database.createQuery(sql.replacing("MODEL", with: "'\(model.name)'")).execute().map { $0.toJSON() }
  }

  @Test func outputIsAnObjectAndNilIsMissing() throws {
    let prediction = Function.prediction(model: model.name, input: input)
    let query = QueryBuilder.select(SelectResult.expression(Meta.id), SelectResult.expression(prediction).as("p"))
      .from(DataSource.collection(files.collection)).orderBy(Ordering.expression(Meta.id))
    let results = try query.execute().allResults()
    #expect(results.map { $0.string(forKey: "id") } == ["a", "b", "c", "d"])
    #expect(results[0].dictionary(forKey: "p")?.int(forKey: "sum") == 3)
    #expect(results.map { $0.contains(key: "p") } == [true, true, false, false])
    let missing = QueryBuilder.select(SelectResult.expression(Meta.id))
      .from(DataSource.collection(files.collection)).where(prediction.isNotValued())
      .orderBy(Ordering.expression(Meta.id))
    #expect(try missing.execute().map { $0.string(at: 0) } == ["c", "d"])
  }

  @Test(arguments: [
    "PREDICTION(MODEL, {'numbers': numbers}, 'nested.list[0].sum')",
    "PREDICTION(MODEL, {'numbers': numbers}).nested.list[0].sum",
    "PREDICTION(MODEL, {'numbers': numbers}, 'nested').list[0].sum",
    "PREDICTION(MODEL, {'numbers': numbers}, '.nested.list[0].sum')",
    "PREDICTION(MODEL, {'numbers': numbers}, '.nested').list[0].sum",
  ])
  func propertyIsAPath(expression: String) throws {
    #expect(
      try rows("SELECT \(expression) AS x FROM _ WHERE \(expression) > 0 ORDER BY x") == [#"{"x":3}"#, #"{"x":30}"#])
  }

  @Test func modelIsCalledOncePerRow() throws {
    let query = """
      SELECT PREDICTION(MODEL, {'numbers': numbers}, 'sum') AS s, PREDICTION(MODEL, {'numbers': numbers}).count AS n
      FROM _ WHERE PREDICTION(MODEL, {'numbers': numbers}, 'sum') > 1 AND PREDICTION(MODEL, {'numbers': numbers}, 'large')
      """
    _ = model.takeCallCount()
    #expect(try rows(query) == [#"{"s":30,"n":2}"#])
    #expect(model.takeCallCount() == 4)
    // Another run calls the model again.
    _ = try rows(query)
    #expect(model.takeCallCount() == 4)
  }

  @Test func jsonFormAndTextOfTheBuilderAreTheSameQuery() throws {
    let prediction = Function.prediction(model: model.name, input: input)
    let built = QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(files.collection))
      .where(prediction.property("sum").equalTo(Expression.int(30)))
    let json = """
      {"WHAT": [["._id"]], "WHERE": ["=", ["PREDICTION()", "\(model.name)", {"numbers": [".numbers"]}, "sum"], 30]}
      """
    for query in [built, try files.database.createQuery("\(built)"), try files.database.createQuery(json: json)] {
      #expect(try query.execute().map { $0.string(at: 0) } == ["b"], "\(query)")
    }
  }

  @Test func leadingDotIsAllowedAsInCouchbaseLite() throws {
    try files.collection.createIndex(
      IndexBuilder.predictiveIndex(model: model.name, input: input, properties: [".sum"]), name: "p")
    let config = PredictiveIndexConfiguration(model: model.name, input: "{'numbers': numbers}", properties: ["sum"])
    _ = model.takeCallCount()
    try files.collection.createIndex(withName: "p", config: config)
    let json = """
      {"WHAT": [["._id"]], "WHERE": ["=", ["PREDICTION()", "\(model.name)", {"numbers": [".numbers"]}, ".sum"], 30]}
      """
    let built = QueryBuilder.select(SelectResult.expression(Meta.id)).from(DataSource.collection(files.collection))
      .where(Function.prediction(model: model.name, input: input).property(".sum").equalTo(Expression.int(30)))
    for query in [built, try files.database.createQuery(json: json)] {
      #expect(try query.execute().map { $0.string(at: 0) } == ["b"], "\(query)")
    }
    #expect(model.takeCallCount() == 0, "the same index serves both")
  }

  @Test func groupByAndOrderByCallTheModel() throws {
    #expect(
      try rows(
        "SELECT PREDICTION(MODEL, {'numbers': numbers}, 'large') AS l, COUNT(*) AS n FROM _ GROUP BY l ORDER BY l")
        == [#"{"n":2}"#, #"{"l":false,"n":1}"#, #"{"l":true,"n":1}"#])
    #expect(
      try rows("SELECT META().id FROM _ ORDER BY PREDICTION(MODEL, {'numbers': numbers}, 'sum') DESC LIMIT 1")
        == [#"{"id":"b"}"#])
  }

  @Test func parametersAreInputs() throws {
    let query = try files.database.createQuery(
      "SELECT PREDICTION('\(model.name)', {'numbers': $numbers}, 'sum') AS s FROM _ LIMIT 1")
    query.parameters = Parameters().setArray(MutableArrayObject(data: [4, 5]), forName: "numbers")
    #expect(try query.execute().map { $0.toJSON() } == [#"{"s":9}"#])
  }

  @Test func blobsReachTheModel() throws {
    let reader = TestModel { input in
      guard let content = input.dictionary(forKey: "inner")?.blob(forKey: "file")?.content else { return nil }
      return MutableDictionaryObject(data: ["length": content.count])
    }
    let document = MutableDocument(id: "blob")
    document.setBlob(Blob(contentType: "text/plain", data: Data(repeating: 7, count: 600_000)), forKey: "file")
    try files.collection.save(document: document)
    let sql =
      "SELECT PREDICTION('\(reader.name)', {'inner': {'file': file}}, 'length') AS n FROM _ WHERE file IS VALUED"
    #expect(try files.database.createQuery(sql).execute().map { $0.toJSON() } == [#"{"n":600000}"#])
    // Also in the transaction that stores the blob, before it is committed.
    try files.database.inBatch {
      let other = MutableDocument(id: "other")
      other.setBlob(Blob(contentType: "text/plain", data: Data(repeating: 8, count: 5)), forKey: "file")
      try files.collection.save(document: other)
      #expect(try files.database.createQuery(sql).execute().map { $0.toJSON() } == [#"{"n":600000}"#, #"{"n":5}"#])
    }
  }

  @Test func blobsOfParametersReachTheModel() throws {
    let reader = TestModel { input in
      input.blob(forKey: "file")?.content.map {
        MutableDictionaryObject(data: ["text": String(decoding: $0, as: UTF8.self)])
      }
    }
    let query = try files.database.createQuery(
      "SELECT PREDICTION('\(reader.name)', {'file': $file}, 'text') AS t FROM _ LIMIT 1")
    for text in ["one", "two"] {
      query.parameters = Parameters().setBlob(Blob(contentType: "text/plain", data: Data(text.utf8)), forName: "file")
      #expect(try query.execute().map { $0.toJSON() } == [#"{"t":"\#(text)"}"#])
    }
  }

  @Test func blobsOfOtherQueriesMayEndFirst() throws {
    @Sendable func query(_ model: TestModel) throws -> Query {
      let query = try files.database.createQuery(
        "SELECT PREDICTION('\(model.name)', {'file': $file}, 'n') AS n FROM _ LIMIT 1")
      query.parameters = Parameters().setBlob(Blob(contentType: "text/plain", data: Data("same".utf8)), forName: "file")
      return query
    }
    let empty = TestModel { _ in nil }
    let reader = TestModel { input in
      // Another query with an equal blob begins and ends before the content is read.
      _ = try? query(empty).execute().allResults()
      return input.blob(forKey: "file")?.content.map { MutableDictionaryObject(data: ["n": $0.count]) }
    }
    #expect(try query(reader).execute().map { $0.toJSON() } == [#"{"n":4}"#])
  }

  @Test func joinedDocumentsAreInputs() throws {
    let sql = """
      SELECT x.numbers, PREDICTION(MODEL, {'numbers': ARRAY_CONCAT(x.numbers, y.numbers)}, 'sum') AS s
      FROM _ AS x JOIN _ AS y ON META(y).id = 'a' WHERE META(x).id = 'b'
      """
    #expect(try rows(sql) == [#"{"numbers":[10, 20],"s":33}"#])
  }

  @Test func modelMayRunQueries() throws {
    let database = files.database
    let sum = model.name
    let outer = TestModel { input in
      let sql = "SELECT SUM(PREDICTION('\(sum)', {'numbers': numbers}, 'sum')) AS s FROM _"
      guard input.contains(key: "numbers"), let row = try? database.createQuery(sql).execute().next() else {
        return nil
      }
      return MutableDictionaryObject(data: ["sum": row.int(at: 0)])
    }
    let query = try database.createQuery(
      "SELECT PREDICTION('\(outer.name)', {'numbers': numbers}, 'sum') AS s FROM _ ORDER BY META().id")
    #expect(try query.execute().map { $0.toJSON() } == [#"{"s":33}"#, #"{"s":33}"#, #"{"s":33}"#, "{}"])
  }

  @Test func twoThreadsRunTheSameQuery() async throws {
    try files.database.inBatch {
      for number in 0..<300 { try files.save("n\(number)", #"{"numbers": [\#(number)]}"#) }
    }
    let query = try files.database.createQuery(
      "SELECT SUM(PREDICTION('\(model.name)', {'numbers': numbers}, 'sum')) AS s FROM _")
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 { group.addTask { try query.execute().map { $0.toJSON() } } }
      for try await result in group { #expect(result == [#"{"s":\#(299 * 150 + 33)}"#]) }
    }
  }

  @Test func modelIsCalledOncePerDocumentOfALargeCollection() throws {
    try files.database.inBatch {
      for number in 0..<9_000 { try files.save("n\(number)", #"{"numbers": [\#(number)], "n": \#(number)}"#) }
    }
    _ = model.takeCallCount()
    #expect(
      try rows("SELECT n FROM _ WHERE n >= 8999 AND PREDICTION(MODEL, {'numbers': numbers}, 'sum') = 8999")
        == [#"{"n":8999}"#])
    #expect(model.takeCallCount() == 1)
  }
}
