import Foundation
import JSONText
public import Logging
import Synchronization

/// A file to which a server writes one line of JSON for each request.
///
/// ```swift
/// var options = ServerOptions()
/// options.accessLog = try AccessLog(path: "/var/log/concord/access.jsonl")
/// ```
///
/// Lines are written on a thread of their own, so that a slow disk does not delay responses. If more than 4 MiB wait or
/// a line cannot be written, it is lost: the next line that is written has the number as `lostLines`, and the logger
/// receives the error.
///
/// If the file is renamed or deleted, a new one is created, so programs such as `logrotate` need not notify the server.
public final class AccessLog: Sendable {
  /// The lines that wait for being written.
  private struct Waiting {
    var lines: [UInt8] = []
    var lostCount = 0
    /// Whether the thread has been asked to write them.
    var isScheduled = false
  }

  private let waiting = Mutex(Waiting())
  /// Used on the queue only.
  private let file: Mutex<AccessLogFile>
  private let queue = DispatchQueue(label: "concord.access-log", qos: .utility)
  private let logger: Logger

  /// The maximum number of bytes that wait.
  private static let maximumSize = 4 << 20

  /// Opens the file, or creates one that only its owner can read and change.
  ///
  /// - Parameters:
  ///   - path: the path of the file; `-` for the standard output.
  ///   - logger: receives errors of writing.
  /// - Throws: ``ServerOptionsError`` if the file cannot be opened.
  public init(path: String, logger: Logger = Logger(label: "concord")) throws {
    self.logger = logger
    do { file = Mutex(try AccessLogFile(path: path)) } catch let error as POSIXError {
      throw ServerOptionsError(.unwritableFile(path: path, reason: AccessLog.reason(error)))
    }
  }

  /// Writes a line for a request.
  func add(_ request: LoggedRequest) {
    var writer = JSONWriter()
    request.write(to: &writer)
    let line = writer.bytes + [UInt8(ascii: "\n")]
    let mustSchedule = waiting.withLock { waiting in
      guard waiting.lines.count + line.count <= AccessLog.maximumSize else {
        waiting.lostCount += 1
        return false
      }
      waiting.lines += line
      defer { waiting.isScheduled = true }
      return !waiting.isScheduled
    }
    if mustSchedule { queue.async { self.writeWaiting() } }
  }

  /// Waits until all lines are written.
  func flush() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  private func writeWaiting() {
    let (lines, lostCount) = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return (waiting.lines, waiting.lostCount)
    }
    do {
      try file.withLock { file throws(POSIXError) in
        if lostCount > 0 { try file.append(AccessLog.line(lostCount: lostCount)) }
        try file.append(lines)
      }
    } catch {
      let count = lostCount + lines.count { $0 == UInt8(ascii: "\n") }
      waiting.withLock { $0.lostCount += count }
      logger.error("requests are missing in the access log", metadata: ["error": "\(AccessLog.reason(error))"])
    }
  }

  private static func line(lostCount: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { $0.member("lostLines", lostCount) }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private static func reason(_ error: POSIXError) -> String { String(cString: strerror(error.code.rawValue)) }
}
