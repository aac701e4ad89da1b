import Foundation
import GRDB
import Testing

@testable import DocumentStore

/// Reads on several threads.
@Suite struct ParallelReadTests {
  let files: TemporaryStore

  init() throws {
    files = try TemporaryStore()
    for number in 0..<20 { try files.save("d\(number)", #"{"n":\#(number)}"#) }
  }

  @Test func resultsAreDeliveredInOrder() throws {
    var found: [Int] = []
    try files.store.readInParallel { db, readerPool in
      try readerPool.map(count: 500, on: db) { part, _ in
        part * 2
      } deliver: {
        found.append($0)
        return true
      }
    }
    #expect(found == (0..<500).map { $0 * 2 })
  }

  /// A state is used on one thread only, such as a statement on its connection.
  @Test func eachThreadHasItsOwnState() throws {
    final class State {
      let connection: ObjectIdentifier
      var count = 0

      init(_ db: GRDB.Database) { connection = ObjectIdentifier(db) }
    }
    let created = Locked(0)
    var counts: [ObjectIdentifier: Int] = [:]
    try files.store.readInParallel { db, readerPool in
      try readerPool.map(
        count: 500, on: db,
        state: { db in
          created.withLock { $0 += 1 }
          return State(db)
        }
      ) { _, state -> (ObjectIdentifier, Int) in
        state.count += 1
        return (state.connection, state.count)
      } deliver: { connection, count in
        counts[connection] = max(count, counts[connection] ?? 0)
        return true
      }
    }
    #expect(counts.values.reduce(0, +) == 500)
    #expect(created.withLock { $0 } == counts.count)
  }

  @Test func largeResultsAreDeliveredInOrder() throws {
    var found: [Int] = []
    try files.store.readInParallel { db, readerPool in
      try readerPool.map(count: 500, on: db, sizeOf: { _ in 40 << 20 }) { part, _ in
        part
      } deliver: {
        found.append($0)
        return true
      }
    }
    #expect(found == Array(0..<500))
  }

  @Test func nothingIsDeliveredAfterTheEnd() throws {
    var found: [Int] = []
    try files.store.readInParallel { db, readerPool in
      try readerPool.map(count: 500, on: db) { part, _ in
        part
      } deliver: {
        found.append($0)
        return $0 < 7
      }
      // The reader pool is used for more than one task.
      try readerPool.map(count: 3, on: db) { part, _ in
        part
      } deliver: {
        found.append($0)
        return true
      }
    }
    #expect(found == Array(0...7) + [0, 1, 2])
  }

  @Test func theFirstErrorInOrderIsThrown() throws {
    struct Refusal: Error, Equatable { let part: Int }
    var found: [Int] = []
    #expect(throws: Refusal(part: 40)) {
      try files.store.readInParallel { db, readerPool in
        try readerPool.map(count: 100, on: db) { part, _ in
          if part >= 40 { throw Refusal(part: part) }
          return part
        } deliver: {
          found.append($0)
          return true
        }
      }
    }
    #expect(found == Array(0..<40))
  }

  @Test func allThreadsReadOneSnapshotDuringWrites() throws {
    let isOver = Locked(false)
    let files = files
    DispatchQueue.global().async {
      var number = 100
      while !isOver.withLock({ $0 }) {
        _ = try? files.save("d\(number)", "{}")
        number += 1
      }
      isOver.withLock { $0 = false }
    }
    for _ in 0..<50 {
      var counts: Set<Int> = []
      try files.store.readInParallel { db, readerPool in
        let sql = "SELECT count(*) FROM \(files.collection.table)"
        counts.insert(try Int.fetchOne(db, sql: sql) ?? -1)
        try readerPool.map(count: 50, on: db) { _, db in
          try Int.fetchOne(db, sql: sql) ?? -1
        } deliver: {
          counts.insert($0)
          return true
        }
      }
      #expect(counts.count == 1)
    }
    isOver.withLock { $0 = true }
  }

  @Test(.enabled(if: Store.maximumHelperCount > 0)) func helpersJoinARunningRead() throws {
    let threads = Locked<Set<UInt>>([])
    try files.store.readInParallel { db, readerPool in
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(files.collection.table)")
      try readerPool.map(count: 20_000, on: db) { _, _ in
        threads.withLock { _ = $0.insert(UInt(pthread_self())) }
        usleep(1000)
      } deliver: { _ in
        threads.withLock { $0.count } == 1
      }
    }
    #expect(threads.withLock { $0.count } > 1)
  }

  /// Helpers that join after a commit would read another snapshot.
  @Test func helpersDoNotJoinAReadAfterACommit() throws {
    let threads = Locked<Set<UInt>>([])
    try files.store.readInParallel { db, readerPool in
      let isDone = DispatchSemaphore(value: 0)
      let files = files
      DispatchQueue.global().async {
        _ = try? files.save("late", "{}")
        isDone.signal()
      }
      isDone.wait()
      try readerPool.map(count: 200, on: db) { _, _ in
        threads.withLock { _ = $0.insert(UInt(pthread_self())) }
        usleep(1000)
      } deliver: { _ in
        true
      }
    }
    #expect(threads.withLock { $0.count } == 1)
  }

  @Test func batchSeesItsOwnChanges() throws {
    try files.store.write { transaction in
      _ = try transaction.documents(in: files.collection).save(id: "new", body: body("{}"))
      var counts: Set<Int> = []
      try files.store.readInParallel { db, readerPool in
        try readerPool.map(count: 5, on: db) { _, db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM \(files.collection.table)") ?? -1
        } deliver: {
          counts.insert($0)
          return true
        }
      }
      #expect(counts == [21])
    }
  }

  @Test func concurrentReadsDoNotExhaustConnections() throws {
    let files = files
    let sums = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 24) { _ in
      var sum = 0
      try? files.store.readInParallel { db, readerPool in
        try readerPool.map(count: 100, on: db) { part, _ in
          part
        } deliver: {
          sum += $0
          return true
        }
      }
      sums.withLock { $0.append(sum) }
    }
    #expect(sums.withLock { $0 } == Array(repeating: 4950, count: 24))
  }
}
