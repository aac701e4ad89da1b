import Concordance
import Foundation

/// Measures finding the lines of a pattern, and the documents by a query, with the database open. The index is used if
/// there is one.
///
/// Every document with a matching line must be among those of the query. The query may find more documents, because
/// `\s` can match a line break there.
func measureGrep(path: String, pattern: String) throws {
  let database = try readOnlyDatabase(path)
  let collection = try database.defaultCollection()
  var request = PatternSearchRequest(pattern)
  var lines = 0
  let lineTime = try median(of: 7) {
    lines = 0
    try collection.searchLines(request) {
      try lineCount(of: $0)
    } deliver: {
      lines += $0; return true
    }
  }

  let query = try database.createQuery("SELECT META().id AS id FROM _ WHERE REGEXP_CONTAINS(text, $pattern)")
  query.parameters = Parameters().setString(pattern, forName: "pattern")
  var ids: Set<String> = []
  let queryTime = try median(of: 7) {
    ids = Set(try query.execute().allResults().compactMap { $0.string(at: 0) })
  }
  request.field = "text"
  try collection.searchLines(request) {
    try lineCount(of: $0) > 0 ? $0.id : nil
  } deliver: { id in
    guard ids.contains(id) else { throw WrongAnswer() }
    return true
  }
  try report([
    "lines": lines, "lineMilliseconds": lineTime * 1000, "rows": ids.count, "queryMilliseconds": queryTime * 1000,
  ])
}

private func lineCount(of document: SearchedDocument) throws -> Int {
  var count = 0
  try document.forEachLine { _ in
    count += 1
    return true
  }
  return count
}

/// Drops the pattern index of a database and rebuilds it. If there is none, an index of all strings is created.
func measurePatternIndexing(path: String) throws {
  let collection = try Database(path: path).defaultCollection()
  if try collection.patternIndexDescriptions().isEmpty {
    try collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["*"]))
  }
  guard let index = try collection.patternIndexDescriptions().first else { throw MissingPatternIndex(path: path) }
  // Visits the whole text, so that the bytes are those that grep searches.
  var request = PatternSearchRequest("")
  request.usesIndex = false
  let text = try collection.searchLines(request) { _ -> Bool? in
    nil
  } deliver: { _ in
    true
  }
  try collection.deleteIndex(forName: index.name)
  let processorStart = processorSeconds()
  let time = try seconds { try collection.createIndex(withName: index.name, config: index.configuration) }
  try report([
    "documents": index.documentCount, "textBytes": text.byteCount, "seconds": time,
    "processorSeconds": processorSeconds() - processorStart,
    "indexBytes": try collection.patternIndexDescriptions().first?.size ?? 0,
  ])
}

private struct MissingPatternIndex: Error, CustomStringConvertible {
  let path: String
  var description: String { "\(path) has no pattern index; make one with concord index" }
}
