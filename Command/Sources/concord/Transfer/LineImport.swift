import Concordance
import CorpusReader
import Foundation

/// A run of `concord import`.
struct LineImport {
  private let transfer: DatabaseImport
  private let messages: Messages
  private let progress: IndexProgress

  /// The maximum line length: a document of 50 MiB in which every byte is a line break, listed in `_breaks`.
  private static let maximumLineSize = 256 << 20

  init(
    into database: Database, collection: Collection?, existing: DatabaseImport.ExistingDocuments, _ messages: Messages
  ) throws {
    transfer = try DatabaseImport(into: database, collection: collection, existing: existing)
    self.messages = messages
    progress = IndexProgress(messages)
  }

  func run(_ files: [String]) throws -> ImportReport {
    do { return try read(files) } catch let error as CBLError where transfer.summary.documentCount > 0 {
      let count = Quantity.count(transfer.summary.documentCount, "document")
      throw CommandFailure("\(error.advice); \(count) had been saved before")
    }
  }

  private func read(_ files: [String]) throws -> ImportReport {
    let start = ContinuousClock.now
    var errorCount = 0
    var conflictCount = 0
    var byteCount = 0
    var path = ""
    func report(_ problem: CorpusProblem) {
      errorCount += 1
      messages.error(problem.description)
    }
    func report(_ error: DatabaseImport.LineError) {
      if error.error.code == CBLError.conflict { conflictCount += 1 }
      report(CorpusProblem(path: path, line: error.line, kind: .invalidRecord, reason: error.description))
    }
    /// Runs `body` and reports its error. Returns whether it succeeded.
    func reportingProblems(_ body: () throws -> Void) throws -> Bool {
      do {
        try body()
        return true
      } catch let error as DatabaseImport.LineError {
        report(error)
        return false
      }
    }
    // None are left unless an error ends the import.
    defer { transfer.takeRefusedLines().forEach(report) }
    progress.totalBytes = files.contains(FileLines.standardInput) ? 0 : files.reduce(0) { $0 + FilePath.size($1) }
    for file in files {
      let lines = FileLines(path: file, limit: LineImport.maximumLineSize)
      path = lines.displayPath
      progress.beginFile(size: FilePath.size(file))
      try lines.forEach { line, number in
        byteCount += line.count + 1
        _ = try reportingProblems { try transfer.add(line: line, number: number) }
        progress.addDocument(size: line.count + 1)
      } problem: {
        report($0)
      }
      // Flushed now, so that every error is reported with its file. Each call reports one line.
      while try !reportingProblems({ try transfer.flush() }) {}
      progress.endFile()
    }
    while try !reportingProblems({
      _ = try transfer.finish { progress.showRebuild(done: Int($0), total: Int($1)) }
    }) {}
    messages.clearStatus()
    return ImportReport(
      summary: transfer.summary, errorCount: errorCount, conflictCount: conflictCount, byteCount: byteCount,
      seconds: start.duration(to: .now) / .seconds(1))
  }
}
