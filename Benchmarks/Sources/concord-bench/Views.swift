import Concordance
import Foundation
import GRDB

/// Measures views: the update by a map function in Swift, a query of a range, and a grouped query with a stored reduce.
/// The peer is plain SQLite with the same rows in a table with an index. Every result is compared with the peer's.
func measureViews(count: Int, folder: String) throws {
  let path = folder + "/views.concord"
  let database = try Database(path: path)
  let collection = try database.defaultCollection()
  let documents = (0..<count).map { SampleDocument(number: $0) }
  for start in stride(from: 0, to: count, by: 1000) {
    try database.inBatch {
      for document in documents[start..<min(start + 1000, count)] {
        try collection.save(document: MutableDocument(id: "d\(document.number)", json: document.json))
      }
    }
  }
  let size = try pages(path)
  let view = collection.view(named: "titles")
  try view.setMap(version: "1", reduce: .stats) { document, emit in
    emit(document.string(forKey: "title"), document.int(forKey: "n"))
  }
  let mapTime = try seconds { try view.update() }
  let growth = try pages(path) - size

  let peer = try ViewPeer(documents, path: folder + "/views.sqlite")
  let low = "T5", high = "T5008"
  let range = view.createQuery()
  range.mapOnly = true
  range.startKey = low
  range.endKey = high
  range.limit = 100
  let expected = try peer.range(low, high)
  let rangeTime = try median(of: 501) {
    guard try range.run().map({ $0.value as? Int }) == expected else { throw WrongAnswer() }
  }
  let peerRangeTime = try median(of: 501) { _ = try peer.range(low, high) }

  // Ten rows per document.
  let groups = collection.view(named: "kinds")
  try groups.setMap(version: "1", reduce: .sum) { document, emit in
    let kind = document.string(forKey: "kind")
    for number in 0..<10 { emit([kind ?? "", number], document.int(forKey: "n")) }
  }
  try groups.update()
  let grouped = groups.createQuery()
  grouped.groupLevel = 1
  var times: [Double] = []
  for number in 0..<7 {
    let changed = documents[number * 31]
    try collection.save(document: MutableDocument(id: "d\(changed.number)", json: changed.json))
    let rows = try peer.groups()
    times.append(
      try seconds {
        guard try grouped.run().map({ $0.value as? Int }) == rows else { throw WrongAnswer() }
      })
  }
  let peerGroupTime = try median(of: 3) { _ = try peer.groups() }
  try report([
    "documents": count, "mappedPerSecond": Double(count) / mapTime, "growthBytes": growth,
    "rangeMilliseconds": rangeTime * 1000, "peerRangeMilliseconds": peerRangeTime * 1000,
    "groupMilliseconds": times.sorted()[times.count / 2] * 1000, "peerGroupMilliseconds": peerGroupTime * 1000,
  ])
}

/// Returns the number of bytes in the pages of a database.
private func pages(_ path: String) throws -> Int {
  try DatabaseQueue(path: path).read { db in
    try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
  }
}

/// The rows of both views in plain SQLite.
private final class ViewPeer {
  private let queue: DatabaseQueue

  init(_ documents: [SampleDocument], path: String) throws {
    queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE title (key TEXT, value INTEGER)")
      try db.execute(sql: "CREATE TABLE kind (key TEXT, number INTEGER, value INTEGER)")
      for document in documents {
        try db.execute(
          sql: "INSERT INTO title VALUES (?, ?)", arguments: ["T\(document.number)", document.number])
        for number in 0..<10 {
          try db.execute(
            sql: "INSERT INTO kind VALUES (?, ?, ?)", arguments: [document.kind, number, document.number])
        }
      }
      try db.execute(sql: "CREATE INDEX title_key ON title (key, value)")
      try db.execute(sql: "CREATE INDEX kind_key ON kind (key, value)")
    }
  }

  func range(_ low: String, _ high: String) throws -> [Int?] {
    try queue.read {
      try Int.fetchAll(
        $0.cachedStatement(sql: "SELECT value FROM title WHERE key BETWEEN ? AND ? ORDER BY key LIMIT 100"),
        arguments: [low, high])
    }
  }

  func groups() throws -> [Int?] {
    try queue.read {
      try Int.fetchAll($0.cachedStatement(sql: "SELECT sum(value) FROM kind GROUP BY key ORDER BY key"))
    }
  }
}
