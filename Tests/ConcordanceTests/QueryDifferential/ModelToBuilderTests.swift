@testable import Concordance
import QueryModel
import QueryOracle
import Testing

/// Random queries that are created with the query builder equal the original queries.
@Suite struct ModelToBuilderTests {
  @Test func builtQueriesEqualTheirModels() throws {
    let files = try TemporaryDatabase()
    let collections = [
      CollectionPath(Concordance.Collection.defaultCollectionName): try files.database.defaultCollection(),
      CollectionPath("docs"): try files.database.createCollection(name: "docs"),
      CollectionPath("item", scope: "shop"): try files.database.createCollection(name: "item", scope: "shop"),
    ]
    let builder = ModelToBuilder { collections[$0] }
    var count = 0
    var shapes: Set<RandomShape> = []
    for test in try RandomQueryCase.cases(of: 0..<2_000) {
      let model = test.query.namingDefaultCollection
      guard let query = try builder.query(model) else { continue }
      #expect(query.buildError == nil, "\(test.summary)")
      #expect(query.model == model, "\(test.summary)\nbuilt: \(query)")
      count += 1
      shapes.insert(test.shape)
    }
    #expect(count > 800, "the builder has calls for \(count) of 2,000 queries")
    // Only queries with UNNEST cannot be built at all.
    #expect(shapes == Set(RandomShape.allCases).subtracting([.unnest]))
  }
}
