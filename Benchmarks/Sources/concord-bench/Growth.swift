import Concordance
import Foundation
import Synchronization

/// Adds documents to a database with a full-text index in one transaction, as an update of a large corpus does.
func measureAdding(path: String, pieces: String, count: Int) throws {
  let collection = try Database(path: path).defaultCollection()
  let before = Int(collection.count)
  let time = try seconds {
    let importer = try DocumentImporter(into: collection)
    var number = 0
    try forEachLine(of: pieces, limit: count) { line in
      try importer.add(id: "added \(before) \(number)", json: line)
      number += 1
    }
    _ = try importer.finish()
  }
  guard Int(collection.count) == before + count else { throw BenchmarkError("not all documents were added") }
  try report(["documents": count, "seconds": time])
}

/// Saves single documents for some time while another thread searches, so that merges of the index run between both.
///
/// It reports the percentiles of the times of the saves and of the searches in milliseconds.
func measureSavesAndSearches(path: String, pieces: String, duration: Int, queries: [String]) throws {
  let database = try Database(path: path)
  let collection = try database.defaultCollection()
  let searches = SearchLoop(try readOnlyDatabase(path), queries)
  searches.start()
  var documents: [String] = []
  try forEachLine(of: pieces, limit: 10_000) { documents.append(String(decoding: $0, as: UTF8.self)) }
  let start = ContinuousClock.now
  var times: [Double] = []
  while ContinuousClock.now - start < .seconds(duration) {
    let json = documents[times.count % documents.count]
    let document = try MutableDocument(id: "saved \(times.count)", json: json)
    times.append(try seconds { try collection.save(document: document) })
  }
  let searched = try searches.stop()
  try report(["saves": percentiles(of: times), "searches": percentiles(of: searched)])
}

/// A thread that repeats searches.
private final class SearchLoop: Sendable {
  private let database: Database
  private let queries: [String]
  private let isStopped = Atomic(false)
  private let result = Mutex<Swift.Result<[Double], any Error>>(.success([]))
  private let end = DispatchSemaphore(value: 0)

  init(_ database: Database, _ queries: [String]) {
    self.database = database
    self.queries = queries
  }

  func start() {
    Thread.detachNewThread { [self] in
      let times = Swift.Result { try run() }
      result.withLock { $0 = times }
      end.signal()
    }
  }

  func stop() throws -> [Double] {
    isStopped.store(true, ordering: .relaxed)
    end.wait()
    return try result.withLock { $0 }.get()
  }

  private func run() throws -> [Double] {
    let collection = try database.defaultCollection()
    var times: [Double] = []
    while !isStopped.load(ordering: .relaxed) {
      let query = queries[times.count % queries.count]
      times.append(try seconds { _ = try collection.search(SearchRequest(query, syntax: .fts5)) })
    }
    return times
  }
}

private func percentiles(of times: [Double]) -> [String: Double] {
  let sorted = times.sorted()
  func percentile(_ part: Double) -> Double {
    sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] * 1000
  }
  return [
    "count": Double(times.count), "median": percentile(0.5), "p99": percentile(0.99), "p999": percentile(0.999),
    "maximum": (sorted.last ?? 0) * 1000,
  ]
}
