import Concordance
import Foundation
import TestSupport
import Testing

/// Random operations on a file and on PostgreSQL, which must give the same documents, sequences and errors.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct DocumentDifferenceTests {
  @Test(arguments: [(1, 1), (2, 4), (3, 32)] as [(UInt64, Int)])
  func randomOperationsGiveTheSameDocuments(seed: UInt64, shards: Int) throws {
    try compareRandomOperations(PairOfDatabases(shards: shards), seed: seed)
  }

  @Test(arguments: [2, 3, PairOfDatabases.citus])
  func randomOperationsOnSeveralServersGiveTheSameDocuments(nodes: Int) throws {
    try compareRandomOperations(PairOfDatabases(shards: 8, nodes: nodes), seed: UInt64(nodes))
  }

  private func compareRandomOperations(_ stores: PairOfDatabases, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for step in 0..<250 {
      let operation = Operation.random(&random)
      let outcomes = stores.both { database in Outcome { try operation.run(database) } }
      #expect(outcomes.0 == outcomes.1, "step \(step): \(operation)")
      if step % 50 == 49 { try stores.compare("step \(step)") }
    }
    try stores.compare("end")
  }

  @Test(arguments: [1, 3, PairOfDatabases.citus]) func aFailedBatchChangesNothing(nodes: Int) throws {
    struct Failure: Error {}
    let stores = try PairOfDatabases(shards: 4, nodes: nodes)
    let outcomes = stores.both { database in
      Outcome {
        let collection = try database.defaultCollection()
        try collection.save(document: MutableDocument(id: "kept", data: ["n": 1]))
        try? database.inBatch {
          try collection.save(document: MutableDocument(id: "kept", data: ["n": 2]))
          try collection.save(document: MutableDocument(id: "lost", data: ["n": 3]))
          try? database.inBatch {
            try collection.delete(document: try #require(try collection.document(id: "kept")))
            throw Failure()
          }
          _ = try database.createCollection(name: "other")
          throw Failure()
        }
        return "\(try collection.document(id: "kept")?.int(forKey: "n") ?? -1) \(collection.count)"
      }
    }
    #expect(outcomes.0 == outcomes.1)
    #expect(outcomes.1 == .value("1 1"))
    try stores.compare("end")
  }

  @Test(arguments: [1, 3, PairOfDatabases.citus]) func anInnerBatchIsRolledBackAlone(nodes: Int) throws {
    struct Failure: Error {}
    let stores = try PairOfDatabases(shards: 4, nodes: nodes)
    let outcomes = stores.both { database in
      Outcome {
        let collection = try database.defaultCollection()
        try database.inBatch {
          try collection.save(document: MutableDocument(id: "a", data: ["n": 1]))
          // Reading sends the first document, so that the savepoint must be sent too.
          _ = try collection.document(id: "missing")
          try? database.inBatch {
            try collection.save(document: MutableDocument(id: "b", data: ["n": 2]))
            _ = try collection.document(id: "missing too")
            try collection.save(document: MutableDocument(id: "a", data: ["n": 9]))
            throw Failure()
          }
          try collection.save(document: MutableDocument(id: "c", data: ["n": 3]))
        }
        return ""
      }
    }
    #expect(outcomes.0 == outcomes.1)
    try stores.compare("end")
  }
  /// The row numbers of new documents are stored at the end of the batch that also deletes a collection.
  @Test(arguments: [false, true]) func aBatchThatDeletesACollectionStoresRowNumbers(isRolledBack: Bool) throws {
    struct Failure: Error {}
    let stores = try PairOfDatabases(shards: 1)
    let outcomes = stores.both { database in
      Outcome {
        let collection = try database.defaultCollection()
        let other = try database.createCollection(name: "other")
        try database.inBatch {
          try collection.save(document: MutableDocument(id: "a", data: ["n": 1]))
          try other.save(document: MutableDocument(id: "b", data: ["n": 2]))
          try? database.inBatch {
            try database.deleteCollection(name: "other")
            if isRolledBack { throw Failure() }
          }
          try collection.save(document: MutableDocument(id: "c", data: ["n": 3]))
        }
        let remaining = try database.createCollection(name: "other")
        for collection in [collection, remaining] {
          try collection.save(document: MutableDocument(id: "d", data: ["n": 4]))
        }
        return "\(collection.count) \(remaining.count)"
      }
    }
    #expect(outcomes.0 == outcomes.1)
    #expect(outcomes.1 == .value(isRolledBack ? "3 2" : "3 1"))
    try stores.compare("end")
  }
}
