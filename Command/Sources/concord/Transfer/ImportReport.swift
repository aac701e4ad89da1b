import Concordance

/// The result of an import, as text and as JSON.
struct ImportReport {
  let summary: TransferSummary
  let errorCount: Int
  /// The number of lines that are not JSON objects.
  var malformedCount = 0
  var byteCount = 0
  var seconds = 0.0

  /// The report as one line of JSON.
  var json: String {
    var line = JSONLine()
    line.add("documents", summary.documentCount)
    line.add("unchanged", summary.unchangedCount)
    line.add("skipped", summary.skippedCount)
    line.add("blobs", summary.blobCount)
    line.add("indexes", summary.indexCount)
    line.add("errors", errorCount)
    line.add("bytes", byteCount)
    line.add("seconds", (seconds * 1000).rounded() / 1000)
    return line.text
  }

  /// The report as one line of text.
  var text: String {
    var parts = [Quantity.count(summary.documentCount, "document") + " saved"]
    if summary.unchangedCount > 0 { parts.append("\(Quantity.count(summary.unchangedCount)) unchanged") }
    if summary.skippedCount > 0 { parts.append("\(Quantity.count(summary.skippedCount)) skipped") }
    if summary.blobCount > 0 { parts.append(Quantity.count(summary.blobCount, "blob")) }
    if summary.indexCount > 0 { parts.append(Quantity.count(summary.indexCount, "index", plural: "indexes")) }
    if errorCount > 0 { parts.append(Quantity.count(errorCount, "error")) }
    return "\(parts.joined(separator: ", ")); \(Quantity.bytes(byteCount)) in \(Quantity.seconds(seconds))"
  }
}
