import Concordance
import Foundation

/// Saves documents in batches of 1,000, with or without a full-text index that every batch updates.
func measureSaving(pieces: String, count: Int, path: String, isIndexed: Bool) throws {
  var documents: [(id: String, json: String)] = []
  try forEachLine(of: pieces, limit: count) { line in
    documents.append(("\(documents.count)", String(decoding: line, as: UTF8.self)))
  }
  let database = try Database(path: path)
  let collection = try database.defaultCollection()
  if isIndexed { try createSearchIndex(collection) }
  let time = try seconds {
    for start in stride(from: 0, to: documents.count, by: 1000) {
      try database.inBatch {
        for document in documents[start..<min(start + 1000, documents.count)] {
          try collection.save(document: MutableDocument(id: document.id, json: document.json))
        }
      }
    }
  }
  try report(["documents": documents.count, "perSecond": Double(documents.count) / time])
}

func measureReading(path: String, count: Int) throws {
  let collection = try Database(path: path).defaultCollection()
  let total = Int(collection.count)
  // A fixed linear congruential sequence: the same order in every run.
  var state: UInt64 = 42
  let ids = (0..<count).map { _ -> String in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return "\(Int(state >> 33) % total)"
  }
  var bytes = 0
  let time = try seconds {
    for id in ids { bytes += try collection.document(id: id)?.toJSON().utf8.count ?? 0 }
  }
  try report(["documents": count, "perSecond": Double(count) / time, "bytes": bytes])
}

func measureEnumerating(path: String) throws {
  let collection = try Database(path: path).defaultCollection()
  var count = 0
  var characters = 0
  let time = try seconds {
    try collection.forEachDocument { document in
      count += 1
      characters += document.string(forKey: "title")?.utf8.count ?? 0
      return true
    }
  }
  try report([
    "documents": count, "perSecond": Double(count) / time, "characters": characters, "peakMiB": try peakMemory(),
  ])
}

/// Stores and indexes documents.
///
/// - Parameter isLoaded: whether all lines are in memory before the time starts, as those of Tantivy are.
func measureIndexing(pieces: String, count: Int, path: String, isLoaded: Bool) throws {
  let database = try Database(path: path)
  let collection = try database.defaultCollection()
  try createSearchIndex(collection)
  var lines: [[UInt8]] = []
  if isLoaded { try forEachLine(of: pieces, limit: count) { lines.append($0) } }
  var bytes = 0
  let time = try seconds {
    let importer = try DocumentImporter(into: collection)
    var number = 0
    func add(_ line: [UInt8]) throws {
      bytes += line.count
      try importer.add(id: "\(number)", json: line)
      number += 1
    }
    if isLoaded { try lines.forEach(add) } else { try forEachLine(of: pieces, limit: count, add) }
    _ = try importer.finish()
  }
  try report(["documents": Int(collection.count), "bytes": bytes, "seconds": time])
}

/// Drops the full-text index of a database and builds it again from the stored documents.
func measureFullTextIndexing(path: String) throws {
  let collection = try Database(path: path).defaultCollection()
  try collection.deleteIndex(forName: "search")
  let time = try seconds { try createSearchIndex(collection) }
  try report(["documents": Int(collection.count), "seconds": time])
}

private func createSearchIndex(_ collection: Collection) throws {
  let config = FullTextIndexConfiguration(["title", "body"], ignoreAccents: true)
  try collection.createIndex(withName: "search", config: config)
}

func measureSearching(path: String, queries: [String]) throws {
  let collection = try readOnlyDatabase(path).defaultCollection()
  for query in queries {
    let request = SearchRequest(query, syntax: .fts5)
    var best: [String] = []
    let time = try median(of: 7) { best = try collection.search(request).hits.map(\.id) }
    try report([
      "query": query, "milliseconds": time * 1000, "hits": try collection.count(matching: request), "best": best,
    ])
  }
}

/// Measures the processor time of a search that is repeated. It depends less on other load than the median of
/// wall-clock times.
func measureRepetition(path: String, query: String, times: Int, snippetCount: Int) throws {
  let collection = try readOnlyDatabase(path).defaultCollection()
  var request = SearchRequest(query, syntax: .fts5)
  request.snippetCount = snippetCount
  var hits = try collection.search(request).hits.count
  let start = processorSeconds()
  for _ in 0..<times { hits = try collection.search(request).hits.count }
  try report([
    "query": query, "hits": hits, "processorMicroseconds": (processorSeconds() - start) / Double(times) * 1_000_000,
  ])
}

/// Measures a search as the server runs it: the text of a search box, ten hits with snippets.
func measureSearchBox(path: String, query: String) throws {
  let collection = try readOnlyDatabase(path).defaultCollection()
  let request = SearchRequest(query)
  var best = try collection.search(request).hits.map(\.id)
  let time = try median(of: 501) { best = try collection.search(request).hits.map(\.id) }
  try report(["query": query, "milliseconds": time * 1000, "best": best])
}

/// Opens a database that the benchmark does not change.
func readOnlyDatabase(_ path: String) throws -> Database {
  var config = DatabaseConfiguration()
  config.isReadOnly = true
  return try Database(path: path, config: config)
}
