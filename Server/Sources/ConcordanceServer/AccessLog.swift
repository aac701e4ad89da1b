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
/// a line cannot be written, it is lost. The logger receives the error once, and a line `{"lostLines": 2}` is written
/// before the next ones.
///
/// If the file is renamed or deleted, a new one is created, so programs such as `logrotate` need not notify the server.
public final class AccessLog: Sendable {
  /// The lines that wait for being written.
  private struct Waiting {
    var lines: [UInt8] = []
    var lostCount = 0
    /// Whether the thread has been asked to write them.
    var isScheduled = false
    /// Whether the last lines could not be written.
    var isFailing = false
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
    do { file = Mutex(try AccessLogFile(path: path)) } catch {
      throw ServerOptionsError(.unwritableFile(path: path, reason: AccessLog.reason(error)))
    }
  }

  /// Writes a line for a request.
  func add(_ request: LoggedRequest) {
    let line = AccessLog.line { request.write(to: &$0) }
    let (mustSchedule, isOverflow) = waiting.withLock { waiting in
      guard waiting.lines.count + line.count <= AccessLog.maximumSize else {
        waiting.lostCount += 1
        defer { waiting.isFailing = true }
        return (false, !waiting.isFailing)
      }
      waiting.lines += line
      defer { waiting.isScheduled = true }
      return (!waiting.isScheduled, false)
    }
    if mustSchedule { queue.async { self.writeWaiting() } }
    if isOverflow { report("lines wait for the file for too long") }
  }

  /// Writes the lines that wait, within two seconds: the standard output or a pipe may have no reader.
  func flush() async {
    await withCheckedContinuation { continuation in
      let waiter = FlushWaiter(continuation)
      queue.async {
        self.writeWaiting()
        waiter.resume()
      }
      DispatchQueue(label: "concord.access-log.deadline").asyncAfter(deadline: .now() + 2) {
        if waiter.resume() { self.report("the last lines could not be written in time") }
      }
    }
  }

  private func writeWaiting() {
    let (lines, lostCount) = waiting.withLock { waiting in
      defer { (waiting.lines, waiting.lostCount, waiting.isScheduled) = ([], 0, false) }
      return (waiting.lines, waiting.lostCount)
    }
    let failure = file.withLock { file -> AccessLogFile.LostLines? in
      if lostCount > 0, let failure = file.append(AccessLog.line { $0.object { $0.member("lostLines", lostCount) } }) {
        let count = lostCount + lines.count { $0 == UInt8(ascii: "\n") }
        return AccessLogFile.LostLines(count: count, reason: failure.reason)
      }
      return file.append(lines)
    }
    let isReported = waiting.withLock { waiting in
      waiting.lostCount += failure?.count ?? 0
      defer { waiting.isFailing = failure != nil }
      return waiting.isFailing
    }
    // One message is enough until lines can be written again.
    if let failure, !isReported { report(AccessLog.reason(failure.reason)) }
  }

  private func report(_ reason: String) {
    logger.error("requests are missing in the access log", metadata: ["error": "\(reason)"])
  }

  /// Escapes the control characters from U+007F to U+009F, which a terminal could interpret. JSON permits them.
  private static func escapingControls(_ json: [UInt8]) -> [UInt8] {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(json.count + 1)
    var index = 0
    while index < json.count {
      let byte = json[index]
      index += 1
      if byte == 0xC2, index < json.count, json[index] < 0xA0 {
        escaped += "\\u00\(String(json[index], radix: 16))".utf8
        index += 1
      } else if byte == 0x7F {
        escaped += "\\u007f".utf8
      } else {
        escaped.append(byte)
      }
    }
    return escaped
  }

  private static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return escapingControls(writer.bytes) + [UInt8(ascii: "\n")]
  }

  private static func reason(_ error: POSIXError) -> String { String(cString: strerror(error.code.rawValue)) }
}

/// A task that waits for the lines, or for the deadline.
private final class FlushWaiter: Sendable {
  private let continuation: Mutex<CheckedContinuation<Void, Never>?>

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

  /// Resumes the task, and returns whether it was waiting.
  @discardableResult
  func resume() -> Bool {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume()
    return waiting != nil
  }
}
