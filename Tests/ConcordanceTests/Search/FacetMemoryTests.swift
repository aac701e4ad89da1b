import DocumentStore
import Foundation
import GRDB
import JSONText
import Testing

@testable import Concordance
@testable import QueryCompiler

/// The limit on the memory of the distinct values of facets.
@Suite(.filesOnly("reads the table of a collection")) struct FacetMemoryTests {
  private let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    let files = test
    try files.database.inBatch {
      for number in 0..<10 { try files.save("d\(number)", #"{"n": \#(number % 3), "text": "text \#(number)"}"#) }
    }
  }

  private func counts(_ property: FacetProperty, limit: Int64) throws -> [Int] {
    let record = test.collection.record
    var collector = FacetCollector([property], of: CollectionSchema(record))
    collector.memoryLimit = limit
    return try test.database.engine.store.read { db in
      let rows = try Int64.fetchAll(db, sql: "SELECT rowid FROM \(record.table) ORDER BY rowid")
      return try collector.run(over: rows, db, nil).facetResults[0].values.map(\.count)
    }
  }

  @Test func valuesAboveTheLimitThrow() throws {
    let property = FacetProperty(try PropertyPath("text"), isCounted: true)
    let error = #expect(throws: QueryRuntimeError.self) { try counts(property, limit: 0) }
    #expect(error?.kind == .tooLarge)
    #expect(error?.description.hasPrefix("with the distinct values of the facets") == true)
    let code = error.flatMap { CBLError.wrapping($0) as? CBLError }?.code
    #expect(code == CBLError.invalidQuery)
    #expect(try counts(property, limit: Int64.max / 2) == Array(repeating: 1, count: 10))
  }

  /// A search with selections but without facets stores no other values.
  @Test func selectionsNeedNoMemory() throws {
    let property = FacetProperty(try PropertyPath("n"), isCounted: false, selection: [.integer(1)])
    #expect(try counts(property, limit: 0).isEmpty)
  }

  @Test func memoryGrowsWithDistinctValues() throws {
    var counter = FacetCounter([FacetProperty(try PropertyPath("n"), isCounted: true)])
    #expect(counter.memory == 0)
    counter.add(.boolean(true), of: 0)
    let one = counter.memory
    counter.add(.boolean(true), of: 0)
    #expect(one > 0 && counter.memory == one)
    counter.add(.number(.integer(1)), of: 0)
    #expect(counter.memory > one)
  }

  @Test func countersOfPartsAreAdded() throws {
    let property = FacetProperty(try PropertyPath("n"), isCounted: true)
    let values: [ScalarSlice] = [.boolean(true), .number(.integer(7)), .number(.double(0.5)), .number(.double(7))]
    var sum = FacetCounter([property])
    let parts: [[ScalarSlice]] = [values, values.reversed()]
    for part in parts {
      var counter = FacetCounter([property])
      for value in part {
        counter.add(value, of: 0)
        _ = counter.endDocument()
      }
      sum.add(counter)
    }
    let result = sum.result(of: 0)
    let expected: [ColumnValue] = [.boolean(true), .integer(7), .double(0.5)]
    #expect(result.values.map(\.value) == expected)
    #expect(result.values.map(\.count) == [2, 4, 2] && result.documentCount == 8)
  }
}
