import Foundation

/// Extracts several files at the same time, each in a worker process of its own, and returns their parts in the order
/// in which the caller extracts the files. Results therefore do not depend on the number of workers.
///
/// ```swift
/// let extractor = ParallelExtractor {
///   WorkerExtractor(executable: "/proc/self/exe", arguments: ["concord", "extract-worker"])
/// }
/// extractor.prepare(requests)
/// for request in requests {
///   try extractor.extract(path: request.path, name: request.name, limits: request.limits) {
///     print($0)
///   } failure: { _ in }
/// }
/// ```
///
/// The parts of files that the caller has not reached yet occupy at most 32 MiB, and one part for each worker.
///
/// Not `Sendable`: each thread needs its own.
public final class ParallelExtractor: DocumentExtracting {
  /// The maximum number of workers, each of which may use up to 1 GiB of memory.
  public static let maximumWorkerCount = 4

  private let workerCount: Int
  private let makeExtractor: @Sendable () -> any DocumentExtracting
  /// Extracts files that were not prepared, such as attachments.
  private lazy var direct = makeExtractor()
  private var queue: ExtractionQueue?

  /// Creates an extractor without starting a process.
  ///
  /// - Parameters:
  ///   - workerCount: the number of files that are extracted at the same time; nil for one per processor, at most
  ///     ``maximumWorkerCount``.
  ///   - makeExtractor: creates the extractor of each worker. It is called on the worker's thread.
  public init(
    workerCount: Int? = nil, makeExtractor: @escaping @Sendable () -> any DocumentExtracting
  ) {
    self.workerCount =
      workerCount ?? min(ProcessInfo.processInfo.activeProcessorCount, ParallelExtractor.maximumWorkerCount)
    self.makeExtractor = makeExtractor
  }

  deinit { queue?.cancel() }

  public func prepare(_ requests: [ExtractionRequest]) {
    queue?.cancel()
    queue = nil
    // The worker of a single file already runs at the same time as the caller.
    guard workerCount > 1, requests.count > 1 else { return }
    let queue = ExtractionQueue(requests)
    self.queue = queue
    for _ in 0..<min(workerCount, requests.count) {
      Thread.detachNewThread { [makeExtractor] in queue.extractFiles(with: makeExtractor()) }
    }
  }

  public func extract(
    path: String, name: String, limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws {
    guard let queue, queue.begin(ExtractionRequest(path: path, name: name, limits: limits)) else {
      return try direct.extract(path: path, name: name, limits: limits, body: body, failure: failure)
    }
    defer { queue.end() }
    while let outputs = try queue.next() {
      for output in outputs {
        switch output {
        case .part(let part): try body(part)
        case .failure(let member): failure(member)
        }
      }
    }
  }

  public func extract(
    content: [UInt8], name: String, limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws {
    try direct.extract(content: content, name: name, limits: limits, body: body, failure: failure)
  }
}

@available(*, unavailable)
extension ParallelExtractor: Sendable {}
