import Foundation
import GRDB
import JSONText
import QueryCompiler

/// Reads one property of each document: with the reader alone, through SQL, and with SQLite's json_extract in the same
/// run.
///
/// The documents are in an in-memory table, so that no disk access is measured. `count` of each shows that the results
/// agree.
func measureProperty(pieces: String, path: String) throws {
  var documents: [[UInt8]] = []
  try forEachLine(of: pieces, limit: 100_000) { documents.append($0) }
  let propertyPath = try PropertyPath(path)
  let reader = PropertyReader(propertyPath)
  var found = 0
  let alone = median(of: 5) {
    found = 0
    for document in documents {
      document.withUnsafeBytes { if reader.value(in: $0) != nil { found += 1 } }
    }
  }

  let queue = try DatabaseQueue()
  var times: [String: Double] = [:]
  var counts: [String: Int] = ["reader": found]
  try queue.inDatabase { db in
    try QueryRuntime.register(on: db)
    try db.execute(sql: "CREATE TABLE d(body TEXT); BEGIN")
    for document in documents {
      try db.execute(sql: "INSERT INTO d VALUES (?)", arguments: [String(decoding: document, as: UTF8.self)])
    }
    try db.execute(sql: "COMMIT")
    let expressions = [
      "rows": "typeof(body)", "concordance_value": "concordance_value(body, ?1)",
      "concordance_key": "concordance_key(body, ?1)", "json_extract": "json_extract(body, ?1)",
    ]
    for (name, expression) in expressions {
      let statement = try db.makeStatement(sql: "SELECT count(\(expression)) FROM d WHERE ?1 IS NOT NULL")
      let argument = name == "json_extract" ? "$.\(path)" : path
      times[name] = try median(of: 5) { counts[name] = try Int.fetchOne(statement, arguments: [argument]) }
    }
  }
  func microseconds(_ time: Double?) -> Double { (time ?? 0) / Double(max(documents.count, 1)) * 1e6 }
  try report([
    "documents": documents.count, "bytes": documents.reduce(0) { $0 + $1.count }, "counts": counts,
    "microsecondsReaderAlone": microseconds(alone),
    "microseconds": times.mapValues { microseconds($0) },
    "ratioToJSONExtract": (times["concordance_key"] ?? 0) / max(times["json_extract"] ?? 0, 1e-9),
  ])
}
