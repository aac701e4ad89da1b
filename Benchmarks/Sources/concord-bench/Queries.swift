import Concordance
import Foundation
import GRDB

/// Measures queries and plain SQLite on the same documents in the same run: json_extract without an index, and a plain
/// column with an index.
///
/// The documents have 1 kB, with their properties after the text. Every result is compared with the peer's.
func measureQueries(count: Int, folder: String) throws {
  let documents = (0..<count).map { SampleDocument(number: $0) }
  let database = try Database(path: folder + "/queries.concord")
  let collection = try database.createCollection(name: "samples")
  for start in stride(from: 0, to: count, by: 1000) {
    try database.inBatch {
      for document in documents[start..<min(start + 1000, count)] {
        try collection.save(document: MutableDocument(id: "d\(document.number)", json: document.json))
      }
    }
  }
  let peer = try Peer(documents, path: folder + "/peer.db")

  let scan = try database.createQuery("SELECT COUNT(*) AS n FROM samples WHERE kind = 'k17'")
  let scanTime = try median(of: 5) { try expect(scan, peer.matchCount) }
  let regex = try database.createQuery(
    #"SELECT COUNT(*) AS n FROM samples WHERE REGEXP_CONTAINS(text, 'spin_(lock|unlock)_irq\w+')"#)
  let regexTime = try median(of: 5) { try expect(regex, documents.count { $0.hasSpinLock }) }
  let like = try database.createQuery("SELECT COUNT(*) AS n FROM samples WHERE text LIKE '%mutex_lock%'")
  let likeTime = try median(of: 5) { try expect(like, peer.mutexCount) }
  let peerLikeTime = try median(of: 5) { try peer.countByLike() }
  let extractTime = try median(of: 5) { try peer.countByExtracting() }

  let groups = try database.createQuery("SELECT kind, COUNT(*) AS n FROM samples GROUP BY kind")
  let groupScanTime = try median(of: 3) { try expectGroups(groups, peer.groups) }
  try collection.createIndex(withName: "kind", config: ValueIndexConfiguration(["kind"]))
  let indexedTime = try median(of: 101) { try expect(scan, peer.matchCount) }
  let peerIndexedTime = try median(of: 101) { try peer.countByColumn() }
  let groupTime = try median(of: 11) { try expectGroups(groups, peer.groups) }
  let peerGroupTime = try median(of: 11) { try peer.groupByColumn() }

  let one = try database.createQuery("SELECT title FROM samples WHERE kind = 'k17' AND n = 1017")
  let oneTime = try median(of: 101) { _ = try one.execute().allResults() }

  let text = """
    SELECT title, n FROM empty
    WHERE kind = 'k17' AND n > 5 AND title LIKE 'T%' AND deep.value IS NOT NULL AND LOWER(title) != 'x'
    """
  let empty = try database.createCollection(name: "empty")
  _ = empty
  let compileTime = try median(of: 101) { _ = try database.createQuery(text).execute().allResults() }
  let compiled = try database.createQuery(text)
  let runTime = try median(of: 101) { _ = try compiled.execute().allResults() }

  try report([
    "documents": count, "bytes": documents.reduce(0) { $0 + $1.json.utf8.count },
    "countSeconds": scanTime, "jsonExtractSeconds": extractTime, "countRatio": scanTime / extractTime,
    "regexSeconds": regexTime, "likeSeconds": likeTime, "jsonExtractLikeSeconds": peerLikeTime,
    "groupWithoutIndexSeconds": groupScanTime,
    "indexedMilliseconds": indexedTime * 1000, "columnIndexedMilliseconds": peerIndexedTime * 1000,
    "oneRowMilliseconds": oneTime * 1000,
    "groupSeconds": groupTime, "columnGroupSeconds": peerGroupTime, "groupRatio": groupTime / peerGroupTime,
    "compileMilliseconds": (compileTime - runTime) * 1000, "emptyRunMilliseconds": runTime * 1000,
  ])
}

/// Measures one query on an existing database.
func measureQuery(path: String, text: String, times: Int) throws {
  let query = try Database(path: path).createQuery(text)
  var rows = 0
  let time = try median(of: times) { rows = try query.execute().allResults().count }
  try report(["milliseconds": time * 1000, "rows": rows])
}

/// A 1 kB document.
struct SampleDocument {
  let number: Int
  var kind: String { "k\(number * 7919 % 1000)" }
  /// Whether the text matches the benchmark's regular expression.
  var hasSpinLock: Bool { number % 50 == 7 }
  /// Whether the text matches the benchmark's LIKE pattern.
  var hasMutexLock: Bool { number % 80 == 11 }

  var json: String {
    var words = ""
    var hasLock = false
    var seed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
    let lock = hasSpinLock ? "spin_unlock_irqrestore " : hasMutexLock ? "mutex_lock " : ""
    while words.utf8.count < 900 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      words += String(seed >> 40, radix: 36) + " "
      // In the middle of the text, so that a scan does not find it immediately.
      if !hasLock, words.utf8.count > 450 {
        words += lock
        hasLock = true
      }
    }
    return
      #"{"title":"T\#(number)","text":"\#(words)","deep":{"value":\#(number % 3)},"n":\#(number),"kind":"\#(kind)"}"#
  }
}

/// The same documents in plain SQLite.
private final class Peer {
  private let queue: DatabaseQueue
  private(set) var matchCount = 0
  private(set) var mutexCount = 0
  private(set) var groups: [String: Int] = [:]

  init(_ documents: [SampleDocument], path: String) throws {
    queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE d (id INTEGER PRIMARY KEY, kind TEXT, body TEXT)")
      for document in documents {
        try db.execute(
          sql: "INSERT INTO d VALUES (?, ?, ?)", arguments: [document.number, document.kind, document.json])
      }
      try db.execute(sql: "CREATE INDEX d_kind ON d (kind)")
    }
    for document in documents {
      if document.kind == "k17" { matchCount += 1 }
      if document.hasMutexLock { mutexCount += 1 }
      groups[document.kind, default: 0] += 1
    }
  }

  func countByExtracting() throws {
    try check(sql: "SELECT count(*) FROM d WHERE json_extract(body, '$.kind') = 'k17'")
  }

  /// SQLite's default LIKE, which ignores the case of ASCII letters.
  func countByLike() throws {
    try check(sql: "SELECT count(*) FROM d WHERE json_extract(body, '$.text') LIKE '%mutex_lock%'", count: mutexCount)
  }

  func countByColumn() throws { try check(sql: "SELECT count(*) FROM d WHERE kind = 'k17'") }

  func groupByColumn() throws {
    let found = try queue.read { db in
      var found: [String: Int] = [:]
      let rows = try Row.fetchCursor(db.cachedStatement(sql: "SELECT kind, count(*) FROM d GROUP BY kind"))
      while let row = try rows.next() { found[row[0]] = row[1] }
      return found
    }
    guard found == groups else { throw WrongAnswer() }
  }

  private func check(sql: String, count: Int? = nil) throws {
    guard try queue.read({ try Int.fetchOne($0.cachedStatement(sql: sql)) }) == count ?? matchCount else {
      throw WrongAnswer()
    }
  }
}

private func expect(_ query: Query, _ count: Int) throws {
  guard try query.execute().next()?.int(at: 0) == count else { throw WrongAnswer() }
}

private func expectGroups(_ query: Query, _ groups: [String: Int]) throws {
  var found: [String: Int] = [:]
  for row in try query.execute() { found[row.string(at: 0) ?? ""] = row.int(at: 1) }
  guard found == groups else { throw WrongAnswer() }
}

struct WrongAnswer: Error, CustomStringConvertible {
  var description: String { "the answers of both sides differ" }
}
