import Foundation
import TestSupport
import Testing

@testable import DocumentStore

/// A process that is killed after a commit leaves the database file and its log. They contain all committed
/// transactions, also those with nested batches that failed after the page cache was full.
struct SavepointRecoveryTests {
  private struct Rejection: Error {}

  private let folder: TemporaryFolder
  private let path: String
  private let store: Store
  private let collection: CollectionRecord

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("test.concord")
    var configuration = StoreConfiguration()
    // A full cache writes pages to the log before the commit.
    configuration.pageCacheSize = 64 << 10
    store = try Store(path: path, configuration: configuration)
    collection = try store.write { try $0.createCollection(.default) }
  }

  private func documents(_ store: Store) throws -> [String] {
    try store.read { db in
      var documents: [String] = []
      try DocumentReader(collection, db).forEach(includingDeleted: false) { document in
        documents.append("\(document.id) \(String(decoding: document.body, as: UTF8.self).prefix(20))")
        return true
      }
      return documents
    }
  }

  private func saveSome(_ transaction: WriteTransaction, _ random: inout SeededGenerator) throws {
    let writer = try transaction.documents(in: collection)
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      let text = String(UInt64.random(in: 0...UInt64.max, using: &random))
      let size = Int.random(in: 1...8_000, using: &random)
      let json = "{\"text\":\"\(text)\(String(repeating: "x", count: size))\"}"
      _ = try writer.save(id: "doc\(Int.random(in: 0..<300, using: &random))", body: body(json))
    }
  }

  @Test(arguments: 0..<4) func failedNestedBatchesDoNotDamageTheLog(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for round in 0..<12 {
      try store.write { transaction in
        try saveSome(transaction, &random)
        for _ in 0..<2 {
          #expect(throws: Rejection.self) {
            try store.write { nested in
              try saveSome(nested, &random)
              throw Rejection()
            }
          }
        }
        try saveSome(transaction, &random)
      }
      let copy = folder.path("copy\(round).concord")
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
      let recovered = try Store(path: copy)
      #expect(try documents(recovered) == documents(store), "round \(round)")
      #expect(try recovered.read { try StoreVerification.run($0) } == [], "round \(round)")
      try recovered.close()
    }
  }
}
