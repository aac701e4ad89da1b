import Foundation
import SQLiteAccess
import Testing

@testable import DocumentStore

/// Lookups by id in succession, which keep their read transaction.
@Suite struct PointReaderTests {
  private let files: TemporaryStore

  init() throws { files = try TemporaryStore() }

  private func lookUp(_ id: String, times: Int) throws -> [String?] {
    try (0..<times).map { _ in
      try files.store.document(id: id, in: files.collection).map { String(decoding: $0.body, as: UTF8.self) }
    }
  }

  @Test func lookupsSeeEachCommit() throws {
    for number in 0..<50 {
      try files.save("a", "{\"n\":\(number)}")
      #expect(try lookUp("a", times: 20) == Array(repeating: "{\"n\":\(number)}", count: 20))
    }
  }

  @Test func lookupsSeeCommitsOfOtherConnections() throws {
    let other = try DirectConnection(files.path, .writing)
    try files.save("a", "{}")
    for number in 0..<50 {
      _ = try lookUp("a", times: 20)
      try other.execute("UPDATE \(files.collection.table) SET body = '{\"n\":\(number)}' WHERE id = 'a'")
      #expect(try lookUp("a", times: 1) == ["{\"n\":\(number)}"])
    }
  }

  @Test func lookupsOfSeveralThreadsSeeCommits() throws {
    try files.save("a", "{\"n\":0}")
    for number in 1..<30 {
      try files.save("a", "{\"n\":\(number)}")
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        let texts = try? lookUp("a", times: 30)
        #expect(texts == Array(repeating: "{\"n\":\(number)}", count: 30))
      }
    }
  }

  /// A new collection with the same name has a table with the same name.
  @Test func lookupsNoticeADeletedCollection() throws {
    let name = try CollectionName("hotels")
    let old = try files.store.write { try $0.createCollection(name) }
    try files.store.write { _ = try $0.documents(in: old).save(id: "a", body: body("{}")) }
    for _ in 0..<20 { #expect(try files.store.document(id: "a", in: old) != nil) }
    let new = try files.store.write { transaction in
      try transaction.deleteCollection(old)
      let new = try transaction.createCollection(name)
      _ = try transaction.documents(in: new).save(id: "a", body: body("{\"n\":1}"))
      return new
    }
    #expect(try files.store.document(id: "a", in: new) != nil)
    for id in ["a", "b"] {
      expectStoreError(.noSuchCollection) { _ = try files.store.document(id: id, in: old) }
    }
  }

  /// A transaction that is not ended would prevent that the log is overwritten.
  @Test func transactionsEndAfterTheLastLookup() throws {
    try files.save("a", "{}")
    let other = try DirectConnection(files.path, .writing)
    try other.execute("PRAGMA schema_version")
    _ = try lookUp("a", times: 1000)
    #expect(other.waitForReadersOfLog(60))
  }
}
