/// The parts and skipped members that a worker process returns for one file, which are limited because the process may
/// be controlled by the file.
struct WorkerOutput {
  let limits: ExtractionLimits
  private var count = 0
  private var size = 0
  /// The number of messages that the caller already has, from a process that crashed.
  private var passedCount = 0

  init(_ limits: ExtractionLimits) { self.limits = limits }

  /// Accepts a message.
  ///
  /// - Returns: whether it must be passed to the caller.
  /// - Throws: ``ExtractionFailure`` if the messages exceed a limit.
  mutating func accept(_ message: WorkerMessage) throws(ExtractionFailure) -> Bool {
    count += 1
    size += message.size
    guard count <= limits.outputCount else {
      throw ExtractionFailure(.tooLarge, "the file has more than \(limits.outputCount) parts")
    }
    guard size <= limits.outputSize else {
      throw ExtractionFailure(.tooLarge, "the text of the file has more than \(limits.outputSize) bytes")
    }
    return count > passedCount
  }

  /// Begins the extraction of the same file in another process, which returns the same messages.
  mutating func beginRepetition() { (passedCount, count, size) = (count, 0, 0) }
}
