import Foundation
import GRDB
import SQLiteAccess
import Testing

@testable import DocumentStore

/// Checkpoints on another thread while transactions are written; see ``BackgroundCheckpoint``.
@Suite struct BackgroundCheckpointTests {
  private let files: TemporaryStore

  init() throws { files = try TemporaryStore() }

  private func save(_ numbers: Range<Int>, size: Int) throws {
    let text = String(repeating: "x", count: size)
    for number in numbers { try files.save("\(number)", "{\"t\":\"\(text)\"}") }
  }

  private func log() throws -> LogIndex { try #require(try files.store.withoutTransaction { LogIndex($0) }) }

  private func logSize() throws -> Int {
    try FileManager.default.attributesOfItem(atPath: files.path + "-wal")[.size] as? Int ?? 0
  }

  /// Returns the number of documents in the file without its log.
  private func countWithoutLog() throws -> Int? {
    let copy = files.folder.path("copy.concord")
    try FileManager.default.copyItem(atPath: files.path, toPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let queue = try DatabaseQueue(path: copy)
    return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(files.collection.table)") }
  }

  @Test func fileContainsAllTransactionsAfterwards() throws {
    try files.store.checkpointingInBackground { try save(0..<50, size: 20_000) }
    #expect(try countWithoutLog() == 50)
    try save(50..<60, size: 10)
    #expect(try files.ids().count == 60)
  }

  @Test func theSizeOfTheLogIsLimitedAgainAfterwards() throws {
    func limit() throws -> Int? {
      try files.store.withoutTransaction { try Int.fetchOne($0, sql: "PRAGMA journal_size_limit") }
    }
    let limits = BackgroundCheckpoint.Limits()
    try files.store.checkpointingInBackground {
      try save(0..<1, size: 10)
      let bulk = try limit()
      #expect(bulk == limits.sizeInBulk)
    }
    try save(1..<2, size: 10)
    let later = try limit()
    #expect(later == limits.size)
  }

  @Test func errorsEndIt() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try files.store.checkpointingInBackground {
        try save(0..<5, size: 100)
        throw Stop()
      }
    }
    #expect(try countWithoutLog() == 5)
  }

  @Test func operationsMayOverlap() throws {
    try files.store.checkpointingInBackground {
      try files.store.checkpointingInBackground { try save(0..<5, size: 100) }
      try save(5..<10, size: 100)
    }
    #expect(try countWithoutLog() == 10)
  }

  @Test func readersKeepTheirSnapshot() throws {
    try save(0..<5, size: 100)
    try files.store.read { db in
      let reader = DocumentReader(files.collection, db)
      let isSaved = try reader.document(id: "4") != nil
      #expect(isSaved)
      try DispatchQueue(label: "import").sync {
        try files.store.checkpointingInBackground { try save(5..<50, size: 20_000) }
      }
      let isVisible = try reader.document(id: "49") != nil
      #expect(!isVisible)
    }
    #expect(try files.document("49") != nil)
  }

  private static let small = BackgroundCheckpoint.Limits(
    started: 10, waited: 20, waitedForShortRest: 15, shortRest: 5, waitedInBulk: 20)

  @Test func logDoesNotGrowWithoutLimit() throws {
    let checkpoint = BackgroundCheckpoint(files.store.location, limits: BackgroundCheckpointTests.small)
    let log = try self.log()
    for number in 0..<300 {
      checkpoint.waitIfLong()
      try save(number..<number + 1, size: 20_000)
      checkpoint.didCommit(log)
    }
    // About 1,500 frames are written.
    #expect(try logSize() < 200 * 8300)
    checkpoint.finish()
    #expect(try countWithoutLog() == 300)
  }

  @Test func logDoesNotGrowWithoutLimitInBulk() throws {
    let checkpoint = BackgroundCheckpoint(files.store.location, limits: BackgroundCheckpointTests.small)
    let log = try self.log()
    try checkpoint.inBulk {
      for number in 0..<300 {
        checkpoint.waitIfLong()
        try save(number..<number + 1, size: 20_000)
        checkpoint.didCommit(log)
      }
      #expect(try logSize() < 200 * 8300)
    }
    #expect(try logSize() == 0)
    #expect(try countWithoutLog() == 300)
  }

  /// - Returns: whether a transaction copied the rest of a log of more than 15 frames, in which the file lacks about ten.
  private func restIsCopied(_ limits: BackgroundCheckpoint.Limits) throws -> Bool {
    let checkpoint = BackgroundCheckpoint(files.store.location, limits: limits)
    let log = try self.log()
    try save(0..<10, size: 20_000)
    try files.store.read { db in
      _ = try DocumentReader(files.collection, db).document(id: "0")
      try DispatchQueue(label: "writer").sync { try save(10..<11, size: 20_000) }
      // Because of the read, the last transaction is not copied.
      checkpoint.finish()
    }
    #expect(log.copiedCount > 0 && log.copiedCount < log.frameCount)
    checkpoint.didCommit(log)
    checkpoint.waitIfLong()
    return log.copiedCount == log.frameCount
  }

  @Test func shortRestIsCopiedBeforeTheLogIsLong() throws {
    #expect(try restIsCopied(.init(started: 1000, waited: 1000, waitedForShortRest: 15, shortRest: 30)))
  }

  @Test func longRestIsNotWaitedFor() throws {
    #expect(try !restIsCopied(.init(started: 1000, waited: 1000, waitedForShortRest: 15, shortRest: 1)))
  }

  @Test func noRestIsWaitedForInAShortLog() throws {
    #expect(try !restIsCopied(.init(started: 1000, waited: 1000, waitedForShortRest: 500, shortRest: 30)))
  }

  @Test func aShortLogIsNotCheckpointed() throws {
    let log = try self.log()
    let copied = log.copiedCount
    let count = log.frameCount
    try save(0..<5, size: 100)
    #expect(log.frameCount > count)
    #expect(log.copiedCount == copied)
  }

  /// A read that uses the log prevents that it is overwritten. Transactions do not wait for it again and again.
  @Test func logIsOverwrittenAfterALongRead() throws {
    let checkpoint = BackgroundCheckpoint(files.store.location, limits: BackgroundCheckpointTests.small)
    let log = try self.log()
    func saveMany(_ numbers: Range<Int>) throws {
      for number in numbers {
        checkpoint.waitIfLong()
        try save(number..<number + 1, size: 20_000)
        checkpoint.didCommit(log)
      }
    }
    try save(0..<1, size: 100)
    try files.store.read { db in
      let reader = DocumentReader(files.collection, db)
      let isSaved = try reader.document(id: "0") != nil
      #expect(isSaved)
      try DispatchQueue(label: "writer").sync { try saveMany(1..<30) }
      let isVisible = try reader.document(id: "29") != nil
      #expect(!isVisible)
    }
    let longest = log.frameCount
    #expect(longest > 100)
    // The thread of the checkpoints determines when.
    var shortest = longest
    for number in 30..<300 {
      try saveMany(number..<number + 1)
      shortest = min(shortest, log.frameCount)
    }
    #expect(shortest < longest)
    #expect(try files.ids().count == 300)
  }

  @Test func deletedFileIsNotCheckpointed() throws {
    try save(0..<5, size: 100)
    try FileManager.default.removeItem(atPath: files.path)
    try files.store.checkpointingInBackground {}
    files.store.backgroundCheckpoint?.finish()
    #expect(!FileManager.default.fileExists(atPath: files.path))
  }

  @Test func readOnlyStoresHaveNone() throws {
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    let store = try Store(path: files.path, configuration: configuration)
    #expect(store.backgroundCheckpoint == nil)
  }

  @Test func closingTheStoreEndsIt() throws {
    try files.store.checkpointingInBackground {
      try save(0..<5, size: 100)
      try files.store.close()
      #expect(!FileManager.default.fileExists(atPath: files.path + "-wal"))
    }
    let copied = try countWithoutLog()
    #expect(copied == 5)
  }
}
