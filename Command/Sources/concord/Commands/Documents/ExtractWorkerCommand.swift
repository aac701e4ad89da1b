import ArgumentParser
import DocumentFormats

/// The process that extracts text from documents in binary formats; `concord index` starts it.
struct ExtractWorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract-worker", abstract: "Extract text for another concord process.", shouldDisplay: false)

  func run() { WorkerProcess.run() }

  /// Returns an extractor that starts this program as its workers.
  static func extractor() -> ParallelExtractor {
    ParallelExtractor {
      WorkerExtractor(executable: "/proc/self/exe", arguments: ["concord", "extract-worker"])
    }
  }
}
