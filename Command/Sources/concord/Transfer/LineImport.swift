import Concordance
import CorpusReader
import Foundation

/// A run of `concord import` over files of JSON Lines.
final class LineImport {
  private let transfer: DatabaseImport
  private let messages: Messages
  private let progress: IndexProgress
  /// The name of the current file in messages.
  private var path = ""
  private var errorCount = 0
  /// The number of errors of single lines.
  private var lineErrorCount = 0
  /// The number of lines that are not JSON objects.
  private var malformedCount = 0
  private var byteCount = 0
  /// The number of files after the current one.
  private var unreadCount = 0

  /// The maximum line length: a document of 50 MiB in which every byte is a line break, listed in `_breaks`.
  private static let maximumLineSize = 256 << 20
  /// The number of errors of lines that are listed without `-v`.
  private static let maximumListedCount = 100

  init(
    into database: Database, collection: Collection?, existing: DatabaseImport.ExistingDocuments, _ messages: Messages
  ) throws {
    transfer = try DatabaseImport(into: database, collection: collection, existing: existing)
    self.messages = messages
    progress = IndexProgress(messages)
  }

  /// Imports the files. An error that ends the import is also reported and counted.
  func run(_ files: [String]) throws -> ImportReport {
    let start = ContinuousClock.now
    let inputs = files.map { FileLines(path: $0, limit: LineImport.maximumLineSize) }
    let sizes = zip(files, inputs).map { $1.hasKnownSize ? FilePath.regularFileSize($0) : nil }
    progress.totalBytes = sizes.contains(nil) ? nil : sizes.reduce(Int64(0)) { Int64.saturatingSum($0, $1 ?? 0) }
    do {
      unreadCount = files.count
      for (input, size) in zip(inputs, sizes) {
        unreadCount -= 1
        progress.beginFile(size: size)
        try read(input)
        progress.endFile()
      }
      try repeatingAfterLineErrors {
        _ = try transfer.finish { [progress] in progress.showRebuild(done: Int($0), total: Int($1)) }
      }
    } catch let error as CBLError {
      reportEnd(error.advice)
    } catch let failure as CommandFailure {
      reportEnd(failure.message)
    }
    Messages.clearStatus()
    if lineErrorCount > LineImport.maximumListedCount, !messages.isVerbose {
      let count = lineErrorCount - LineImport.maximumListedCount
      messages.error("\(Quantity.count(count, "more error")) \(count == 1 ? "is" : "are") not listed; -v lists all")
    }
    return ImportReport(
      summary: transfer.summary, errorCount: errorCount, malformedCount: malformedCount, byteCount: byteCount,
      seconds: start.duration(to: .now) / .seconds(1))
  }

  /// Ends the reading of a file that is not JSON Lines.
  private struct JSONArrayFound: Error {}

  private func read(_ input: FileLines) throws {
    path = input.displayPath
    var isAtStart = true
    do {
      try input.forEach { line, number in
        if isAtStart, let first = line.first(where: { $0 > 0x20 }) {
          if first == UInt8(ascii: "[") { throw JSONArrayFound() }
          isAtStart = false
        }
        byteCount += line.count + 1
        try add(line, number)
        progress.addDocument(size: line.count + 1)
      } problem: { problem in
        report(problem)
        if input.isStandardInput, case .binary(let format) = problem.kind, format == "gzip" {
          messages.note("standard input is not decompressed; use `zcat FILE | concord import -`")
        }
      }
    } catch is JSONArrayFound {
      report(
        CorpusProblem(
          path: path, line: nil, kind: .invalidRecord,
          reason:
            "the file is a JSON array, and import reads one JSON object per line; `concord index` reads arrays, and "
            + "`jq -c '.[]'` writes an array as lines"))
    }
    // Flushed now, so that every error is reported with its file.
    try flush()
  }

  private func add(_ line: UnsafeRawBufferPointer, _ number: Int) throws {
    do {
      try transfer.add(line: line, number: number)
    } catch let error as DatabaseImport.LineError {
      report(error)
    } catch let error as CBLError where LineImport.headerErrors.contains(error.code) {
      // The documents before this line can be saved.
      try flush()
      throw CommandFailure("\(path):\(number): \(error.advice)")
    }
  }

  /// The codes of errors with which the header of an export ends the import.
  private static let headerErrors = [CBLError.databaseTooNew, CBLError.invalidParameter]

  private func flush() throws { try repeatingAfterLineErrors { try transfer.flush() } }

  /// Calls `body` until it reports no further line; each call reports one.
  private func repeatingAfterLineErrors(_ body: () throws -> Void) throws {
    while true {
      do { return try body() } catch let error as DatabaseImport.LineError { report(error) }
    }
  }

  private func report(_ error: DatabaseImport.LineError) {
    if error.error.code == CBLError.invalidJSON { malformedCount += 1 }
    report(CorpusProblem(path: path, line: error.line, kind: .invalidRecord, reason: error.description))
  }

  private func report(_ problem: CorpusProblem) {
    errorCount += 1
    if problem.line != nil {
      lineErrorCount += 1
      guard lineErrorCount <= LineImport.maximumListedCount || messages.isVerbose else { return }
    }
    messages.error(problem.description)
  }

  /// Reports an error that ends the import, with the numbers of saved documents and of files that were not read.
  private func reportEnd(_ message: String) {
    // The lines that were refused before it.
    transfer.takeRefusedLines().forEach(report)
    errorCount += 1
    let count = transfer.summary.documentCount
    let saved = count > 0 ? "; \(Quantity.count(count, "document")) had been saved before" : ""
    let unread =
      unreadCount > 0
      ? "; \(Quantity.count(unreadCount, "more file")) \(unreadCount == 1 ? "was" : "were") not read" : ""
    messages.error(message + saved + unread)
  }
}
