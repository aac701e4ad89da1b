import Foundation

/// The files that several threads extract for one reader, and the parts that the reader has not taken yet.
///
/// The threads take the files in order, so the file that the reader waits for is always among those in progress. The
/// reader reads the files in the same order, and may skip some.
///
/// `@unchecked Sendable`: every variable is accessed only under the lock of `condition`.
final class ExtractionQueue: @unchecked Sendable {
  /// What the extraction of a file produces.
  enum Output: Sendable {
    case part(ExtractedPart)
    /// A member that was not extracted.
    case failure(ExtractionFailure)

    /// An estimate of its memory in bytes.
    fileprivate var size: Int {
      switch self {
      case .part(let part): part.content.count + 1024
      case .failure: 1024
      }
    }
  }

  private struct File {
    var outputs: [Output] = []
    var size = 0
    var isComplete = false
    var failure: ExtractionFailure?
  }

  /// The maximum memory in bytes of the outputs that wait for the reader.
  static let maximumSize = 32 << 20

  private let condition = NSCondition()
  private let requests: [ExtractionRequest]
  /// The files in progress or waiting for the reader, by their number.
  private var files: [Int: File] = [:]
  /// The number of files that threads have taken.
  private var takenCount = 0
  /// The number of the file that the reader reads, or reads next.
  private var current = 0
  /// The memory of the outputs that wait for the reader, and of those that it has taken last.
  private var waitingSize = 0
  private var readSize = 0
  private var isCancelled = false

  init(_ requests: [ExtractionRequest]) { self.requests = requests }

  /// Extracts files until all files are taken or the queue is cancelled. Each worker thread calls it.
  func extractFiles(with extractor: any DocumentExtracting) {
    while let number = take() {
      let request = requests[number]
      var failure: ExtractionFailure?
      do {
        try extractor.extract(path: request.path, name: request.name, limits: request.limits) {
          try put(.part($0), of: number)
        } failure: {
          // The next part, or the end of the file, detects that the file is not wanted any more.
          try? put(.failure($0), of: number)
        }
      } catch let fault as ExtractionFailure {
        failure = fault
      } catch {
        failure = ExtractionFailure(.crashed, String(describing: error))
      }
      finish(number, failure)
    }
  }

  /// Ends the threads when they add their next output.
  func cancel() {
    condition.lock()
    defer { condition.unlock() }
    isCancelled = true
    condition.broadcast()
  }

  // MARK: - The reader

  /// Begins to read a file, and discards the files before it.
  ///
  /// - Returns: false if the file is not one of the remaining files.
  func begin(_ request: ExtractionRequest) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard let number = requests[current...].firstIndex(of: request) else { return false }
    while current < number { discardCurrent() }
    condition.broadcast()
    return true
  }

  /// Waits for outputs of the current file.
  ///
  /// - Returns: nil at the end of the file.
  /// - Throws: ``ExtractionFailure`` if the file was not extracted to its end.
  func next() throws -> [Output]? {
    condition.lock()
    defer { condition.unlock() }
    releaseReadOutputs()
    while true {
      if var file = files[current] {
        if !file.outputs.isEmpty {
          let outputs = file.outputs
          readSize = file.size
          (file.outputs, file.size) = ([], 0)
          files[current] = file
          condition.broadcast()
          return outputs
        }
        if file.isComplete {
          if let failure = file.failure { throw failure }
          return nil
        }
      }
      condition.wait()
    }
  }

  /// Ends the current file. Its remaining outputs are discarded.
  func end() {
    condition.lock()
    defer { condition.unlock() }
    releaseReadOutputs()
    discardCurrent()
    condition.broadcast()
  }

  private func releaseReadOutputs() {
    waitingSize -= readSize
    readSize = 0
    condition.broadcast()
  }

  private func discardCurrent() {
    waitingSize -= files.removeValue(forKey: current)?.size ?? 0
    current += 1
  }

  // MARK: - Worker threads

  /// Returns the number of the next file; nil if there is none. Blocks while the outputs of other files occupy the
  /// memory.
  private func take() -> Int? {
    condition.lock()
    defer { condition.unlock() }
    while !isCancelled, takenCount < requests.count {
      if takenCount < current {
        takenCount = current
      } else if takenCount == current || waitingSize < ExtractionQueue.maximumSize {
        files[takenCount] = File()
        takenCount += 1
        return takenCount - 1
      } else {
        condition.wait()
      }
    }
    return nil
  }

  /// Adds an output. Blocks while the outputs occupy the memory, unless the reader waits for this one.
  ///
  /// - Throws: `CancellationError` if the reader has ended the file or the queue is cancelled.
  private func put(_ output: Output, of number: Int) throws {
    condition.lock()
    defer { condition.unlock() }
    let size = output.size
    while true {
      guard !isCancelled, let file = files[number] else { throw CancellationError() }
      let isAwaited = number == current && file.outputs.isEmpty
      if isAwaited || waitingSize + size <= ExtractionQueue.maximumSize { break }
      condition.wait()
    }
    files[number]?.outputs.append(output)
    files[number]?.size += size
    waitingSize += size
    condition.broadcast()
  }

  private func finish(_ number: Int, _ failure: ExtractionFailure?) {
    condition.lock()
    defer { condition.unlock() }
    files[number]?.isComplete = true
    files[number]?.failure = failure
    condition.broadcast()
  }
}
