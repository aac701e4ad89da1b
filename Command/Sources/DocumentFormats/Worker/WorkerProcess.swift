import CSandbox
import Foundation

/// The worker process, which extracts text from files for its parent process, without network access and with limits on
/// memory and time.
public enum WorkerProcess {
  /// The maximum memory in bytes, including the mapped libraries.
  static let memory: UInt64 = 1 << 30

  /// Answers requests from the connection until it is closed.
  ///
  /// - Parameter descriptor: the connection that ``WorkerExtractor`` created.
  public static func run(descriptor: Int32 = 0) {
    // libarchive uses this locale to convert file names from UTF-8.
    setlocale(LC_CTYPE, "C.UTF-8")
    let resourceError = concordance_limit_resources(memory)
    // Libraries must be loaded before system calls are restricted.
    _ = Poppler.shared
    // The process runs in its own session, so Ctrl-C in a terminal does not reach it.
    let limitFailure =
      failure(of: resourceError) ?? failure(of: concordance_exit_on_hangup(descriptor))
      ?? failure(of: ignoringMissing(concordance_limit_calls()))
    let channel = WorkerChannel(descriptor: descriptor)
    let extractor = InProcessExtractor()
    let maximum = WorkerMessage.maximumSize(ExtractionLimits())
    while let request = try? channel.receive(maximum: maximum, deadline: nil) {
      guard let limits = request.limits else { return }
      do {
        if let failure = limitFailure ?? failure(of: concordance_limit_time(UInt32(clamping: limits.seconds))) {
          throw failure
        }
        var isClosed = false
        let body = { (part: ExtractedPart) in try channel.send(WorkerMessage(part)) }
        let report = { (failure: ExtractionFailure) in
          do { try channel.send(WorkerMessage(failure, .failure)) } catch { isClosed = true }
        }
        if request.kind == .content {
          try extractor.extract(
            content: request.fields[8], name: request.text(1), limits: limits, body: body, failure: report)
        } else {
          try extractor.extract(
            path: request.text(0), name: request.text(1), limits: limits, body: body, failure: report)
        }
        if isClosed { return }
        try channel.send(WorkerMessage(.end, []))
      } catch let failure as ExtractionFailure {
        guard (try? channel.send(WorkerMessage(failure, .fault))) != nil else { return }
      } catch {
        return
      }
    }
  }

  /// Returns 0 for the errors of a system without seccomp filters, on which only the other limits apply.
  private static func ignoringMissing(_ error: Int32) -> Int32 { error == ENOSYS || error == EINVAL ? 0 : error }

  /// Returns the failure for an error in setting a limit, or nil if the error is 0. Without its limits, the worker must
  /// not read untrusted files.
  private static func failure(of error: Int32) -> ExtractionFailure? {
    guard error != 0 else { return nil }
    let reason = String(cString: strerror(error))
    return ExtractionFailure(.unavailable, "the limits of the extractor process cannot be set (\(reason))")
  }
}
