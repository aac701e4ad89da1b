import Foundation
import GRDB
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

  private func automaticCheckpoint() throws -> Int? {
    try files.store.withoutTransaction { try Int.fetchOne($0, sql: "PRAGMA wal_autocheckpoint") }
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
    try files.store.checkpointingInBackground {
      let pages = try automaticCheckpoint()
      #expect(pages == 0)
      try save(0..<50, size: 20_000)
    }
    #expect(try countWithoutLog() == 50)
    #expect(try automaticCheckpoint() == Store.checkpointPages)
    try save(50..<60, size: 10)
    #expect(try files.ids().count == 60)
  }

  @Test func errorsEndIt() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try files.store.checkpointingInBackground {
        try save(0..<5, size: 100)
        throw Stop()
      }
    }
    #expect(files.store.backgroundCheckpoint.withLock { $0 == nil })
    #expect(try automaticCheckpoint() == Store.checkpointPages)
    #expect(try countWithoutLog() == 5)
  }

  @Test func operationsMayOverlap() throws {
    try files.store.checkpointingInBackground {
      try files.store.checkpointingInBackground { try save(0..<5, size: 100) }
      let pages = try automaticCheckpoint()
      #expect(pages == 0)
      try save(5..<10, size: 100)
    }
    #expect(try automaticCheckpoint() == Store.checkpointPages)
    #expect(try files.ids().count == 10)
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

  @Test func logDoesNotGrowWithoutLimit() throws {
    let checkpoint = try BackgroundCheckpoint(files.store.location, maximumFrameCount: 20)
    files.store.backgroundCheckpoint.withLock { $0 = checkpoint }
    try save(0..<300, size: 20_000)
    files.store.backgroundCheckpoint.withLock { $0 = nil }
    let size = try FileManager.default.attributesOfItem(atPath: files.path + "-wal")[.size] as? Int ?? 0
    // About 1,500 frames are written.
    #expect(size < 200 * 8300)
  }

  @Test func deletedFileIsNotCheckpointed() throws {
    try save(0..<5, size: 100)
    try FileManager.default.removeItem(atPath: files.path)
    let isIdle = try files.store.checkpointingInBackground { files.store.backgroundCheckpoint.withLock { $0 == nil } }
    #expect(isIdle)
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
