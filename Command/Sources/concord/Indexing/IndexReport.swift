import Concordance

/// The result of an indexing run, as text and as JSON.
struct IndexReport {
  let summary: ImportSummary
  /// The number of documents in the collection afterwards.
  let documentCount: Int
  let readFileCount: Int
  let unchangedFileCount: Int
  let deletedFileCount: Int
  let skipCount: Int
  let errorCount: Int
  let byteCount: Int64
  let seconds: Double

  /// Returns the combined report of this run and the next one.
  func followed(by later: IndexReport) -> IndexReport {
    var sum = summary
    sum.savedCount += later.summary.savedCount
    sum.unchangedCount += later.summary.unchangedCount
    sum.removedCount += later.summary.removedCount
    sum.byteCount += later.summary.byteCount
    sum.replacedCount += later.summary.replacedCount
    sum.replacedIDs += later.summary.replacedIDs
    return IndexReport(
      summary: sum, documentCount: later.documentCount, readFileCount: readFileCount + later.readFileCount,
      unchangedFileCount: later.unchangedFileCount, deletedFileCount: deletedFileCount + later.deletedFileCount,
      skipCount: skipCount + later.skipCount, errorCount: errorCount + later.errorCount,
      byteCount: .saturatingSum(byteCount, later.byteCount), seconds: seconds + later.seconds)
  }

  /// The report as one line of JSON.
  var json: String {
    var line = JSONLine()
    line.add("documents", documentCount)
    line.add("saved", summary.savedCount)
    line.add("unchanged", summary.unchangedCount)
    line.add("removed", summary.removedCount)
    line.add("replaced", summary.replacedCount)
    line.add("files", readFileCount)
    line.add("unchangedFiles", unchangedFileCount)
    line.add("deletedFiles", deletedFileCount)
    line.add("skipped", skipCount)
    line.add("errors", errorCount)
    line.add("bytes", Int(byteCount))
    line.add("seconds", (seconds * 1000).rounded() / 1000)
    return line.text
  }

  /// The report as one or two lines of text.
  var text: String {
    var documents = ["\(Quantity.count(summary.savedCount, "document")) new or changed"]
    if summary.unchangedCount > 0 {
      documents.append("\(Quantity.count(summary.unchangedCount)) with the same text")
    }
    if summary.removedCount > 0 { documents.append("\(Quantity.count(summary.removedCount)) removed") }
    var files = ["\(Quantity.count(readFileCount, "file")) read"]
    if unchangedFileCount > 0 { files.append("\(Quantity.count(unchangedFileCount)) unchanged") }
    if skipCount > 0 { files.append("\(Quantity.count(skipCount)) skipped") }
    if errorCount > 0 { files.append(Quantity.count(errorCount, "error")) }
    let speed = Quantity.speed(byteCount, seconds: seconds)
    let work =
      byteCount > 0
      ? "\(Quantity.bytes(Int(byteCount))) in \(Quantity.seconds(seconds)), \(speed)"
      : Quantity.seconds(seconds)
    return "\(documents.joined(separator: ", ")); \(files.joined(separator: ", ")); \(work); "
      + "\(Quantity.count(documentCount, "document")) in all"
  }
}
