import Concordance
import Foundation

/// Imports the Couchbase Lite databases among the arguments of `concord import`.
enum CouchbaseLiteFiles {
  /// Returns whether a path may be a Couchbase Lite database: any folder or SQLite file, but not a JSON Lines file.
  static func contains(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    guard path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return false }
    if isFolder.boolValue || path.hasSuffix(".cblite") || path.hasSuffix(".cblite2") { return true }
    // The bytes that are read from a pipe are lost for the import.
    guard FilePath.regularFileSize(path) != nil, let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 16)) == Data("SQLite format 3\u{0}".utf8)
  }

  /// Imports a Couchbase Lite database and reports what was not imported.
  ///
  /// - Returns: the summary, and the number of seconds.
  static func load(
    _ path: String, into database: Database, collection: Collection?, existing: DatabaseImport.ExistingDocuments,
    _ messages: Messages
  ) throws -> (summary: CouchbaseLiteImportSummary, seconds: Double) {
    let start = ContinuousClock.now
    let summary = try database.importCouchbaseLite(at: path, into: collection, existing: existing) { done, total in
      guard messages.showsProgress else { return }
      messages.status("\(Quantity.count(done)) of \(Quantity.count(total, "document"))")
    }
    Messages.clearStatus()
    for problem in summary.problems { messages.error("\(path): \(problem)") }
    let more = summary.problemCount - summary.problems.count
    if more > 0 { messages.error("\(path): and \(Quantity.count(more, "other problem"))") }
    for note in summary.notes { messages.note("\(path): \(note)") }
    let moreNotes = summary.noteCount - summary.notes.count
    if moreNotes > 0 { messages.note("\(path): and \(Quantity.count(moreNotes, "other note"))") }
    return (summary, start.duration(to: .now) / .seconds(1))
  }
}

/// The result of an import of a Couchbase Lite database, as text and as JSON.
struct CouchbaseLiteReport {
  private(set) var summary: CouchbaseLiteImportSummary
  private(set) var seconds: Double

  /// The number of problems.
  var errorCount: Int { summary.problemCount }

  /// The report as one line of JSON.
  var json: String {
    var line = JSONLine()
    line.add("documents", summary.documentCount)
    line.add("unchanged", summary.unchangedCount)
    line.add("skipped", summary.skippedCount)
    line.add("deleted", summary.deletedCount)
    line.add("expired", summary.expiredCount)
    line.add("conflicts", summary.conflictCount)
    line.add("collections", summary.collectionCount)
    line.add("blobs", summary.blobCount)
    line.add("indexes", summary.indexCount)
    line.add("errors", summary.problemCount)
    line.add("seconds", (seconds * 1000).rounded() / 1000)
    return line.text
  }

  /// The report as one line of text.
  var text: String {
    var parts = [Quantity.count(summary.documentCount, "document") + " saved"]
    if summary.unchangedCount > 0 { parts.append("\(Quantity.count(summary.unchangedCount)) unchanged") }
    if summary.skippedCount > 0 { parts.append("\(Quantity.count(summary.skippedCount)) skipped") }
    if summary.deletedCount > 0 {
      parts.append("\(Quantity.count(summary.deletedCount, "deleted document")) left out")
    }
    if summary.expiredCount > 0 {
      parts.append("\(Quantity.count(summary.expiredCount, "expired document")) left out")
    }
    if summary.conflictCount > 0 { parts.append(Quantity.count(summary.conflictCount, "conflict")) }
    if summary.blobCount > 0 { parts.append(Quantity.count(summary.blobCount, "blob")) }
    if summary.indexCount > 0 { parts.append(Quantity.count(summary.indexCount, "index", plural: "indexes")) }
    if errorCount > 0 { parts.append(Quantity.count(errorCount, "error")) }
    return "\(parts.joined(separator: ", ")) in \(Quantity.seconds(seconds))"
  }
}
